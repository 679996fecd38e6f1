package sqlstore

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// sealedColumn is a column of a secret. Its place in the database is sealed with
// it, and the place is known from the key of the row: in a row, the columns of
// the key come first.
type sealedColumn struct {
	plain codec
	keys  Keyring
	table string
	name  string
	site  *site.ID
	id    func() string
}

func (c sealedColumn) place() string {
	return fmt.Sprintf("%s.%s %d %s", c.table, c.name, *c.site, c.id())
}

func (c sealedColumn) Value() (driver.Value, error) {
	plain, err := c.plain.Value()
	if err != nil {
		return nil, err
	}
	secret, ok := plain.(string)
	if !ok {
		return nil, fmt.Errorf("a %T cannot be sealed", plain)
	}
	return c.keys.Seal(secret, c.place())
}

func (c sealedColumn) Scan(src any) error {
	var sealed string
	if err := text(&sealed).Scan(src); err != nil {
		return err
	}
	secret, err := c.keys.Open(sealed, c.place())
	if err != nil {
		return err
	}
	return c.plain.Scan(secret)
}

// sealing makes the sealed columns of a row of a site; id is what else names the
// row.
type sealing struct {
	keys  Keyring
	table string
	site  *site.ID
	id    func() string
}

// numbered names a row by its number.
func numbered[ID ~int64](id *ID) func() string {
	return func() string { return strconv.FormatInt(int64(*id), 10) }
}

func (s sealing) column(name string, plain codec) column { return column{name, s.sealed(name, plain)} }

func (s sealing) sealed(name string, plain codec) sealedColumn {
	return sealedColumn{plain: plain, keys: s.keys, table: s.table, name: name, site: s.site, id: s.id}
}

// address is a column of an address, which may hold secrets anywhere behind the
// host.
func (s sealing) address(name string, p *string) column {
	return s.column(name, secret{p})
}

// secret is text that is going to be sealed: any bytes will do, and no error
// may quote them.
type secret struct{ p *string }

func (c secret) Value() (driver.Value, error) { return *c.p, nil }

func (c secret) Scan(src any) error { return text(c.p).Scan(src) }

// secretHeaders are headers that are going to be sealed, as JSON.
type secretHeaders struct{ p *map[string]string }

func (c secretHeaders) Value() (driver.Value, error) {
	for name, value := range *c.p {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, errors.New("a header is not text")
		}
	}
	b, err := json.Marshal(*c.p)
	return string(b), err
}

func (c secretHeaders) Scan(src any) error { return document(c.p).Scan(src) }
