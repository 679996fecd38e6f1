package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Whoever may ask what is known of them, and that it be forgotten, is found by
// their id wherever they are.
func rightsExamples() []example {
	return []example{
		{"NoSearchFindsAnonymousCustomers", anonymousAreNotFound},
		{"CustomersWhoMentionAnotherAreFound", mentioningAreFound},
		{"ActionsConcernACustomer", actionsConcern},
		{"ActionsMoveToAnotherCustomer", actionsMove},
		{"ReceiptsOfACustomerAreForgotten", receiptsAreForgotten},
		{"WhatReceiversSaidIsForgotten", answersAreForgotten},
		{"NothingIsKeptAboutWhatIsRedacted", redactedIsNotKept},
	}
}

func anonymousAreNotFound(t *testing.T, w *world) {
	id := w.site(t)
	gone := sampleCustomer(id, 1)
	gone.Anonymized = instant(20)
	w.update(t, func(tx port.Tx) error {
		return errors.Join(tx.Customers().Put(gone), tx.Customers().Put(sampleCustomer(id, 2)))
	})
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Customers().Find(port.CustomerQuery{Site: id, Limit: 9, Filter: customer.Filter{Agencies: []site.AgencyID{1}}})
		same(t, "found", []customer.Customer{sampleCustomer(id, 2)}, found)
		kept, err2 := tx.Customers().Get(id, 1)
		same(t, "kept", gone, kept)
		return errors.Join(err, err2)
	})
}

func mentioningAreFound(t *testing.T, w *world) {
	id, elsewhere := w.site(t), w.site(t)
	naming := func(c customer.ID, notary customer.ID, related ...customer.ID) customer.Customer {
		made := customer.Customer{ID: c, Site: id}
		made.Notary.Customer = notary
		for _, r := range related {
			made.Related = append(made.Related, customer.RelatedContact{Relation: "AUTRE"}, customer.RelatedContact{Customer: r, Comment: `"Customer":9,`})
		}
		return made
	}
	customers := []customer.Customer{naming(1, 7), naming(2, 0, 8, 7), naming(3, 77, 70), naming(4, 0), naming(5, 9, 7)}
	w.update(t, func(tx port.Tx) error {
		if err := each(tx.Customers().Put, customers...); err != nil {
			return err
		}
		other := naming(6, 7)
		other.Site = elsewhere
		return tx.Customers().Put(other)
	})
	for mentioned, want := range map[customer.ID][]customer.Customer{
		7: {customers[0], customers[1], customers[4]}, 8: {customers[1]}, 9: {customers[4]}, 0: nil, 1: nil,
	} {
		w.view(t, func(tx port.Tx) error {
			found, err := tx.Customers().Mentioning(id, mentioned)
			same(t, fmt.Sprint("who mentions ", mentioned), want, found)
			return err
		})
	}
}

func actionsConcern(t *testing.T, w *world) {
	id := w.site(t)
	made := func(n customer.ActionID, about customer.ActionSubject, with customer.ID) customer.Action {
		a := sampleAction(id, n)
		a.Subject, a.Customer = about, with
		return a
	}
	person := customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: 5}
	log := []customer.Action{
		made(1, listing(1), 5), made(2, person, 0), made(3, listing(5), 6), made(4, listing(1), 5), made(5, listing(1), 0),
		made(6, customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: 6}, 0), made(7, listing(2), 5),
	}
	w.update(t, func(tx port.Tx) error { return each(tx.Actions().Append, log...) })
	of := func(c customer.ID) (found []customer.Action) {
		w.view(t, func(tx port.Tx) (err error) {
			found, err = tx.Actions().Page(port.ActionQuery{Site: id, Subject: customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(c)}, Limit: 9})
			return err
		})
		return found
	}
	same(t, "all of a customer", []customer.Action{log[6], log[3], log[1], log[0]}, of(5))
	w.update(t, func(tx port.Tx) error {
		about, err := tx.Actions().Forget(id, 5)
		slices.SortFunc(about, func(a, b customer.ActionSubject) int { return int(a.ID - b.ID) })
		same(t, "what they were about", []customer.ActionSubject{listing(1), listing(2), person}, about)
		return err
	})
	for _, a := range of(5) {
		want := log[a.ID-1]
		want.Result = ""
		same(t, "a forgotten action", want, a)
	}
	same(t, "actions of others", []customer.Action{log[5], log[2]}, of(6))
}

func actionsMove(t *testing.T, w *world) {
	id, elsewhere := w.site(t), w.site(t)
	made := func(of site.ID, n customer.ActionID, about customer.ActionSubject, with customer.ID) customer.Action {
		a := sampleAction(of, n)
		a.Subject, a.Customer, a.Added = about, with, instant(int(n))
		return a
	}
	person := func(c int64) customer.ActionSubject {
		return customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: c}
	}
	other := func(a customer.Action, change func(*customer.Action)) customer.Action { change(&a); return a }
	log := []customer.Action{
		made(id, 1, listing(5), 5), made(id, 2, person(5), 0), made(id, 3, person(5), 5), // those of the one who goes
		made(id, 4, person(6), 0), made(id, 5, listing(5), 7), made(elsewhere, 6, person(5), 0), // those of others
		made(id, 7, listing(1), 5), made(id, 8, listing(1), 6), // one that was written down twice
		other(made(id, 9, listing(1), 5), func(a *customer.Action) { a.Result = "another" }),
		other(made(id, 10, listing(1), 5), func(a *customer.Action) { a.Performed = instant(9) }),
		other(made(id, 11, person(5), 0), func(a *customer.Action) { a.Performed, a.Result = time.Time{}, "" }),
		other(made(id, 12, person(6), 0), func(a *customer.Action) { a.Performed, a.Result = time.Time{}, "" }),
	}
	w.update(t, func(tx port.Tx) error { return each(tx.Actions().Append, log...) })
	w.update(t, func(tx port.Tx) error {
		moved, doubles, err := tx.Actions().Move(id, 5, 6)
		same(t, "moved and doubled", []int{4, 3}, []int{moved, doubles})
		return err
	})
	log[0].Customer, log[2].Subject, log[2].Customer, log[8].Customer, log[9].Customer = 6, person(6), 6, 6, 6
	for _, c := range []struct {
		of    site.ID
		about customer.ActionSubject
		want  []customer.Action
	}{
		{id, person(5), nil},
		{id, person(6), []customer.Action{log[11], log[9], log[8], log[7], log[3], log[2], log[0]}},
		{id, person(7), []customer.Action{log[4]}},
		{id, listing(1), []customer.Action{log[9], log[8], log[7]}},
		{elsewhere, person(5), []customer.Action{log[5]}},
	} {
		w.view(t, func(tx port.Tx) error {
			found, err := tx.Actions().Page(port.ActionQuery{Site: c.of, Subject: c.about, Limit: 99})
			same(t, fmt.Sprint("actions about ", c.about), c.want, found)
			return err
		})
	}
}

func receiptsAreForgotten(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	about := func(s site.ID, key string, c customer.ID) port.Receipt {
		r := sampleReceipt(s, key)
		r.Customer = c
		return r
	}
	w.update(t, func(tx port.Tx) error {
		if err := each(tx.Receipts().Put, about(id, "a", 1), about(id, "b", 2), about(id, "c", 0), about(id, "d", 1), about(other, "a", 1)); err != nil {
			return err
		}
		return errors.Join(tx.Receipts().Forget(id, 1), tx.Receipts().Forget(id, 0))
	})
	w.view(t, func(tx port.Tx) error {
		var left []port.Receipt
		for _, of := range []site.ID{id, other} {
			for _, key := range []string{"a", "b", "c", "d"} {
				found, err := tx.Receipts().Get(receiptID(of, key))
				if err == nil {
					left = append(left, found)
				} else if !errors.Is(err, fault.NotFound) {
					return err
				}
			}
		}
		same(t, "what is left", []port.Receipt{about(id, "b", 2), about(id, "c", 0), about(other, "a", 1)}, left)
		return nil
	})
}

// said is a delivery whose receiver had something to say.
func said(s site.ID, id webhook.DeliveryID, about event.Type, resource int64) (webhook.Delivery, *webhook.Attempt) {
	d := plainDelivery(s, 5, id, int64(id), old(0))
	d.Type, d.Resource, d.Status, d.Number, d.Reason = about, resource, webhook.Rejected, 1, awkward
	attempt := sampleAttempt(1)
	return d, &attempt
}

func reject(s site.ID, kind string, resource int64) webhook.Rejection {
	j := sampleRejection(s, 5, resource)
	j.Kind = kind
	return j
}

func answersAreForgotten(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	kept := map[webhook.DeliveryID]bool{3: true, 5: true, 6: true, 7: true, 8: true}
	w.update(t, func(tx port.Tx) error {
		for n, about := range []struct {
			site     site.ID
			event    event.Type
			resource int64
		}{
			{id, event.CustomerCreate, 1}, {id, event.CustomerDelete, 2}, {id, event.CustomerUpdate, 3}, {id, event.ProductUpdate, 1},
			{id, event.ProductUpdate, 2}, {id, event.SearchUpdate, 1}, {other, event.ProductUpdate, 1}, {other, event.CustomerCreate, 1},
		} {
			d, attempt := said(about.site, webhook.DeliveryID(n+1), about.event, about.resource)
			if err := try(
				func() error { return tx.Deliveries().Add([]webhook.Delivery{d}) },
				func() error {
					return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: attempt}})
				},
				func() error { return tx.Rejections().Put(reject(d.Site, d.Type.Resource(), d.Resource)) },
			); err != nil {
				return err
			}
		}
		return nil
	})
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Deliveries().Forget(id, "CUSTOMER", []int64{2, 1}) },
			func() error { return tx.Deliveries().Forget(id, "PRODUCT", []int64{1}) },
			func() error { return tx.Deliveries().Forget(id, "PRODUCT", nil) },
			func() error { return tx.Rejections().Forget(id, "CUSTOMER", []int64{2, 1}) },
		)
	})
	w.view(t, func(tx port.Tx) error {
		all, err := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 5, Limit: 9})
		elsewhere, err3 := tx.Deliveries().List(port.DeliveryQuery{Site: other, Hook: 5, Limit: 9})
		if len(all) != 6 || len(elsewhere) != 2 {
			t.Errorf("%d deliveries, and %d of another site", len(all), len(elsewhere))
		}
		for _, d := range append(all, elsewhere...) {
			want, attempt := said(d.Site, d.ID, d.Type, d.Resource)
			if !kept[d.ID] {
				want.Reason, attempt.Excerpt = "", ""
			}
			same(t, "a delivery", want, d)
			attempts, err := tx.Deliveries().Attempts(d.Site, d.Hook, []webhook.DeliveryID{d.ID})
			same(t, "its attempts", map[webhook.DeliveryID][]webhook.Attempt{d.ID: {*attempt}}, attempts)
			if err != nil {
				return err
			}
		}
		rejections, err2 := tx.Rejections().Many(id, "CUSTOMER", []int64{1, 2, 3})
		forgotten := []webhook.Rejection{reject(id, "CUSTOMER", 1), reject(id, "CUSTOMER", 2), reject(id, "CUSTOMER", 3)}
		forgotten[0].Reason, forgotten[1].Reason = "", ""
		same(t, "the rejections", forgotten, rejections)
		return errors.Join(err, err2, err3)
	})
}

// settles stores that a receiver had something to say about a resource.
func settles(tx port.Tx, d webhook.Delivery, attempt *webhook.Attempt) error {
	return try(
		func() error {
			return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: attempt}})
		},
		func() error { return tx.Rejections().Put(reject(d.Site, d.Type.Resource(), d.Resource)) },
	)
}

// quiet demands that nothing is kept of what a receiver said.
func quiet(t *testing.T, w *world, d webhook.Delivery, want bool) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Deliveries().Get(d.Site, d.Hook, d.ID)
		attempts, err2 := tx.Deliveries().Attempts(d.Site, d.Hook, []webhook.DeliveryID{d.ID})
		rejections, err3 := tx.Rejections().Many(d.Site, d.Type.Resource(), []int64{d.Resource})
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		kept := []string{found.Reason, attempts[d.ID][0].Excerpt, rejections[0].Reason}
		if got := slices.Equal(kept, []string{"", "", ""}); got != want || found.Status != webhook.Rejected || attempts[d.ID][0].Error != awkward {
			t.Errorf("%s %d: of what the receiver said %q is kept", d.Type, d.Resource, kept)
		}
		return nil
	})
}

func redactedIsNotKept(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	redact := func() {
		w.update(t, func(tx port.Tx) error {
			return try(
				func() error { return tx.Deliveries().Redact(id, "LEAD", []int64{1, 2}) },
				func() error { return tx.Deliveries().Redact(id, "LEAD", nil) },
			)
		})
	}
	redact()
	redact()
	for n, about := range []struct {
		site     site.ID
		event    event.Type
		resource int64
		redacted bool
	}{
		{id, event.LeadCreate, 1, true}, {id, event.LeadUpdate, 2, true}, {id, event.LeadUpdate, 3, false},
		{id, event.SearchUpdate, 1, false}, {other, event.LeadUpdate, 1, false}, {id, event.ProductUpdate, 1, false},
	} {
		d, attempt := said(about.site, webhook.DeliveryID(n+1), about.event, about.resource)
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add([]webhook.Delivery{d}) })
		w.update(t, func(tx port.Tx) error { return settles(tx, d, attempt) })
		quiet(t, w, d, about.redacted)
	}
}

// nobodySlipsIn lets receivers answer while their resource is redacted and what they
// said is forgotten: in whatever order it happens, nothing is kept.
func nobodySlipsIn(t *testing.T, w *world) {
	id := w.site(t)
	for round := range rounds {
		d, attempt := said(id, webhook.DeliveryID(round+1), event.CustomerUpdate, int64(round+1))
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add([]webhook.Delivery{d}) })
		resource := []int64{d.Resource}
		together(t, 2, func(ctx context.Context, i int) error {
			return w.Update(ctx, func(tx port.Tx) error {
				if i == 0 {
					return settles(tx, d, attempt)
				}
				return try(
					func() error { return tx.Deliveries().Redact(id, "CUSTOMER", resource) },
					func() error { return tx.Deliveries().Forget(id, "CUSTOMER", resource) },
					func() error { return tx.Rejections().Forget(id, "CUSTOMER", resource) },
				)
			})
		})
		quiet(t, w, d, true)
	}
}
