package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// plainly writes addresses in the clear, as earlier versions did.
func plainly(t *testing.T, p place) {
	t.Helper()
	db := p.raw(t)
	execute(t, db,
		"UPDATE webhook SET url = 'https://x/"+canary+"?k="+canary+"'",
		"UPDATE webhook_auth SET token_url = 'https://x/"+canary+"' WHERE id = 1",
		"UPDATE webhook_auth SET token_url = '' WHERE id = 2",
		"UPDATE delivery SET attempts = "+p.replacedURL("'https://x/"+canary+"'"))
}

// replacedURL is an expression for the attempts of a delivery that has one, with another
// address.
func (p place) replacedURL(url string) string {
	if p.engine == "postgres" {
		return "jsonb_set(attempts::jsonb, '{url}', to_jsonb(CAST(" + url + " AS text)))::text || chr(10)"
	}
	return "json_set(attempts, '$.url', " + url + ") || char(10)"
}

// inTheClear counts the addresses that are not sealed.
func inTheClear(t *testing.T, p place) (n int) {
	t.Helper()
	for _, stored := range everySecret(t, p) {
		if !strings.HasPrefix(stored, "v1:") {
			n++
		}
	}
	return n
}

func TestW14_AddressesInTheClearAreSealed(t *testing.T) {
	without := func(tx port.Tx) error {
		auth := sampleAuth(2)
		auth.TokenURL = ""
		return tx.WebhookAuths().Put(auth)
	}
	for what, seal := range map[string]func(*sqlstore.Store) error{
		"at a start":     func(s *sqlstore.Store) error { return s.SealAddresses(t.Context()) },
		"by a rotation":  func(s *sqlstore.Store) error { _, err := s.Reseal(t.Context()); return err },
		"by two at once": nil,
	} {
		t.Run(what, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p place) {
				s := p.migrated(t)
				update(t, s, putSecrets)
				plainly(t, p)
				if n := inTheClear(t, p); n != 6 {
					t.Fatalf("%d addresses are in the clear", n)
				}
				// Until they are sealed they are read as they are.
				if err := s.CheckSecrets(t.Context()); err != nil {
					t.Error(err)
				}
				if seal == nil {
					ended := make(chan error)
					for range 2 {
						go func() { ended <- p.open(t).SealAddresses(t.Context()) }()
					}
					for range 2 {
						if err := <-ended; err != nil {
							t.Error(err)
						}
					}
				} else if err := seal(s); err != nil {
					t.Fatal(err)
				}
				if n := inTheClear(t, p); n != 0 {
					t.Errorf("%d addresses are in the clear still", n)
				}
				var none webhook.Auth
				if err := s.View(t.Context(), func(tx port.Tx) (err error) {
					none, err = tx.WebhookAuths().Get(1, 2)
					return err
				}); err != nil || none.TokenURL != "" {
					t.Errorf("an empty address is %q, %v", none.TokenURL, err)
				}
				update(t, s, func(tx port.Tx) error { return tx.WebhookAuths().Put(sampleAuth(2)) })
				readable(t, s)
				update(t, s, without)
			})
		})
	}
}

// The log of attempts is long: more than is sealed at a time.
func TestALongLogOfAttemptsIsSealedPartByPart(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		const many = 2500
		s := p.migrated(t)
		update(t, s, func(tx port.Tx) error {
			var all []webhook.Delivery
			var settled []webhook.Settled
			for n := range many {
				all = append(all, webhook.Delivery{ID: webhook.DeliveryID(n + 1), Site: 1, Hook: 1})
				settled = append(settled, webhook.Settled{Delivery: all[n], Attempt: &webhook.Attempt{Number: 1, URL: fmt.Sprint("https://x/", n)}})
			}
			if err := tx.Deliveries().Add(all); err != nil {
				return err
			}
			return tx.Deliveries().Settle(settled)
		})
		whole := func(s *sqlstore.Store) {
			t.Helper()
			ids := make([]webhook.DeliveryID, many)
			for n := range ids {
				ids[n] = webhook.DeliveryID(n + 1)
			}
			if err := s.View(t.Context(), func(tx port.Tx) error {
				found, err := tx.DeliveryLog().Attempts(1, 1, ids)
				for n, id := range ids {
					if err == nil && (len(found[id]) != 1 || found[id][0].URL != fmt.Sprint("https://x/", n)) {
						return fmt.Errorf("the attempts of %d are %v", id, found[id])
					}
				}
				return err
			}); err != nil {
				t.Error(err)
			}
		}
		execute(t, p.raw(t), "UPDATE delivery SET attempts = "+p.replacedURL("'https://x/' || (id - 1)"))
		if err := s.SealAddresses(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := inTheClear(t, p); n != 0 {
			t.Errorf("%d addresses are in the clear still", n)
		}
		whole(s)
		if n, err := p.with(t, sqlstore.Sealed(keyring(t, 2, 1))).Reseal(t.Context()); n != many || err != nil {
			t.Errorf("%d records were sealed anew, %v", n, err)
		}
		whole(p.with(t, sqlstore.Sealed(keyring(t, 2))))
	})
}
