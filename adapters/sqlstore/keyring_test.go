package sqlstore_test

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// canary is in every secret that secrets puts.
const canary = "canary-7f3a-hunter2"

func sampleHook(id webhook.ID) webhook.Webhook {
	return webhook.Webhook{ID: id, Site: 1, URL: "https://x/" + canary + "?k=" + canary, Headers: map[string]string{"X-" + canary: canary, "Authorization": "Bearer " + canary}}
}

func sampleSigning(hook webhook.ID) webhook.Signing {
	return webhook.Signing{Site: 1, Hook: hook, Current: "whsec_" + canary, Previous: "whsec_old" + canary}
}

func sampleAuth(id webhook.AuthID) webhook.Auth {
	return webhook.Auth{ID: id, Site: 1, Type: webhook.AuthOAuth2, TokenURL: "https://x/" + canary, Secret: canary}
}

func sampleSource(id operator.ImportSourceID) operator.ImportSource {
	return operator.ImportSource{ID: id, Site: 1, Settings: operator.SourceSettings{Location: operator.Location{URL: "https://" + canary + "@x/"}}}
}

func sampleTarget(id operator.TargetID) operator.PublicationTarget {
	return operator.PublicationTarget{ID: id, Site: 1, Settings: operator.TargetSettings{Location: operator.Location{URL: "https://" + canary + "@x/"}}}
}

func sampleChannel(id alert.ChannelID) alert.Channel {
	return alert.Channel{ID: id, Kind: alert.Webhook, Address: "https://x/" + canary}
}

func sampleTry(n int) webhook.Attempt {
	return webhook.Attempt{Number: n, URL: "https://x/" + canary}
}

func sampleReceipt(key string) port.Receipt {
	return port.Receipt{ReceiptID: port.ReceiptID{Site: 1, Credential: "c", Operation: "o", Key: key}, Answer: canary}
}

// sampleEdited is an event that says what changed, and where it is in the ledger of site 1.
func sampleEdited(seq int64) event.Event {
	return event.Event{
		Site: 1, Seq: seq, At: time.UnixMicro(1).UTC(), Type: event.CustomerUpdate, Resource: seq, By: event.ActorOf(event.ByClient, "c"), Request: "r",
	}.Told([]edit.Edit{{Field: "lastname", Before: canary, After: canary}})
}

// putSecrets puts every kind of secret, twice.
func putSecrets(tx port.Tx) error {
	for n := range int64(2) {
		err := errors.Join(
			tx.Webhooks().Put(sampleHook(webhook.ID(n+1))),
			tx.Signings().Put(sampleSigning(webhook.ID(n+1))),
			tx.WebhookAuths().Put(sampleAuth(webhook.AuthID(n+1))),
			tx.ImportSources().Put(sampleSource(operator.ImportSourceID(n+1))),
			tx.PublicationTargets().Put(sampleTarget(operator.TargetID(n+1))),
			tx.Alerts().Channels.Put(sampleChannel(alert.ChannelID(n+1))),
			putTry(tx, webhook.DeliveryID(n+1)),
			tx.Receipts().Put(sampleReceipt(fmt.Sprint(n+1))),
			putEdited(tx, n+1))
		if err != nil {
			return err
		}
	}
	return nil
}

// putEdited appends an event, unless it is there.
func putEdited(tx port.Tx, seq int64) error {
	head, err := tx.Ledger().Head(1)
	if errors.Is(err, fault.NotFound) {
		err = tx.Sites().Put(site.Site{ID: 1, Name: "One"})
	}
	if err != nil || head.Seq >= seq {
		return err
	}
	e := sampleEdited(seq)
	_, err = tx.Ledger().Append(1, e.At, []event.Event{e})
	return err
}

// putTry puts a delivery with an attempt.
func putTry(tx port.Tx, id webhook.DeliveryID) error {
	d, attempt := webhook.Delivery{ID: id, Site: 1, Hook: 1}, sampleTry(1)
	if _, err := tx.Deliveries().Get(1, 1, id); errors.Is(err, fault.NotFound) {
		if err := tx.Deliveries().Add([]webhook.Delivery{d}); err != nil {
			return err
		}
	}
	return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: &attempt}})
}

// readers are the ways to read secrets.
var readers = map[string]func(port.Tx) (any, error){
	"webhook":         func(tx port.Tx) (any, error) { return tx.Webhooks().Get(1, 1) },
	"webhooks":        func(tx port.Tx) (any, error) { return tx.Webhooks().Of(1) },
	"signing":         func(tx port.Tx) (any, error) { return tx.Signings().Get(1, 1) },
	"authentication":  func(tx port.Tx) (any, error) { return tx.WebhookAuths().Get(1, 1) },
	"authentications": func(tx port.Tx) (any, error) { return tx.WebhookAuths().Of(1) },
	"sources":         func(tx port.Tx) (any, error) { return tx.ImportSources().Of(1) },
	"targets":         func(tx port.Tx) (any, error) { return tx.PublicationTargets().Of(1) },
	"channels":        func(tx port.Tx) (any, error) { return tx.Alerts().Channels.All() },
	"attempts":        func(tx port.Tx) (any, error) { return tx.Deliveries().Attempts(1, 1, []webhook.DeliveryID{1}) },
	"history": func(tx port.Tx) (any, error) {
		return tx.Ledger().Find(port.EventQuery{Site: 1, Values: true, Limit: 9})
	},
	"receipt": func(tx port.Tx) (any, error) { return tx.Receipts().Get(sampleReceipt("1").ReceiptID) },
}

// readable checks that every secret is what was put.
func readable(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	want := map[string]any{
		"webhook": sampleHook(1), "webhooks": []webhook.Webhook{sampleHook(1), sampleHook(2)}, "signing": sampleSigning(1),
		"authentication": sampleAuth(1), "authentications": []webhook.Auth{sampleAuth(1), sampleAuth(2)},
		"sources":  []operator.ImportSource{sampleSource(1), sampleSource(2)},
		"history":  []event.Event{sampleEdited(2), sampleEdited(1)},
		"targets":  []operator.PublicationTarget{sampleTarget(1), sampleTarget(2)},
		"channels": []alert.Channel{sampleChannel(1), sampleChannel(2)},
		"attempts": map[webhook.DeliveryID][]webhook.Attempt{1: {sampleTry(1)}}, "receipt": sampleReceipt("1"),
	}
	for what, read := range readers {
		err := s.View(t.Context(), func(tx port.Tx) error {
			got, err := read(tx)
			if d := cmp.Diff(want[what], got); err == nil && d != "" {
				t.Errorf("%s (-want +got):\n%s", what, d)
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// unreadable checks that reading a secret fails, for a reason, and that the
// error gives nothing away.
func unreadable(t *testing.T, s *sqlstore.Store, what, reason string) {
	t.Helper()
	err := s.View(t.Context(), func(tx port.Tx) error {
		_, err := readers[what](tx)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%s: %v, want an error about %q", what, err, reason)
	}
}

// dump is every value of every table, as text.
func dump(t *testing.T, p place) string {
	t.Helper()
	db := p.raw(t)
	tables := texts(t, db, map[string]string{
		"sqlite":   "SELECT name FROM sqlite_master WHERE type = 'table'",
		"postgres": "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
	}[p.engine])
	var all strings.Builder
	for _, table := range tables {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		dumpRows(t, rows, &all)
	}
	if p.engine == "sqlite" {
		files, err := filepath.Glob(p.url + "*")
		if err != nil || len(files) == 0 {
			t.Fatalf("%v, %v", files, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
	}
	return all.String()
}

func dumpRows(t *testing.T, rows *sql.Rows, all *strings.Builder) {
	t.Helper()
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]any, len(columns))
	targets := make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			fmt.Fprintf(all, "%s\n", v)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// forms are the ways in which a secret could be stored as good as openly.
func forms(secret string) []string {
	var all []string
	for shift := range 3 { // of a longer text in base64, any third byte may come first
		inner := []byte(secret)[shift:]
		inner = inner[:len(inner)/3*3]
		all = append(all, base64.StdEncoding.EncodeToString(inner), base64.URLEncoding.EncodeToString(inner))
	}
	return append(all, secret, hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret))))
}

func TestNoSecretCanBeReadFromTheTables(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		update(t, s, putSecrets)
		readable(t, s)
		// What is looked for would be found.
		update(t, s, func(tx port.Tx) error {
			return tx.Sites().Put(site.Site{ID: 9, Name: base64.StdEncoding.EncodeToString([]byte("a control-sample")) + " control-sample"})
		})
		everything := dump(t, p)
		found := 0
		for _, form := range forms("control-sample") {
			if strings.Contains(everything, form) {
				found++
			}
		}
		if found < 2 || strings.Count(everything, "v1:") < 8 {
			t.Fatalf("the dump shows %d forms of a text that is there", found)
		}
		for _, form := range append(forms(canary), forms("hunter2")...) {
			if len(form) >= 8 && strings.Contains(everything, form) {
				t.Errorf("the tables show %q", form)
			}
		}
	})
}

// everySecret is what is sealed of webhooks.
func everySecret(t *testing.T, p place) []string {
	t.Helper()
	db := p.raw(t)
	sealed := texts(t, db, secretColumns+" UNION ALL SELECT edits FROM ledger")
	for _, lines := range texts(t, db, "SELECT attempts FROM delivery ORDER BY id") {
		for line := range strings.Lines(lines) {
			var attempt struct{ URL string }
			if err := json.Unmarshal([]byte(line), &attempt); err != nil {
				t.Fatal(err)
			}
			sealed = append(sealed, attempt.URL)
		}
	}
	return sealed
}

const secretColumns = "SELECT body FROM webhook_auth UNION ALL SELECT body FROM webhook_signing UNION ALL SELECT body FROM import_source UNION ALL SELECT body FROM publication_target UNION ALL SELECT body FROM alert_channel " +
	"UNION ALL SELECT headers FROM webhook UNION ALL SELECT url FROM webhook"

func TestTheSameSecretNeverLooksTheSame(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		update(t, s, putSecrets)
		before := texts(t, p.raw(t), secretColumns) // attempts and edits are kept
		update(t, s, putSecrets)
		seen := map[string]bool{}
		for _, sealed := range append(before, everySecret(t, p)...) {
			if seen[sealed] {
				t.Errorf("%s is there twice", sealed)
			}
			seen[sealed] = true
		}
	})
}

func TestWithoutAKeyringSecretsAreRefused(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		update(t, p.migrated(t), putSecrets)
		bare := p.with(t)
		for what := range readers {
			unreadable(t, bare, what, "opened without one")
		}
		for what, write := range map[string]func(port.Tx) error{
			"webhook":        func(tx port.Tx) error { return tx.Webhooks().Put(sampleHook(1)) },
			"plain webhook":  func(tx port.Tx) error { return tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: 1}) },
			"signing":        func(tx port.Tx) error { return tx.Signings().Put(sampleSigning(1)) },
			"authentication": func(tx port.Tx) error { return tx.WebhookAuths().Put(sampleAuth(1)) },
		} {
			err := bare.Update(t.Context(), write)
			if err == nil || !strings.Contains(err.Error(), "opened without one") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", what, err)
			}
		}
		// Everything else works.
		update(t, bare, func(tx port.Tx) error {
			_, err := tx.Webhooks().Of(2)
			return errors.Join(err, tx.Deliveries().Add([]webhook.Delivery{{ID: 9, Site: 1, Hook: 1}}), tx.Webhooks().Delete(1, 2))
		})
	})
}

func TestKeysAreReplacedOneAfterTheOther(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		update(t, p.migrated(t), putSecrets)
		readable(t, p.with(t, sqlstore.Sealed(keyring(t, 1))))
		for what := range readers {
			unreadable(t, p.with(t, sqlstore.Sealed(keyring(t, 2, 3))), what, "not on the keyring")
		}

		// The new key writes; the old one still reads.
		both := p.with(t, sqlstore.Sealed(keyring(t, 2, 1)))
		readable(t, both)
		update(t, both, func(tx port.Tx) error { return tx.WebhookAuths().Put(sampleAuth(1)) })
		readable(t, both)
		fresh, stale := p.with(t, sqlstore.Sealed(keyring(t, 2))), p.with(t, sqlstore.Sealed(keyring(t, 1)))
		if err := fresh.View(t.Context(), func(tx port.Tx) error { _, err := tx.WebhookAuths().Get(1, 1); return err }); err != nil {
			t.Error(err)
		}
		unreadable(t, stale, "authentication", "not on the keyring")
		unreadable(t, fresh, "authentications", "not on the keyring")

		if _, err := both.EnsureSealed(t.Context(), "pepper", canary); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if n, err := both.Reseal(t.Context()); n != 19 || err != nil {
				t.Errorf("%d rows were sealed anew, %v", n, err)
			}
			readable(t, fresh)
		}
		for what := range readers {
			unreadable(t, stale, what, "not on the keyring")
		}
		if n, err := stale.Reseal(t.Context()); n != 0 || err == nil {
			t.Errorf("%d rows were sealed anew with a key that cannot open them, %v", n, err)
		}
		readable(t, fresh)
		if got, err := fresh.EnsureSealed(t.Context(), "pepper", "other"); got != canary || err != nil {
			t.Errorf("the pepper is %q, %v", got, err)
		}
	})
}

// What cannot be opened anywhere keeps everything as it was.
func TestSealingAnewHappensWhollyOrNotAtAll(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		update(t, p.migrated(t), putSecrets)
		update(t, p.with(t, sqlstore.Sealed(keyring(t, 3))), func(tx port.Tx) error {
			auth := sampleAuth(9)
			auth.Site = 2
			return tx.WebhookAuths().Put(auth)
		})
		before := everySecret(t, p)
		if n, err := p.with(t, sqlstore.Sealed(keyring(t, 2, 1))).Reseal(t.Context()); n != 0 || err == nil {
			t.Errorf("%d rows were sealed anew, %v", n, err)
		}
		if d := cmp.Diff(before, everySecret(t, p)); d != "" {
			t.Errorf("what is stored changed:\n%s", d)
		}
		if n, err := p.with(t, sqlstore.Sealed(keyring(t, 2, 1, 3))).Reseal(t.Context()); n != 19 || err != nil {
			t.Errorf("%d rows were sealed anew, %v", n, err)
		}
	})
}

func TestCheckSecretsLooksAtEveryKindOfSecret(t *testing.T) {
	writes := func(s *sqlstore.Store, change func(port.Tx) error) error { return s.Update(t.Context(), change) }
	for what, put := range map[string]func(*sqlstore.Store) error{
		"webhook": func(s *sqlstore.Store) error {
			return writes(s, func(tx port.Tx) error { return tx.Webhooks().Put(sampleHook(7)) })
		},
		"signing": func(s *sqlstore.Store) error {
			return writes(s, func(tx port.Tx) error { return tx.Signings().Put(sampleSigning(1)) })
		},
		"authentication": func(s *sqlstore.Store) error {
			return writes(s, func(tx port.Tx) error { return tx.WebhookAuths().Put(sampleAuth(7)) })
		},
		"fact": func(s *sqlstore.Store) error {
			_, err := s.EnsureSealed(t.Context(), "other", canary)
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p place) {
				s := p.migrated(t)
				update(t, s, putSecrets)
				if _, err := s.EnsureSealed(t.Context(), "pepper", canary); err != nil {
					t.Fatal(err)
				}
				if err := s.CheckSecrets(t.Context()); err != nil {
					t.Errorf("secrets that can be read: %v", err)
				}
				if err := put(p.with(t, sqlstore.Sealed(keyring(t, 2)))); err != nil {
					t.Fatal(err)
				}
				err := s.CheckSecrets(t.Context())
				if err == nil || !strings.Contains(err.Error(), "not on the keyring") || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("one that another key sealed: %v", err)
				}
			})
		})
	}
}

func TestSealedSecretsStayWhereTheyAre(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		for what, c := range map[string]struct {
			statement, reads, reason string
		}{
			"from another row": {
				"UPDATE webhook_auth SET body = (SELECT body FROM webhook_auth WHERE id = 2) WHERE id = 1", "authentication", "altered",
			},
			"from another webhook": {
				"UPDATE webhook SET headers = (SELECT headers FROM webhook WHERE id = 2) WHERE id = 1", "webhook", "altered",
			},
			"from another column": {"UPDATE webhook SET headers = url", "webhook", "altered"},
			"from another table": {
				"UPDATE webhook_auth SET body = (SELECT body FROM webhook_signing WHERE id = 1) WHERE id = 1",
				"authentication", "altered",
			},
			"under another id": {"UPDATE webhook_auth SET id = 1 - id WHERE id = 2", "authentications", "altered"},
			"in another site": {
				"UPDATE webhook_auth SET site_id = 1 WHERE site_id = 2", "authentications", "altered",
			},
			"cut":       {"UPDATE webhook SET headers = substr(headers, 1, 30)", "webhooks", "altered"},
			"cut short": {"UPDATE webhook SET headers = substr(headers, 1, 12)", "webhooks", "altered"},
			"changed": {
				"UPDATE webhook SET headers = substr(headers, 1, 39) || CASE substr(headers, 40, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(headers, 41)",
				"webhook", "altered",
			},
			"no base64": {"UPDATE webhook SET headers = headers || '?'", "webhook", "altered"},
			"emptied":   {"UPDATE webhook SET headers = ''", "webhook", "not a sealed secret"},
			"replaced":  {"UPDATE webhook SET headers = '{\"X\":\"hunter2\"}'", "webhook", "not a sealed secret"},
			"new form":  {"UPDATE webhook SET headers = replace(headers, 'v1:', 'v2:')", "webhook", "not a sealed secret"},
		} {
			t.Run(what, func(t *testing.T) {
				s := p.migrated(t)
				if err := s.Reset(t.Context()); err != nil {
					t.Fatal(err)
				}
				update(t, s, putSecrets)
				update(t, s, func(tx port.Tx) error {
					foreign := sampleAuth(3)
					foreign.Site = 2
					return tx.WebhookAuths().Put(foreign)
				})
				readable(t, s)
				execute(t, p.raw(t), c.statement)
				unreadable(t, s, c.reads, c.reason)
			})
		}
	})
}

func TestKeysHaveTheirLengthAndShowNothing(t *testing.T) {
	good := bytes.Repeat([]byte{65}, sqlstore.KeyBytes)
	for _, keys := range [][][]byte{{nil}, {good[1:]}, {append(good, 1)}, {good, nil}, {good, good, []byte("short")}} {
		if _, err := sqlstore.NewKeyring(keys[0], keys[1:]...); err == nil || strings.Contains(err.Error(), "short") {
			t.Errorf("%d keys, the first of %d bytes: %v", len(keys), len(keys[0]), err)
		}
	}
	k, err := sqlstore.NewKeyring(good, good)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if shown := fmt.Sprintf(format, k); len(shown) > 40 || strings.Contains(shown, "AAAA") || strings.Contains(shown, "65 65") {
			t.Errorf("%s shows %s", format, shown)
		}
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
		if n, err := p.with(t, sqlstore.Sealed(keyring(t, 2, 1))).Reseal(t.Context()); n != many || err != nil {
			t.Errorf("%d records were sealed anew, %v", n, err)
		}
		ids := make([]webhook.DeliveryID, many)
		for n := range ids {
			ids[n] = webhook.DeliveryID(n + 1)
		}
		if err := p.with(t, sqlstore.Sealed(keyring(t, 2))).View(t.Context(), func(tx port.Tx) error {
			found, err := tx.Deliveries().Attempts(1, 1, ids)
			for n, id := range ids {
				if err == nil && (len(found[id]) != 1 || found[id][0].URL != fmt.Sprint("https://x/", n)) {
					return fmt.Errorf("the attempts of %d are %v", id, found[id])
				}
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	})
}
