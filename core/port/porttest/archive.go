package porttest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func archiveExamples() []example {
	all := []example{
		{"ARestoredLedgerGoesOn", restoredLedger},
		{"ASiteHasOneLedger", oneLedger},
		{"RestoredProductsAreProducts", restoredProducts},
		{"RestoredClaimsAndCountersGoOn", restoredClaims},
		{"RestoredBusyTimeIsBusyTime", restoredBusyTime},
		{"RestoredTokensAreTokens", restoredTokens},
		{"RestoredDeliveriesAreDue", restoredDeliveries},
		{"RestoredRedactionsHold", restoredRedactions},
		{"RestoredActionsAreActions", restoredActions},
		{"WhatOtherRolesWriteIsListed", writtenIsListed},
		{"TheLastIDIsTold", lastID},
	}
	for _, k := range archivedKinds() {
		all = append(all, k.examples()...)
	}
	return all
}

// archivedKinder is a kind of record, whatever its type.
type archivedKinder interface {
	examples() []example
	list(port.Archive, site.ID) (any, error)
}

// everythingArchived are the records of all kinds, in pages of two.
func everythingArchived(tx port.Tx, id site.ID) (all []any, err error) {
	for _, k := range archivedKinds() {
		records, err := k.list(tx.Archive(), id)
		if entries, ok := records.([]port.LogEntry); ok {
			for i := range entries {
				entries[i].ID = 0 // each store draws its own
			}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, records)
	}
	return all, nil
}

// archivedKinds are the kinds of port.Archive of which a site has many.
func archivedKinds() []archivedKinder {
	return []archivedKinder{
		archivedKind[event.Event]{"Events", func(a port.Archive) port.Records[event.Event] { return a.Events }, func(s site.ID, n int64) event.Event {
			return event.Event{Site: s, Seq: n, Type: event.ProductUpdate, Resource: 1 << 40, Agency: 2, At: instant(int(n)), Changed: "Prix"}
		}},
		archivedKind[access.Family]{"Families", func(a port.Archive) port.Records[access.Family] { return a.Families }, func(s site.ID, n int64) access.Family {
			return access.Family{ID: familyID(s, n), Credential: "c", Site: s, Started: instant(1), Revoked: true}
		}},
		archivedKind[access.Token]{"Tokens", func(a port.Archive) port.Records[access.Token] { return a.Tokens }, func(s site.ID, n int64) access.Token {
			// Two of a family each; what sorts before in one sorts behind in the other.
			return tokenOf(s, familyID(s, n/2), fmt.Sprintf("%x-%d", 9-n/2, n), instant(9))
		}},
		archivedKind[port.StoredProduct]{"Products", func(a port.Archive) port.Records[port.StoredProduct] { return a.Products }, func(s site.ID, n int64) port.StoredProduct {
			p := port.StoredProduct{Product: sampleProduct(s, product.ID(n)), Purged: n == 4}
			if n%2 == 0 {
				p.Deleted = instant(30)
			}
			return p
		}},
		archivedKind[port.ReferenceCounter]{
			"Counters", func(a port.Archive) port.Records[port.ReferenceCounter] { return a.Counters },
			func(s site.ID, n int64) port.ReferenceCounter {
				return port.ReferenceCounter{Site: s, Agency: site.AgencyID(n), Last: 100 - n}
			},
		},
		archivedKind[port.DealNumber]{
			"DealNumbers", func(a port.Archive) port.Records[port.DealNumber] { return a.DealNumbers },
			func(s site.ID, n int64) port.DealNumber {
				kinds := slices.Sorted(slices.Values(deal.Kinds()))
				return port.DealNumber{Site: s, Agency: site.AgencyID((n + 2) / 3), Kind: kinds[(n-1)%3], Last: 100 - n}
			},
		},
		archivedKind[slot.Imported]{
			"ImportedBusyTimes", func(a port.Archive) port.Records[slot.Imported] { return a.ImportedBusy },
			func(s site.ID, n int64) slot.Imported {
				return sampleImported(s, site.UserID((n+3)/4), []slot.Source{"A", "_", "a-c", "aa", "-"}[n-1])
			},
		},
		archivedKind[port.LeadClaim]{"Claims", func(a port.Archive) port.Records[port.LeadClaim] { return a.Claims }, func(s site.ID, n int64) port.LeadClaim {
			// Words that dictionaries sort in another way than bytes.
			return port.LeadClaim{Site: s, Key: []string{"A", "Z", "_", "a", "é"}[n-1], Claim: demand.Claim{Lead: demand.LeadID(n), At: instant(int(n))}}
		}},
		archivedKind[customer.Action]{"Actions", func(a port.Archive) port.Records[customer.Action] { return a.Actions }, func(s site.ID, n int64) customer.Action {
			a := sampleAction(s, customer.ActionID(n))
			a.Subject.ID = 100 - n
			return a
		}},
		archivedKind[webhook.Delivery]{"Deliveries", func(a port.Archive) port.Records[webhook.Delivery] { return a.Deliveries }, func(s site.ID, n int64) webhook.Delivery {
			d := sampleDelivery(s, webhook.ID(n/2), webhook.DeliveryID(100+n%2*10-n))
			d.Status, d.Number = webhook.Status(n), int(n)
			return d
		}},
		archivedKind[port.DeliveryAttempt]{
			"Attempts", func(a port.Archive) port.Records[port.DeliveryAttempt] { return a.Attempts },
			func(s site.ID, n int64) port.DeliveryAttempt {
				return port.DeliveryAttempt{Site: s, Delivery: webhook.DeliveryID(n / 2), Attempt: sampleAttempt(int(n))}
			},
		},
		archivedKind[webhook.Rejection]{"Rejections", func(a port.Archive) port.Records[webhook.Rejection] { return a.Rejections }, func(s site.ID, n int64) webhook.Rejection {
			j := sampleRejection(s, webhook.ID(n), n/2)
			j.Kind = []string{"CUSTOMER", "PRODUCT", "PRODUCT", "PRODUCTS", "lead"}[n-1]
			return j
		}},
		archivedKind[port.Redaction]{"Redactions", func(a port.Archive) port.Records[port.Redaction] { return a.Redactions }, func(s site.ID, n int64) port.Redaction {
			return port.Redaction{Site: s, Kind: []string{"CUSTOMER", "LEAD", "LEAD", "LEADS", "lead"}[n-1], Resource: n}
		}},
		archivedKind[port.LogEntry]{"LogEntries", func(a port.Archive) port.Records[port.LogEntry] { return a.Log }, func(s site.ID, n int64) port.LogEntry {
			e := sampleEntry(s, int(n))
			e.ID = int64(s)*1000 + n
			return e
		}},
	}
}

func familyID(s site.ID, n int64) access.FamilyID { return access.FamilyID(int64(s)*1000 + n) }

// tokenOf is a token whose hash only this site has.
func tokenOf(s site.ID, family access.FamilyID, hash string, expires time.Time) access.Token {
	k := sampleToken(access.Hash(fmt.Sprint(hash, " of ", s)), family, expires)
	k.Site = s
	return k
}

// archivedKind is a kind of record, with five samples in the order of their keys,
// counted from 1.
type archivedKind[T any] struct {
	name    string
	records func(port.Archive) port.Records[T]
	sample  func(site.ID, int64) T
}

func (k archivedKind[T]) examples() []example {
	return []example{
		{"Archived" + k.name + "ComeBackInOrder", k.comeBack},
		{"NoKeyOf" + k.name + "IsTakenTwice", k.taken},
	}
}

func (k archivedKind[T]) samples(s site.ID, numbers ...int64) []T {
	var all []T
	for _, n := range numbers {
		all = append(all, k.sample(s, n))
	}
	return all
}

func (k archivedKind[T]) list(a port.Archive, id site.ID) (any, error) {
	var found []T
	from := k.records(a)
	for page, err := from.After(id, nil, 2); ; page, err = from.After(id, &page[len(page)-1], 2) {
		if found = append(found, page...); err != nil || len(page) == 0 {
			return found, err
		}
	}
}

func (k archivedKind[T]) comeBack(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		into := k.records(tx.Archive())
		return try(
			func() error { return into.Restore(nil) },
			func() error { return into.Restore(k.samples(other, 2, 3)) },
			func() error { return into.Restore(k.samples(id, 4, 1)) },
			func() error { return into.Restore(k.samples(id, 5, 2, 3)) },
		)
	})
	w.view(t, func(tx port.Tx) error {
		from := k.records(tx.Archive())
		found, err := k.list(tx.Archive(), id)
		same(t, "page by page", k.samples(id, 1, 2, 3, 4, 5), found)
		page, err2 := from.After(id, nil, 3)
		same(t, "a page of three", k.samples(id, 1, 2, 3), page)
		none, err3 := from.After(id, nil, 0)
		absent, err4 := from.After(-1, nil, 9)
		if len(none)+len(absent) > 0 {
			t.Errorf("%v, %v", none, absent)
		}
		if err := from.Restore(k.samples(id, 1)); err == nil {
			t.Error("a view restores")
		}
		return errors.Join(err, err2, err3, err4)
	})
}

func (k archivedKind[T]) taken(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return k.records(tx.Archive()).Restore(k.samples(id, 2)) })
	err := w.Update(t.Context(), func(tx port.Tx) error {
		if err := k.records(tx.Archive()).Restore(k.samples(id, 1, 2, 3)); !errors.Is(err, port.ErrTaken) {
			t.Errorf("a key that is taken: %v", err)
		}
		return nil
	})
	if !errors.Is(err, port.ErrTaken) {
		t.Errorf("the unit ends with %v", err)
	}
	w.view(t, func(tx port.Tx) error {
		found, err := k.records(tx.Archive()).After(id, nil, 9)
		same(t, "kept", k.samples(id, 2), found)
		return err
	})
}

func restoredLedger(t *testing.T, w *world) {
	id := site.ID(w.id())
	state := port.LedgerState{Site: id, Seq: 41, Settings: 7, Access: 8, Rejections: 9, Last: instant(50)}
	at := event.Event{Site: id, Seq: 41, Type: event.ProductCreate, Resource: 1, Agency: 2, At: instant(50)}
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Archive().Ledgers.Restore([]port.LedgerState{state}) },
			func() error { return tx.Sites().Put(sampleSite(id)) },
			func() error { return tx.Archive().Events.Restore([]event.Event{at}) },
		)
	})
	same(t, "the head", port.Head{Seq: 41, Settings: 7, Access: 8, Rejections: 9}, w.head(t, id))
	w.update(t, func(tx port.Tx) error {
		last, err := tx.Ledger().Append(id, instant(1), []event.Event{{Type: event.ProductUpdate, Resource: 1}})
		if last.Seq != 42 || !last.At.Equal(instant(50)) {
			t.Errorf("the next event is %+v", last)
		}
		return err
	})
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Archive().Ledgers.After(id, nil, 9)
		state.Seq++
		same(t, "the ledger", []port.LedgerState{state}, found)
		return err
	})
}

func oneLedger(t *testing.T, w *world) {
	id := w.site(t)
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Archive().Ledgers.After(id, nil, 9)
		same(t, "a new ledger", []port.LedgerState{{Site: id}}, found)
		more, err2 := tx.Archive().Ledgers.After(id, &found[0], 9)
		if len(more) > 0 {
			t.Errorf("another ledger: %+v", more)
		}
		return errors.Join(err, err2)
	})
	if err := w.Update(t.Context(), func(tx port.Tx) error {
		_ = tx.Archive().Ledgers.Restore([]port.LedgerState{{Site: id}})
		return nil
	}); !errors.Is(err, port.ErrTaken) {
		t.Errorf("a ledger that is there: %v", err)
	}
}

func restoredProducts(t *testing.T, w *world) {
	id := w.site(t)
	living, gone := sampleProduct(id, 1), sampleProduct(id, 2)
	gone.Deleted = instant(30)
	purged := sampleProduct(id, 4)
	purged.Deleted = instant(30)
	w.update(t, func(tx port.Tx) error {
		return tx.Archive().Products.Restore([]port.StoredProduct{{Product: living}, {Product: gone}, {Product: purged, Purged: true}})
	})
	w.update(t, func(tx port.Tx) error {
		found, err := tx.Products().Get(id, 1)
		same(t, "the living one", living, found)
		if _, err := tx.Products().Get(id, 2); !errors.Is(err, fault.NotFound) {
			t.Errorf("the deleted one: %v", err)
		}
		kept, err3 := tx.Products().Deleted(id, 2)
		same(t, "the deleted one", gone, kept)
		if _, err := tx.Products().Deleted(id, 4); !errors.Is(err, fault.NotFound) {
			t.Errorf("the purged one: %v", err)
		}
		holder, err2 := tx.Products().Holder(id, gone.Agency, gone.Reference)
		if holder != 2 {
			t.Errorf("the reference of the deleted one is that of %d", holder)
		}
		again := sampleProduct(id, 3)
		again.Reference = gone.Reference
		if err := tx.Products().Add(again); !errors.Is(err, port.ErrReferenceTaken) {
			t.Errorf("the reference of a deleted one: %v", err)
		}
		return errors.Join(err, err2, err3)
	})
}

func restoredClaims(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		return errors.Join(
			tx.Archive().Claims.Restore([]port.LeadClaim{{Site: id, Key: "key", Claim: demand.Claim{Lead: 7, At: instant(5)}}}),
			tx.Archive().Counters.Restore([]port.ReferenceCounter{{Site: id, Agency: 1, Last: 41}}),
			tx.Archive().DealNumbers.Restore([]port.DealNumber{{Site: id, Agency: 1, Kind: deal.Agreements, Last: 51}}),
		)
	})
	w.update(t, func(tx port.Tx) error {
		holder, err := tx.Leads().Claim(id, []string{"key"}, 8, instant(6), instant(5))
		next, err2 := tx.References().Next(id, 1)
		number, err3 := tx.DealNumbers().Next(id, 1, deal.Agreements)
		if holder != 7 || next != 42 || number != 52 {
			t.Errorf("lead %d, number %d, number of an agreement %d", holder, next, number)
		}
		return errors.Join(err, err2, err3)
	})
}

func restoredBusyTime(t *testing.T, w *world) {
	id := w.site(t)
	imported := sampleImported(id, 1, source)
	w.update(t, func(tx port.Tx) error { return tx.Archive().ImportedBusy.Restore([]slot.Imported{imported}) })
	w.view(t, func(tx port.Tx) error {
		found, err := tx.ImportedBusy().Get(id, 1, source)
		same(t, "the record", imported, found)
		of, err2 := tx.ImportedBusy().Of(id, []site.UserID{1})
		same(t, "of its user", []slot.Imported{imported}, of)
		return errors.Join(err, err2)
	})
	w.update(t, func(tx port.Tx) error { return tx.ImportedBusy().Delete(id, 1, source) })
}

func restoredTokens(t *testing.T, w *world) {
	id := w.site(t)
	family := access.Family{ID: familyID(id, 1), Site: id, Credential: "c"}
	token := tokenOf(id, family.ID, "hash", instant(9))
	w.update(t, func(tx port.Tx) error {
		return errors.Join(
			tx.Archive().Families.Restore([]access.Family{family}),
			tx.Archive().Tokens.Restore([]access.Token{token}),
		)
	})
	w.view(t, func(tx port.Tx) error {
		f, err := tx.Tokens().Family(family.ID)
		k, err2 := tx.Tokens().Get(token.Hash)
		same(t, "the family", family, f)
		same(t, "the token", token, k)
		return errors.Join(err, err2)
	})
}

func restoredDeliveries(t *testing.T, w *world) {
	id := w.site(t)
	pending, over := plainDelivery(id, 1, 11, 1, old(5)), plainDelivery(id, 2, 12, 2, old(5))
	over.Status = webhook.Succeeded
	w.update(t, func(tx port.Tx) error { return tx.Archive().Deliveries.Restore([]webhook.Delivery{pending, over}) })
	w.update(t, func(tx port.Tx) error {
		found, err := tx.Deliveries().Pending(id, 1, 9)
		same(t, "pending", []webhook.Delivery{pending}, found)
		var taken []webhook.Lease
		leases, err2 := tx.Leases().Take("me", old(5), old(9), 1000)
		for _, l := range leases {
			if l.Site == id {
				taken = append(taken, l)
			}
		}
		if len(taken) != 1 || taken[0].Hook != 1 {
			t.Errorf("due are %+v", taken)
		}
		// No other example is to find it.
		return errors.Join(err, err2, tx.Deliveries().Cancel(id, 1, ""), tx.Webhooks().Delete(id, 1))
	})
}

func restoredRedactions(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		return errors.Join(
			tx.Archive().Redactions.Restore([]port.Redaction{{Site: id, Kind: "CUSTOMER", Resource: 1}}),
			tx.Rejections().Put(webhook.Rejection{Site: id, Hook: 1, Kind: "CUSTOMER", Resource: 1, Reason: "said", At: instant(1)}),
		)
	})
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Rejections().Many(id, "CUSTOMER", []int64{1})
		if len(found) != 1 || found[0].Reason != "" {
			t.Errorf("kept %+v", found)
		}
		return err
	})
}

func restoredActions(t *testing.T, w *world) {
	id := w.site(t)
	made := sampleAction(id, 3)
	w.update(t, func(tx port.Tx) error { return tx.Archive().Actions.Restore([]customer.Action{made}) })
	w.view(t, func(tx port.Tx) error {
		about, err := tx.Actions().Page(port.ActionQuery{Site: id, Subject: made.Subject, Limit: 9})
		same(t, "about its subject", []customer.Action{made}, about)
		with, err2 := tx.Actions().Page(port.ActionQuery{Site: id, Subject: customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(made.Customer)}, Limit: 9})
		same(t, "with its customer", []customer.Action{made}, with)
		return errors.Join(err, err2)
	})
}

// writtenIsListed: an archive lists what the other roles wrote.
func writtenIsListed(t *testing.T, w *world) {
	id := w.site(t)
	family := access.Family{ID: familyID(id, 1), Site: id}
	token := tokenOf(id, family.ID, "hash", instant(9))
	living, gone := sampleProduct(id, 1), sampleProduct(id, 2)
	delivery := plainDelivery(id, 1, 11, 1, old(5))
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Tokens().PutFamily(family) },
			func() error { return tx.Tokens().Put(token) },
			func() error { return each(tx.Products().Add, living, gone) },
			func() error { gone.Deleted = instant(30); return tx.Products().Replace(gone) },
			func() error { return tx.References().Raise(id, 1, 10) },
			func() error { _, err := tx.DealNumbers().Next(id, 1, deal.Leases); return err },
			func() error {
				return each(tx.ImportedBusy().Put, sampleImported(id, 2, source), sampleImported(id, 1, source))
			},
			func() error { _, err := tx.Leads().Claim(id, []string{"key"}, 1, instant(1), instant(0)); return err },
			func() error { return tx.Actions().Append(sampleAction(id, 1)) },
			func() error { return tx.Deliveries().Add([]webhook.Delivery{delivery}) },
			func() error {
				delivery.Status, delivery.Number = webhook.Succeeded, 1
				attempt := sampleAttempt(1)
				return tx.Deliveries().Settle([]webhook.Settled{{Delivery: delivery, Attempt: &attempt}})
			},
			func() error { return tx.Webhooks().Delete(id, 1) }, // its lease
			func() error { return tx.Rejections().Put(sampleRejection(id, 1, 1)) },
			func() error { return tx.Deliveries().Redact(id, "CUSTOMER", []int64{5}) },
			func() error { return tx.Log().Append(sampleEntry(id, 1)) },
			func() error { return appends(tx, id, 2) },
		)
	})
	w.view(t, func(tx port.Tx) error {
		a := tx.Archive()
		logged, err := tx.Log().After(id, 0, 9)
		happened, err2 := tx.Ledger().After(id, 0, 9)
		return errors.Join(err, err2,
			lists(t, a.Families, id, family), lists(t, a.Tokens, id, token), lists(t, a.Products, id, port.StoredProduct{Product: living}, port.StoredProduct{Product: gone}),
			lists(t, a.Counters, id, port.ReferenceCounter{Site: id, Agency: 1, Last: 10}),
			lists(t, a.DealNumbers, id, port.DealNumber{Site: id, Agency: 1, Kind: deal.Leases, Last: 1}),
			lists(t, a.ImportedBusy, id, sampleImported(id, 1, source), sampleImported(id, 2, source)),
			lists(t, a.Claims, id, port.LeadClaim{Site: id, Key: "key", Claim: demand.Claim{Lead: 1, At: instant(1)}}),
			lists(t, a.Actions, id, sampleAction(id, 1)), lists(t, a.Deliveries, id, delivery),
			lists(t, a.Attempts, id, port.DeliveryAttempt{Site: id, Delivery: 11, Attempt: sampleAttempt(1)}),
			lists(t, a.Rejections, id, sampleRejection(id, 1, 1)),
			lists(t, a.Redactions, id, port.Redaction{Site: id, Kind: "CUSTOMER", Resource: 5}),
			lists(t, a.Log, id, logged...), lists(t, a.Events, id, happened...))
	})
}

// lists holds the records of a site against what they must be.
func lists[T any](t *testing.T, records port.Records[T], id site.ID, want ...T) error {
	t.Helper()
	found, err := records.After(id, nil, 9)
	same(t, fmt.Sprintf("%T", want), want, found)
	return err
}

func lastID(t *testing.T, w *world) {
	for s := range port.Sequences {
		var drawn []int64
		if err := w.Update(t.Context(), func(tx port.Tx) (err error) {
			drawn, err = tx.NextIDs(s, 3)
			return errors.Join(err, errAborted)
		}); !errors.Is(err, errAborted) {
			t.Fatal(err)
		}
		atLeast := func(least int64) {
			w.view(t, func(tx port.Tx) error {
				last, err := tx.LastID(s)
				if last < least {
					t.Errorf("sequence %d: %d was drawn, and the last is %d", s, least, last)
				}
				return err
			})
		}
		atLeast(drawn[2])
		w.update(t, func(tx port.Tx) error { return tx.ReserveID(s, drawn[2]+1000) })
		atLeast(drawn[2] + 1000)
		w.update(t, func(tx port.Tx) error {
			next, err := tx.NextIDs(s, 1)
			last, err2 := tx.LastID(s)
			if err == nil && last < next[0] {
				t.Errorf("sequence %d: %d is drawn, and the last is %d", s, next[0], last)
			}
			return errors.Join(err, err2)
		})
	}
}
