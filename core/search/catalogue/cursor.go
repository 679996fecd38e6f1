package catalogue

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// EncodeCursor writes the cursor behind a product: its id in base64.
func EncodeCursor(id product.ID) string {
	return base64.StdEncoding.EncodeToString(strconv.AppendInt(nil, int64(id), 10))
}

// DecodeCursor reads a cursor, with padding or without, and reports whether it
// is one. The product need not exist. As the digits never need a character in
// which the two alphabets of base64 differ, either is understood.
func DecodeCursor(cursor string) (product.ID, bool) {
	digits, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(cursor, "="))
	if err != nil {
		return 0, false
	}
	number, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || number < 1 {
		return 0, false
	}
	// There is only one way to write a cursor, padding aside. Signs, leading
	// zeros and stray bits or padding do not come back.
	canonical := EncodeCursor(product.ID(number))
	if cursor != canonical && cursor != strings.TrimRight(canonical, "=") {
		return 0, false
	}
	return product.ID(number), true
}
