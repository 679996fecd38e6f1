package porttest

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func sampleAction(s site.ID, id customer.ActionID) customer.Action {
	return customer.Action{
		ID: id, Site: s, Subject: customer.ActionSubject{Kind: customer.AimedAtProduct, ID: 1}, Type: 2, Child: 3, Label: awkward, User: 4, Customer: 5,
		Result: awkward + awkward, Credential: "client", Performed: instant(1), Added: instant(2),
	}
}

func listing(id int64) customer.ActionSubject {
	return customer.ActionSubject{Kind: customer.AimedAtProduct, ID: id}
}

func (p program) actionCommand() command {
	p.made.action++
	kind := draw(p, "kind", customer.AimedAtProduct, customer.AimedAtCustomer)
	made := draw(p, "of", customer.Action{Site: p.site}, sampleAction(p.site, 0))
	made.ID, made.Subject, made.Type = p.made.action, customer.ActionSubject{Kind: kind, ID: p.number("subject", 3)}, customer.ActionTypeID(p.number("type", 3)-1)
	made.Customer, made.Performed, made.Result = customer.ID(p.number("customer", 3)-1), instant(int(p.number("at", 3))), draw(p, "result", "said", awkward)
	types := draw(p, "types", nil, []customer.ActionTypeID{}, []customer.ActionTypeID{1}, []customer.ActionTypeID{0, 2})
	n, subjects, from, to, now := p.limit(), p.numbers("subjects", 3), customer.ID(p.number("from", 3)-1), customer.ID(p.number("to", 3)), instant(int(p.number("now", 3)))
	q := port.ActionQuery{Site: p.site, Subject: made.Subject, Types: types, Before: customer.ActionID(p.number("before", 20) - 1), Limit: n}
	add := writes("append", func(tx port.Tx) error { return tx.Actions().Append(made) })
	return p.pick(with{"made": made, "query": q, "subjects": subjects, "from": from, "to": to, "now": now}, []command{
		reads("page", func(tx port.Tx) ([]customer.Action, error) { return tx.Actions().Page(q) }),
		reads("latest", func(tx port.Tx) ([]customer.Action, error) {
			return tx.Actions().Latest(p.site, kind, subjects, types, n)
		}),
		reads("last contact", func(tx port.Tx) (time.Time, error) { return tx.Actions().LastContact(p.site, from, now) }),
		reads("tally", func(tx port.Tx) ([]customer.ActionTally, error) {
			return tx.Actions().Tally(p.site, kind, subjects, types, now)
		}),
	}, add, add, add,
		writes("append what another did too", func(tx port.Tx) error {
			about := customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(from)}
			found, err := tx.Actions().Page(port.ActionQuery{Site: p.site, Subject: about, Limit: 1})
			for _, a := range found {
				if a.ID = made.ID; a.Subject == about {
					a.Subject.ID = int64(to)
				} else {
					a.Customer = to
				}
				err = errors.Join(err, tx.Actions().Append(a))
			}
			return err
		}),
		reads("move", func(tx port.Tx) ([2]int, error) {
			moved, doubles, err := tx.Actions().Move(p.site, to%3+1, to)
			return [2]int{moved, doubles}, err
		}),
		reads("forget", func(tx port.Tx) ([]customer.ActionSubject, error) {
			about, err := tx.Actions().Forget(p.site, from)
			slices.SortFunc(about, func(a, b customer.ActionSubject) int {
				return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
			})
			return about, err
		}),
		reads("purge a product that somebody spoke about", func(tx port.Tx) ([]any, error) {
			said := made
			said.Subject, said.Customer = listing(made.Subject.ID), 0
			found, err := tx.Products().Get(p.site, product.ID(made.Subject.ID))
			if err != nil {
				return nil, err
			}
			found.Deleted = old(1)
			if err := errors.Join(tx.Actions().Append(said), tx.Products().Replace(found)); err != nil {
				return nil, err
			}
			purged, err := tx.Products().Purge(old(2), 1)
			holder, err2 := tx.Products().Holder(p.site, found.Agency, found.Reference)
			kept, err3 := tx.Products().Kept(p.site, []product.ID{found.ID})
			return []any{purged, holder, kept}, errors.Join(err, err2, err3)
		}),
		writes("forget about subjects", func(tx port.Tx) error { return tx.Actions().ForgetAbout(p.site, kind, subjects) }))
}
