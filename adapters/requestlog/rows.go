package requestlog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// row is a request as it is stored. The names are those of the columns.
type row struct {
	ID         string `json:"id"`
	Refused    int64  `json:"refused"`
	At         int64  `json:"at"`
	Site       int64  `json:"site_id"`
	ClientID   string `json:"client_id"`
	Operation  string `json:"op"`
	Method     string `json:"method"`
	Path       string `json:"path"`
	Query      string `json:"query"`
	Credential string `json:"credential"`
	Claimed    string `json:"claimed"`
	Unknown    string `json:"unknown_client"`
	Status     int64  `json:"status"`
	Code       string `json:"code"`
	Micros     int64  `json:"micros"`
	Bytes      int64  `json:"bytes"`
	Peer       string `json:"peer"`
	Agent      string `json:"agent"`
	// Deprecated and Customers are separated by spaces.
	Deprecated string `json:"deprecated"`
	OneIn      int64  `json:"one_in"`
	Customers  string `json:"customers"`
	Sent       string `json:"sent"`
	Answered   string `json:"answered"`
}

var columns = []string{
	"id", "refused", "at", "site_id", "client_id", "op", "method", "path", "query", "credential", "claimed", "unknown_client", "status", "code",
	"micros", "bytes", "peer", "agent", "deprecated", "one_in", "customers", "sent", "answered",
}

// maxText is how long a text of a request is that is read. Of the largest body that is taken
// less is stored, whatever stands in place of what it hides.
const maxText = 32 << 20

// bounded returns a column as it is read: a text that somebody made longer is left in the database.
func bounded(column string) string {
	switch column {
	case "path", "query", "agent", "deprecated", "customers", "sent", "answered":
		return fmt.Sprintf("CASE WHEN octet_length(%s) <= %d THEN %[1]s ELSE '' END", column, maxText)
	}
	return column
}

func (r *row) targets() []any {
	return []any{
		&r.ID, &r.Refused, &r.At, &r.Site, &r.ClientID, &r.Operation, &r.Method, &r.Path, &r.Query, &r.Credential, &r.Claimed, &r.Unknown, &r.Status, &r.Code,
		&r.Micros, &r.Bytes, &r.Peer, &r.Agent, &r.Deprecated, &r.OneIn, &r.Customers, &r.Sent, &r.Answered,
	}
}

// rowOf seals the bodies of a request.
func (l *Log) rowOf(r trace.Request) (row, error) {
	stored := row{
		ID: plain(r.ID), At: r.At.UnixMicro(), Site: int64(r.Site), ClientID: plain(r.ClientID), Operation: plain(r.Operation), Method: plain(r.Method),
		Path: plain(r.Path), Query: plain(r.Query), Credential: plain(string(r.Credential)), Claimed: plain(string(r.Claimed)), Unknown: plain(r.UnknownClient),
		Status: int64(r.Status), Code: string(r.Code), Micros: r.Took.Microseconds(), Bytes: r.Bytes, Peer: plain(r.Peer), Agent: plain(r.Agent),
		Deprecated: plain(strings.Join(r.Deprecated, " ")), OneIn: int64(r.OneIn), Customers: numbers(r.Customers),
	}
	if r.Refused() {
		stored.Refused = 1
	}
	var err error
	if stored.Sent, err = l.seal(r.Sent, stored.ID, "sent"); err != nil {
		return row{}, err
	}
	stored.Answered, err = l.seal(r.Answered, stored.ID, "answered")
	return stored, err
}

// plain is text as every engine can store it.
func plain(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
}

func numbers(ids []customer.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(int64(id), 10)
	}
	return strings.Join(texts, " ")
}

func (l *Log) seal(body, id, column string) (string, error) {
	if body == "" {
		return "", nil
	}
	return l.keys.Seal(body, place(id, column))
}

// opened returns a body as it was before it was sealed. One that was sealed under a key
// that is gone is gone as well.
func (l *Log) opened(sealed, id, column string) string {
	if sealed == "" {
		return ""
	}
	body, err := l.keys.Open(sealed, place(id, column))
	if err != nil {
		return ""
	}
	return body
}

func place(id, column string) string { return "request." + column + " " + id }

// request returns a row as it was before it was stored.
func (l *Log) request(r row) trace.Request {
	kept := trace.Request{
		ID: r.ID, Site: site.ID(r.Site), At: time.UnixMicro(r.At).UTC(), ClientID: r.ClientID, Operation: r.Operation, Method: r.Method, Path: r.Path,
		Query: r.Query, Credential: access.CredentialID(r.Credential), Claimed: access.CredentialID(r.Claimed), UnknownClient: r.Unknown,
		Status: int(r.Status), Code: fault.Code(r.Code), Took: time.Duration(r.Micros) * time.Microsecond, Bytes: r.Bytes, Peer: r.Peer, Agent: r.Agent, Deprecated: strings.Fields(r.Deprecated), OneIn: int(r.OneIn),
		Sent: l.opened(r.Sent, r.ID, "sent"), Answered: l.opened(r.Answered, r.ID, "answered"),
	}
	for _, text := range strings.Fields(r.Customers) {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			kept.Customers = append(kept.Customers, customer.ID(id))
		}
	}
	return kept
}

// Add implements port.Requests. All rows go in one statement.
func (l *Log) Add(ctx context.Context, added []trace.Request) error {
	if len(added) == 0 {
		return ctx.Err()
	}
	if err := l.makeDays(ctx, added); err != nil {
		return err
	}
	return l.update(ctx, func(tx *sql.Tx) error {
		forgotten, err := l.forgottenAmong(ctx, tx, added)
		if err != nil {
			return err
		}
		rows, about := make([]row, len(added)), []mention(nil)
		for i, r := range added {
			for _, c := range r.Customers {
				if forgotten[subject{int64(r.Site), int64(c)}] {
					r = r.WithoutBodies()
				}
				about = append(about, mention{int64(r.Site), int64(c), plain(r.ID), r.At.UnixMicro()})
			}
			if rows[i], err = l.rowOf(r); err != nil {
				return err
			}
		}
		if err := l.insert(ctx, tx, "request", columns, rows); err != nil || len(about) == 0 {
			return err
		}
		return l.insert(ctx, tx, "request_customer", []string{"site_id", "customer_id", "request_id", "at"}, about)
	})
}

// insert adds rows to a table, unless they are there.
func (l *Log) insert(ctx context.Context, on executor, table string, columns []string, rows any) error {
	document, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = l.exec(ctx, on, squirrel.Expr(
		"INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") "+l.dialect.Rows(table, columns)+" ON CONFLICT DO NOTHING", string(document)))
	return err
}

// Get implements port.Requests.
func (l *Log) Get(ctx context.Context, id string) (trace.Request, error) {
	read := make([]string, len(columns))
	for i, name := range columns {
		read[i] = bounded(name)
	}
	found, err := l.list(ctx, squirrel.Select(read...).From("request").Where("id = ?", plain(id)).Limit(1))
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("request: %w", fault.NotFound)
	}
	if err != nil {
		return trace.Request{}, err
	}
	return found[0], nil
}

// Find implements port.Requests.
func (l *Log) Find(ctx context.Context, f trace.Filter, after trace.Cursor, n int) ([]trace.Request, error) {
	narrow := make([]string, len(columns))
	for i, name := range columns {
		narrow[i] = bounded(name)
		switch name {
		case "query", "sent", "answered":
			narrow[i] = "''"
		}
	}
	b := squirrel.Select(narrow...).From("request").Where("site_id = ?", int64(f.Site)).
		OrderBy("at DESC", "id DESC").Limit(uint64(max(n, 0))) //nolint:gosec // it is not negative
	for condition, wanted := range map[string]string{"op = ?": f.Operation, "code = ?": string(f.Code)} {
		if wanted != "" {
			b = b.Where(condition, plain(wanted))
		}
	}
	switch by := plain(string(f.Credential)); {
	case by != "" && f.Site == 0:
		b = b.Where("(credential = ? OR claimed = ?)", by, by)
	case by != "":
		b = b.Where("credential = ?", by)
	}
	if f.SignIns {
		b = b.Where("site_id = 0 AND claimed <> '' AND status >= 400 AND status < 500")
	}
	if len(f.Claimed) > 0 {
		b = b.Where(squirrel.Eq{"claimed": f.Claimed})
	}
	switch {
	case f.Status >= 10:
		b = b.Where("status = ?", f.Status)
	case f.Status > 0:
		b = b.Where("status >= ? AND status < ?", f.Status*100, f.Status*100+100)
	}
	if !f.From.IsZero() {
		b = b.Where("at >= ?", f.From.UnixMicro())
	}
	if !f.Until.IsZero() {
		b = b.Where("at < ?", f.Until.UnixMicro())
	}
	if f.Deprecated {
		b = b.Where("deprecated <> ''")
	}
	if f.Customer != 0 {
		b = b.Where("id IN (SELECT request_id FROM request_customer WHERE site_id = ? AND customer_id = ?)", int64(f.Site), int64(f.Customer))
	}
	if after.ID != "" {
		b = b.Where("(at, id) < (?, ?)", after.At.UnixMicro(), plain(after.ID))
	}
	return l.list(ctx, b)
}

func (l *Log) list(ctx context.Context, b squirrel.Sqlizer) ([]trace.Request, error) {
	found, err := list(ctx, l, l.read, b, func(rows *sql.Rows) (trace.Request, error) {
		var r row
		err := rows.Scan(r.targets()...)
		return l.request(r), err
	})
	return found, l.explain(ctx, err)
}
