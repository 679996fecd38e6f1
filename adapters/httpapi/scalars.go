package httpapi

import (
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

var instantType = reflect.TypeFor[kernel.Instant]()

func appendInt(out []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendInt(out, v.Int(), 10), true
}

func appendBool(out []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendBool(out, v.Bool()), true
}

func appendFloat(out []byte, v reflect.Value) ([]byte, bool) { return appendNumber(out, v.Float()) }

// maxWhole bounds the whole numbers all of which a float64 can be: they are written faster.
const maxWhole = 1 << 53

// appendNumber writes very large and very small numbers with an exponent, of as few
// digits as it takes.
func appendNumber(out []byte, f float64) ([]byte, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return out, false
	}
	if n := int64(f); n != 0 && float64(n) == f && -maxWhole < n && n < maxWhole {
		return strconv.AppendInt(out, n, 10), true
	}
	if size := math.Abs(f); size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(out, f, 'f', -1, 64), true
	}
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	if n := len(out); n >= 4 && out[n-4] == 'e' && (out[n-3] == '-' || out[n-3] == '+') && out[n-2] == '0' {
		out[n-2] = out[n-1]
		out = out[:n-1]
	}
	return out, true
}

func appendInstant(out []byte, v reflect.Value) ([]byte, bool) {
	var at kernel.Instant
	if v.CanAddr() {
		at = *v.Addr().Interface().(*kernel.Instant)
	} else {
		at = v.Interface().(kernel.Instant)
	}
	out = append(out, '"')
	out = at.Append(out)
	return append(out, '"'), true
}

func appendText(out []byte, v reflect.Value) ([]byte, bool) {
	return appendString(out, v.String()), true
}

const hexDigits = "0123456789abcdef"

// appendString writes a text. What is no UTF-8 becomes U+FFFD; and lines of JavaScript
// end at two characters at which those of JSON do not.
func appendString(out []byte, text string) []byte {
	out = append(out, '"')
	written := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			out = append(out, text[written:i]...)
			switch c {
			case '"', '\\':
				out = append(out, '\\', c)
			case '\b':
				out = append(out, '\\', 'b')
			case '\f':
				out = append(out, '\\', 'f')
			case '\n':
				out = append(out, '\\', 'n')
			case '\r':
				out = append(out, '\\', 'r')
			case '\t':
				out = append(out, '\\', 't')
			default:
				out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
			}
			i++
			written = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if broken := r == utf8.RuneError && size == 1; broken || r == '\u2028' || r == '\u2029' {
			out = append(out, text[written:i]...)
			if broken {
				out = append(out, `\ufffd`...)
			} else {
				out = append(out, `\u202`...)
				out = append(out, hexDigits[r&0xF])
			}
			written = i + size
		}
		i += size
	}
	out = append(out, text[written:]...)
	return append(out, '"')
}

// appendAny writes what it knows of that a field of any type has in it.
func appendAny(out []byte, v reflect.Value) ([]byte, bool) {
	switch value := v.Interface().(type) {
	case nil:
		return append(out, "null"...), true
	case string:
		return appendString(out, value), true
	case *string:
		if value != nil {
			return appendString(out, *value), true
		}
	case float64:
		return appendNumber(out, value)
	case *float64:
		if value != nil {
			return appendNumber(out, *value)
		}
	case int:
		return strconv.AppendInt(out, int64(value), 10), true
	case []string:
		return appendStrings(out, value), true
	case *[]string:
		if value != nil {
			return appendStrings(out, *value), true
		}
	default:
		return out, false
	}
	return append(out, "null"...), true
}

func appendStrings(out []byte, texts []string) []byte {
	if texts == nil {
		return append(out, "null"...)
	}
	out = append(out, '[')
	for i, text := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendString(out, text)
	}
	return append(out, ']')
}
