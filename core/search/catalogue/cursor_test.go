package catalogue_test

import (
	"encoding/base64"
	"math"
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

func TestCursorsComeBack(t *testing.T) {
	for _, id := range []product.ID{1, 9, 10, 123, 99_999, 1 << 40, math.MaxInt64} {
		cursor := catalogue.EncodeCursor(id)
		if got, ok := catalogue.DecodeCursor(cursor); got != id || !ok {
			t.Errorf("%d is written %q and read %d, %v", id, cursor, got, ok)
		}
	}
	if got := catalogue.EncodeCursor(123); got != "MTIz" {
		t.Errorf("123 is written %q", got)
	}
}

func TestCursorsAreReadWithoutPaddingToo(t *testing.T) {
	for cursor, want := range map[string]product.ID{"MQ==": 1, "MQ": 1, "MTI=": 12, "MTI": 12, "MTIz": 123} {
		if got, ok := catalogue.DecodeCursor(cursor); got != want || !ok {
			t.Errorf("%q is read %d, %v, want %d", cursor, got, ok, want)
		}
	}
}

func TestBadCursorsAreRefused(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString
	bad := map[string]string{
		"empty":           "",
		"padding":         "==",
		"no base64":       "%%%",
		"line break":      "MT\nIz",
		"stray padding":   "MQ=",
		"more padding":    "MTIz=",
		"stray bits":      "MR==",
		"letters":         encoded([]byte("abc")),
		"zero":            encoded([]byte("0")),
		"negative":        encoded([]byte("-5")),
		"sign":            encoded([]byte("+5")),
		"leading zero":    encoded([]byte("05")),
		"spaces":          encoded([]byte(" 5")),
		"underscore":      encoded([]byte("1_000")),
		"decimals":        encoded([]byte("1.0")),
		"above int64":     encoded([]byte("9223372036854775808")),
		"far above int64": encoded([]byte("99999999999999999999999999")),
		"plain":           "123",
	}
	for what, cursor := range bad {
		if id, ok := catalogue.DecodeCursor(cursor); ok || id != 0 {
			t.Errorf("%s: %q is read as %d", what, cursor, id)
		}
	}
}

func FuzzDecodeCursor(f *testing.F) {
	for _, seed := range []string{"", "MTIz", "MQ==", "MQ", "MR==", "LTU=", "-_-_", "+/+/", "OTIyMzM3MjAzNjg1NDc3NTgwNw=="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		id, ok := catalogue.DecodeCursor(cursor)
		if !ok {
			if id != 0 {
				t.Errorf("%q is refused, but read as %d", cursor, id)
			}
			return
		}
		canonical := catalogue.EncodeCursor(id)
		if again, ok := catalogue.DecodeCursor(canonical); id < 1 || again != id || !ok {
			t.Errorf("%q is read as %d, %q as %d, %v", cursor, id, canonical, again, ok)
		}
		if digits, err := base64.StdEncoding.DecodeString(canonical); err != nil || string(digits) != strconv.FormatInt(int64(id), 10) {
			t.Errorf("%q says %q, %v", canonical, digits, err)
		}
	})
}
