package sqlstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

var actions = mapping[customer.Action]{
	table: "action",
	keys:  []string{"site_id", "id"},
	row: func(a *customer.Action) row {
		return row{
			{"site_id", whole(&a.Site)}, {"id", whole(&a.ID)}, {"subject_kind", text(&a.Subject.Kind)}, {"subject_id", whole(&a.Subject.ID)},
			{"type_id", whole(&a.Type)}, {"child_id", whole(&a.Child)}, {"label", text(&a.Label)}, {"user_id", whole(&a.User)},
			{"customer_id", whole(&a.Customer)}, {"result", text(&a.Result)}, {"credential_id", text(&a.Credential)},
			{"performed_at", instant(&a.Performed)}, {"added_at", instant(&a.Added)},
		}
	},
}

type actionRole struct{ tx *tx }

func (r actionRole) Append(a customer.Action) error {
	if _, ok := r.tx.beginPlan(a.Site); ok {
		_, err := planRecords(r.tx, r.tx.store.hot.actionAdding, actions, a)
		return err
	}
	_, err := write(r.tx, actions, r.tx.store.hot.actionAdd, a)
	return err
}

const (
	aboutSubject = "site_id = ? AND subject_kind = ? AND subject_id = ?"
	// withCustomer has a redundant condition, so that the index is used.
	withCustomer = "site_id = ? AND customer_id <> 0 AND customer_id = ? AND NOT (subject_kind = ? AND subject_id = customer_id)"
)

// Page reads what was done about a customer and what was done with them apart:
// either is a short walk along an index.
func (r actionRole) Page(q port.ActionQuery) ([]customer.Action, error) {
	found, err := r.page(q, aboutSubject, int64(q.Site), string(q.Subject.Kind), q.Subject.ID)
	if err != nil || q.Subject.Kind != customer.AimedAtCustomer {
		return found, err
	}
	with, err := r.page(q, withCustomer, int64(q.Site), q.Subject.ID, string(customer.AimedAtCustomer))
	found = append(found, with...)
	slices.SortFunc(found, func(a, b customer.Action) int { return cmp.Compare(b.ID, a.ID) })
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r actionRole) page(q port.ActionQuery, of string, args ...any) ([]customer.Action, error) {
	b := actions.find(of)
	if q.Types != nil {
		b, args = b.Where("type_id "+r.tx.store.dialect.Among), append(args, r.tx.store.dialect.Numbers(plain(q.Types)))
	}
	if q.Before != 0 {
		b, args = b.Where("id < ?"), append(args, int64(q.Before))
	}
	return list(r.tx, actions, r.tx.store.text(b.OrderBy("id DESC").Suffix("LIMIT ?")), append(args, max(q.Limit, 0))...)
}

// performed is when an action took place.
var performed = mapping[time.Time]{
	table: actions.table,
	row:   func(at *time.Time) row { return row{{"MAX(performed_at)", instant(at)}} },
}

func (r actionRole) LastContact(id site.ID, of customer.ID, now time.Time) (last time.Time, err error) {
	const done = " AND type_id <> 0 AND performed_at <= ?"
	about, err := one(r.tx, performed, r.tx.store.text(performed.find(aboutSubject+done)), int64(id), string(customer.AimedAtCustomer), int64(of), micros(now))
	if err != nil {
		return last, err
	}
	with, err := one(r.tx, performed, r.tx.store.text(performed.find(withCustomer+done)), int64(id), int64(of), string(customer.AimedAtCustomer), micros(now))
	if about.After(with) {
		return about, err
	}
	return with, err
}

// Latest numbers the actions of each subject from the latest on, so that one
// statement serves a whole page of products.
func (r actionRole) Latest(id site.ID, k customer.ActionKind, subjects []int64, types []customer.ActionTypeID, n int) ([]customer.Action, error) {
	names := actions.row(new(customer.Action)).names()
	placed := squirrel.Select(append(names, "ROW_NUMBER() OVER (PARTITION BY subject_id ORDER BY id DESC) AS place")...).
		From(actions.table).Where("site_id = ? AND subject_kind = ? AND subject_id " + r.tx.store.dialect.Among)
	args := []any{int64(id), string(k), r.tx.store.dialect.Numbers(plain(subjects))}
	if types != nil {
		placed, args = placed.Where("type_id "+r.tx.store.dialect.Among), append(args, r.tx.store.dialect.Numbers(plain(types)))
	}
	b := squirrel.Select(names...).FromSelect(placed, "placed").Where("place <= ?").OrderBy("subject_id", "id DESC")
	return list(r.tx, actions, r.tx.store.text(b), append(args, max(n, 0))...)
}

// tallies are read off actions.
var tallies = mapping[customer.ActionTally]{
	table: actions.table,
	row: func(t *customer.ActionTally) row {
		return row{
			{"subject_id", whole(&t.Subject)}, {"customers", whole(&t.Customers)},
			{"visits_done", whole(&t.VisitsDone)}, {"visits_planned", whole(&t.VisitsPlanned)},
		}
	},
}

func (r actionRole) Tally(id site.ID, k customer.ActionKind, subjects []int64, visits []customer.ActionTypeID, now time.Time) ([]customer.ActionTally, error) {
	visit := "COUNT(CASE WHEN type_id " + r.tx.store.dialect.Among + " AND performed_at "
	b := squirrel.Select("subject_id", "COUNT(DISTINCT NULLIF(customer_id, 0))", visit+"< ? THEN 1 END)", visit+">= ? THEN 1 END)").
		From(tallies.table).Where("site_id = ? AND subject_kind = ? AND subject_id " + r.tx.store.dialect.Among).
		GroupBy("subject_id").OrderBy("subject_id")
	types := r.tx.store.dialect.Numbers(plain(visits))
	return list(r.tx, tallies, r.tx.store.text(b), types, micros(now), types, micros(now), int64(id), string(k), r.tx.store.dialect.Numbers(plain(subjects)))
}

// Move compares the actions of the one, as they will be, with those of the other.
func (r actionRole) Move(of site.ID, from, to customer.ID) (moved, doubles int, err error) {
	if err := r.tx.writing(); err != nil {
		return 0, 0, err
	}
	const (
		theirs  = "site_id = $1 AND (subject_kind = 'customer' AND subject_id = $2 OR customer_id = $2)"
		subject = "CASE WHEN subject_kind = 'customer' AND subject_id = $2 THEN $3 ELSE subject_id END"
		with    = "CASE WHEN customer_id = $2 THEN $3 ELSE customer_id END"
		said    = ", subject_kind, type_id, child_id, label, user_id, result, COALESCE(performed_at, -1)"
	)
	gone, err := r.tx.exec("DELETE FROM action WHERE "+theirs+" AND ("+subject+", "+with+said+") IN (SELECT subject_id, customer_id"+said+
		" FROM action WHERE site_id = $1 AND (subject_kind = 'customer' AND subject_id = $3 OR customer_id = $3))", int64(of), int64(from), int64(to))
	if err != nil {
		return 0, 0, err
	}
	kept, err := r.tx.exec("UPDATE action SET subject_id = "+subject+", customer_id = "+with+" WHERE "+theirs, int64(of), int64(from), int64(to))
	return int(kept), int(gone), err
}

// concerning is aboutSubject or withCustomer of a customer.
const concerning = "site_id = ? AND (subject_kind = 'customer' AND subject_id = ? OR customer_id = ? AND customer_id <> 0)"

// actionSubjects are what actions are about.
var actionSubjects = mapping[customer.ActionSubject]{
	table: actions.table,
	row: func(s *customer.ActionSubject) row {
		return row{{"subject_kind", text(&s.Kind)}, {"subject_id", whole(&s.ID)}}
	},
}

func (r actionRole) Forget(id site.ID, c customer.ID) ([]customer.ActionSubject, error) {
	if err := r.tx.writing(); err != nil {
		return nil, err
	}
	b := squirrel.Update(actions.table).Set("result", "").Where(concerning).Suffix("RETURNING subject_kind, subject_id")
	about, err := list(r.tx, actionSubjects, r.tx.store.text(b), "", int64(id), int64(c), int64(c))
	slices.SortFunc(about, func(a, b customer.ActionSubject) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
	return slices.Compact(about), err
}

func (r actionRole) ForgetAbout(id site.ID, k customer.ActionKind, subjects []int64) error {
	b := squirrel.Update(actions.table).Set("result", squirrel.Expr("''")).
		Where("site_id = ? AND subject_kind = ? AND customer_id = 0 AND subject_id " + r.tx.store.dialect.Among)
	_, err := r.tx.exec(r.tx.store.text(b), int64(id), string(k), r.tx.store.dialect.Numbers(subjects))
	return err
}
