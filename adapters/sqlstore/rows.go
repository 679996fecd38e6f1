package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// A product is read as one text: its columns, between which there is a separator that JSON
// and numbers have not in them. It can be kept as it is, and is read when it is looked at.

const rowSeparator = "\x1f"

// rowColumns are the columns of packed rows. The reference, which may be any text, is
// the last one.
var rowColumns = []string{
	"id", "version", "site_id", "agency_id", "user_id", "customer_id", "parent_id", "color", "created_by",
	"coalesce(CAST(added_at AS TEXT), '')", "coalesce(CAST(modified_at AS TEXT), '')",
	"web_status", "intercabinet", "seller_statistics", "energy_derived", "climate_derived",
	"next_contact", "energy_regime", "geocoded", "criteria", "rooms", "descriptions", "pictures", "reference",
}

// findRows is a query for packed rows of living products of a site.
func findRows(condition string) squirrel.SelectBuilder {
	return squirrel.Select("concat_ws('" + rowSeparator + "', " + strings.Join(rowColumns, ", ") + ")").From(products.table).
		Where("site_id = ? AND deleted_at IS NULL AND " + condition)
}

// ProductRows reads whole products of the store, with one statement each time. It is for those
// whose products are in the tables of the store.
func (s *Store) ProductRows() port.ProductRows { return rowReads{s} }

type rowReads struct{ store *Store }

// ProductRows implements port.ProductRows. It is one statement outside any transaction.
func (r rowReads) ProductRows(ctx context.Context, of site.ID, ids []product.ID) ([]port.ProductRow, error) {
	s := r.store
	statement, among := s.hot.productRows, s.dialect.Numbers(plain(ids))
	if len(ids) == 1 {
		statement, among = s.hot.productRow, int64(ids[0])
	}
	found := make([]port.ProductRow, 0, len(ids))
	err := s.readOnce(ctx, statement, []any{int64(of), among}, func(rows *sql.Rows) error {
		const together = 8 // as many headers are one object
		var headers []packedProduct
		var text string
		into := []any{&text}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
			if len(headers) == cap(headers) {
				headers = make([]packedProduct, 0, min(together, len(ids)))
			}
			headers = append(headers, packedProduct(text))
			found = append(found, &headers[len(headers)-1])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// packedProduct is a packed row.
type packedProduct string

// ID implements port.ProductRow.
func (r packedProduct) ID() product.ID {
	u := unpacking{rest: string(r)}
	return product.ID(u.whole())
}

// Version implements port.ProductRow.
func (r packedProduct) Version() int64 {
	u := unpacking{rest: string(r)}
	u.whole()
	return u.whole()
}

// Unpack implements port.ProductRow.
func (r packedProduct) Unpack(parts product.Parts, to *product.Row) error {
	u := unpacking{rest: string(r)}
	to.Product = product.Product{
		ID: product.ID(u.whole()), Version: u.whole(), Site: site.ID(u.whole()), Agency: site.AgencyID(u.whole()),
		User: site.UserID(u.whole()), Customer: customer.ID(u.whole()), Parent: product.ID(u.whole()), Color: int(u.whole()),
		CreatedBy: site.UserID(u.whole()), Added: u.instant(), Modified: u.instant(),
		WebStatus: u.flag(), Intercabinet: u.flag(), SellerStatistics: u.flag(), Derived: product.Derived{Energy: u.flag(), Climate: u.flag()},
		NextContact: u.next(),
	}
	to.Derived.Regime = u.next()
	if answer := u.next(); answer != "" {
		u.see(unpackPlace(answer, to))
	}
	u.see(unpackFacts(u.next(), to))
	if rooms := u.next(); parts.Has(product.Rooms) {
		u.see(unpackList(&to.Rooms, rooms))
	}
	u.see(unpackDescriptions(u.next(), parts.Has(product.Descriptions), to))
	u.see(unpackPictures(u.next(), to))
	to.Reference = u.rest
	if u.wrong != nil {
		return fmt.Errorf("product %d: %w", to.ID, u.wrong)
	}
	return nil
}

// unpacking reads a packed row column by column, and notes what is wrong with it first.
type unpacking struct {
	rest  string
	wrong error
}

func (u *unpacking) see(err error) {
	if u.wrong == nil {
		u.wrong = err
	}
}

func (u *unpacking) next() string {
	column, rest, found := strings.Cut(u.rest, rowSeparator)
	if !found {
		u.see(errors.New("a row is cut off"))
	}
	u.rest = rest
	return column
}

func (u *unpacking) whole() int64 {
	n, err := strconv.ParseInt(u.next(), 10, 64)
	u.see(err)
	return n
}

// flag is a boolean as either engine writes it.
func (u *unpacking) flag() bool {
	switch word := u.next(); word {
	case "t", "1":
		return true
	case "f", "0":
		return false
	default:
		u.see(fmt.Errorf("%q is no boolean", word))
		return false
	}
}

func (u *unpacking) instant() time.Time {
	text := u.next()
	if text == "" {
		return time.Time{}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	u.see(err)
	return time.UnixMicro(n).UTC()
}

func unpackFacts(text string, to *product.Row) (err error) {
	to.Facts, to.Codes, err = appendFacts(to.Facts[:0], to.Codes[:0], text)
	return err
}

// unpackList reads a list that is mostly empty or not there.
func unpackList[T any](to *[]T, text string) error {
	if text == "null" || text == "[]" {
		return nil
	}
	return json.Unmarshal([]byte(text), to)
}
