package porttest

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// FillSite puts a site into a store that has something of everything a store can
// keep, awkward texts and deleted records among it.
func FillSite(t testing.TB, s port.Store, id site.ID) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx port.Tx) error { return fillSite(tx, id) }); err != nil {
		t.Fatal(err)
	}
}

func fillSite(tx port.Tx, id site.ID) error {
	if err := tx.Sites().Put(sampleSite(id)); err != nil {
		return err
	}
	for _, e := range entities() {
		seed := e.seed
		if k, is := e.(recordKind); is && k.kind != nil && !port.IsOfSites(k.kind) {
			continue
		} else if is && k.lowest(id) > 0 {
			seed = func(tx port.Tx, s site.ID) error { return k.in(tx).Put(k.sample(s, k.lowest(s)+1)) }
		}
		if err := seed(tx, id); err != nil {
			return err
		}
	}
	anonymous, gone, purged := sampleOf[customer.Customer]("customer", id, 9), sampleProduct(id, 2), sampleProduct(id, 4)
	anonymous.Anonymized, gone.Deleted, purged.Deleted = instant(40), instant(41), old(1)
	due := sampleOf[operator.ImportSource]("import_source", id, 9)
	due.Settings.Paused = false
	target := sampleOf[operator.PublicationTarget]("publication_target", id, 9)
	target.Settings.Paused = false
	client := sampleCredential(access.CredentialID(fmt.Sprint("client of ", id)))
	client.Sites = []site.ID{id}
	family := access.Family{ID: familyID(id, 1), Credential: client.ID, Site: id, Started: instant(1), Revoked: true}
	delivery, attempt := sampleDelivery(id, 2, 1), sampleAttempt(5)
	first := []webhook.Delivery{plainDelivery(id, 2, 3, 1, instant(3)), plainDelivery(id, 2, 4, 2, instant(3))}
	if err := try(
		func() error { return tx.Customers().Put(anonymous) },
		func() error { return tx.ImportSources().Put(due) },
		func() error { return tx.PublicationTargets().Put(target) },
		func() error { return tx.Credentials().Put(client) },
		func() error { return tx.Credentials().Used(access.Use{Credential: client.ID, Key: 1, At: instant(1)}) },
		func() error { return tx.Tokens().PutFamily(family) },
		func() error { return tx.Tokens().Put(tokenOf(id, family.ID, "a", instant(9))) },
		func() error { return tx.Tokens().Put(tokenOf(id, family.ID, "b", instant(9))) },
		func() error { return each(tx.Products().Add, sampleProduct(id, 1), gone, purged, plainProduct(id, 3)) },
		func() error { _, err := tx.Products().Purge(old(2), 1); return err },
		func() error { return tx.RaiseReference(id, 1, 41) },
		func() error { _, err := tx.NextDeal(id, 1, deal.Offers); return err },
		func() error {
			_, err := tx.Claims().Claim(id, []string{"a digest"}, 1, instant(1), instant(0))
			return err
		},
		func() error { return each(tx.Actions().Append, sampleAction(id, 1), sampleAction(id, 2)) },
		func() error { return tx.Calendars().Hold(id, []site.UserID{2, 1}) },
		func() error {
			return tx.Deliveries().Add(append(first, delivery, plainDelivery(id, 1, 2, 1, instant(3))))
		},
		func() error {
			return tx.Deliveries().Settle([]webhook.Settled{{Delivery: delivery, Attempt: &attempt}, accepted(first[0]), accepted(first[1])})
		},
		func() error { return tx.Rejections().Put(sampleRejection(id, 1, 1)) },
		func() error { return tx.Deliveries().Redact(id, "CUSTOMER", []int64{9}) },
		func() error { return tx.Receipts().Put(sampleReceipt(id, "key")) },
		func() error {
			_, _, err := tx.Ledger().Follow("follower", "holder", instant(1), instant(2))
			return err
		},
		func() error {
			told := someEvents(3)
			told[0].By, told[0].Request, told[0].Values = event.ActorOf(event.ByClient, "client"), "a request", edit.Encode([]edit.Edit{{Field: "Prix", Before: "1", After: "2"}})
			_, err := tx.Ledger().Append(id, instant(7), told)
			return err
		},
	); err != nil {
		return err
	}
	for _, aspect := range []port.Aspect{port.AspectSettings, port.AspectAccess, port.AspectRejections} {
		if err := tx.Ledger().Touch(id, aspect); err != nil {
			return err
		}
	}
	for s := range port.Sequences {
		if _, err := tx.NextIDs(s, 3+int(s)); err != nil {
			return err
		}
	}
	return nil
}

// RandomSite puts a site into a store as random programs leave one behind.
func RandomSite(r *rapid.T, s port.Store, id site.ID) {
	p := program{sites: []site.ID{id}, rapid: r, made: newMadeUp()}
	if err := s.Update(context.Background(), p.begin); err != nil {
		r.Fatal(err)
	}
	for _, p.subject = range subjects() {
		if p.subject.suite == "MoveAgreement" { // after which it may take no more changes
			continue
		}
		for range rapid.IntRange(1, 4).Draw(r, "units") {
			u := p.unit()
			u.run(context.Background(), s)
		}
	}
}
