package sqlstore

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// The criteria of a product are stored as one JSON object, its keys in
// ascending order and without spaces:
//
//	{"Commentaire":"tvue mer","Exposition":["S","SO"],"Prix":250000,"TypeBien":"uMaison"}
//
//	NUMBER    a number            FLAG    true or false      MULTIPLE    an array of codes
//	UNIQUE    "u" and the code    TEXT    "t" and the text
//	DATE      "d" and the day, as in "d2024-01-02", or
//	          "i" and the instant in UTC, as in "i2024-01-02T08:30:00.000000Z"
//
// The type shows in the value, so that reading needs no definitions. A site's
// products are read by the hundred thousand: parsing takes one pass and shares
// the keys and codes it has met before.

// CriteriaText returns criteria in the stored form, for a store of your own. It is an error if
// they would not come back as they are.
func CriteriaText(values criteria.Values) ([]byte, error) {
	b := []byte{'{'}
	for i, key := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendString(b, "", key); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = appendValue(b, values[key]); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return append(b, '}'), nil
}

func appendValue(b []byte, v criteria.Value) ([]byte, error) {
	switch v := v.(type) {
	case criteria.Unique:
		return appendString(b, "u", string(v))
	case criteria.Number:
		return appendNumber(b, float64(v))
	case criteria.Flag:
		return strconv.AppendBool(b, bool(v)), nil
	case criteria.Text:
		return appendString(b, "t", string(v))
	case criteria.Multiple:
		b = append(b, '[')
		for i, code := range v {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendString(b, "", code); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case criteria.Date:
		return appendDate(b, v)
	}
	return nil, fmt.Errorf("a %T cannot be stored", v)
}

const instantLayout = "2006-01-02T15:04:05.000000Z"

func appendDate(b []byte, d criteria.Date) ([]byte, error) {
	at := d.At.UTC()
	if y := at.Year(); y < 0 || y > 9999 {
		return nil, fmt.Errorf("the year %d cannot be stored", y)
	}
	if d.Timed {
		return append(at.AppendFormat(append(b, `"i`...), instantLayout), '"'), nil
	}
	return append(at.AppendFormat(append(b, `"d`...), time.DateOnly), '"'), nil
}

// appendNumber writes as few digits as bring back the same number, without
// exponent where people would write none.
func appendNumber(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v cannot be stored", f)
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, f, format, -1, 64), nil
}

func appendString(b []byte, prefix, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("%q is not storable text", s)
	}
	b = append(append(b, '"'), prefix...)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"'), nil
}
