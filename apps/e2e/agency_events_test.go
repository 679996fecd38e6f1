package e2e_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/transfer"
)

// reprovisioned is the network as it was described last, with a change.
func reprovisioned(t *testing.T, w *world, change func(*transfer.SetupSite)) {
	t.Helper()
	described := stages()[1]
	described.Sites[0].Agencies = slices.Clone(described.Sites[0].Agencies)
	change(&described.Sites[0])
	if _, err := w.Transfer.Provision(t.Context(), described); err != nil {
		t.Fatal(err)
	}
}

func TestAChangedAgencyIsTold(t *testing.T) {
	onEach(t, "agency events", func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, answering(204, ""))
		h := c.subscribe(receiver.url, object{"origines": list{"AGENCY_UPDATE"}})
		sold := c.create(nil)
		ledger, ofSite := c.ledger(), w.website(t).ledger()
		agency := c.get("/agencies").is(200).id("data.0.id")
		rename := func(s *transfer.SetupSite) { s.Agencies[0].Name += " et fils" }

		reprovisioned(t, w, func(*transfer.SetupSite) {})
		ledger.tells()
		reprovisioned(t, w, func(s *transfer.SetupSite) {
			rename(s)
			s.Agencies = append(s.Agencies, transfer.SetupAgency{ID: 19, Name: "Nouvelle"})
			s.Users = append(slices.Clone(s.Users), transfer.SetupUser{ID: 191, AgencyID: 19, Firstname: "Une", Lastname: "Nouvelle"})
		})
		news := fmt.Sprintf("AGENCY_UPDATE %d", agency)
		ledger.tells(news)
		ofSite.tells(news)
		reprovisioned(t, w, rename)
		ledger.tells()
		h.came("succeeded")
		if d := h.deliveries("event_type=AGENCY_UPDATE"); len(d) != 1 || d[0]["resource_id"] != float64(agency) {
			t.Errorf("the deliveries are %v", d)
		}

		// Searches and what else follows the ledger pass over it.
		if !slices.Contains(c.walk(object{}), sold) {
			t.Error("the product is not found any more")
		}
		reprovisioned(t, w, func(*transfer.SetupSite) {})
		ledger.tells(news)
		h.came("succeeded", "succeeded")
	}, deliveringTo("127.0.0.0/8:*"))
}
