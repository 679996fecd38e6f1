package porttest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func examples() []example {
	return append([]example{
		{"SitesComeBackAsTheyWentIn", sitesComeBack},
		{"CriteriaOfEachTypeComeBackAsTheyWentIn", criteriaComeBack},
		{"ClientsComeBackAsTheyWentIn", clientsComeBack},
		{"CustomersAreGoneWithTheirKeys", customersAreGoneWithTheirKeys},
		{"AbsentIsNotFound", absentIsNotFound},
		{"ListsAreInOrder", listsAreInOrder},
		{"UnstorableTextIsNotAltered", unstorableTextIsNotAltered},
		{"HeadCounts", headCounts},
		{"AfterPages", afterPages},
		{"TimesNeverFall", timesNeverFall},
		{"ManyEventsAtOnce", manyEventsAtOnce},
		{"PurgeRemovesTheExpired", purgeRemovesTheExpired},
		{"IDsGrowAndReservedOnesAreNotDrawn", idsGrow},
		{"TheLastIDIsTold", lastID},
		{"ReferenceNumbersGrow", referenceNumbersGrow},
		{"AUnitSeesItsOwnWritesAndNobodyElseDoes", unitsAreApart},
		{"AViewDoesNotMove", viewsDoNotMove},
	}, append(productExamples(), example{"ValuesAreCopies", valuesAreCopies})...)
}

// comesBack puts a record twice, a full one and then a bare one, and reads each
// back.
func comesBack[T any](t *testing.T, w *world, what string, full, bare T, put func(port.Tx, T) error, get func(port.Tx) (T, error)) {
	t.Helper()
	for _, want := range []T{full, bare} {
		var inside, outside T
		w.update(t, func(tx port.Tx) (err error) {
			if err = put(tx, want); err == nil {
				inside, err = get(tx)
			}
			return err
		})
		w.view(t, func(tx port.Tx) (err error) {
			outside, err = get(tx)
			return err
		})
		same(t, what+", in its own unit", want, inside)
		same(t, what, want, outside)
	}
}

// only is the single record of a list.
func only[T any](found []T, err error) (T, error) {
	var none T
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%d records instead of one", len(found))
	}
	if err != nil {
		return none, err
	}
	return found[0], nil
}

func sitesComeBack(t *testing.T, w *world) {
	id := w.site(t)
	comesBack(t, w, "site", sampleSite(id), site.Site{ID: id},
		func(tx port.Tx, s site.Site) error { return tx.Sites().Put(s) },
		func(tx port.Tx) (site.Site, error) { return tx.Sites().Get(id) })
}

func criteriaComeBack(t *testing.T, w *world) {
	for _, kind := range criteria.Types() {
		of := w.site(t)
		comesBack(t, w, "definition", sampleDefinition(1, kind), criteria.Definition{ID: 1, Key: "k", Type: kind},
			func(tx port.Tx, d criteria.Definition) error { return tx.Criteria().Put(of, d) },
			func(tx port.Tx) (criteria.Definition, error) { return only(tx.Criteria().Of(of)) })
	}
}

func clientsComeBack(t *testing.T, w *world) {
	for _, packs := range []access.Packs{0, access.Webhooks, access.AllPacks} {
		full := sampleCredential(access.CredentialID(awkward))
		full.Packs = packs
		comesBack(t, w, "credential", full, access.Credential{ID: full.ID},
			func(tx port.Tx, c access.Credential) error { return tx.Credentials().Put(c) },
			func(tx port.Tx) (access.Credential, error) { return tx.Credentials().Get(full.ID) })
		w.update(t, func(tx port.Tx) error {
			held, err := tx.Credentials().Held(full.ID)
			known, err2 := tx.Credentials().Get(full.ID)
			same(t, "held credential", known, held)
			return errors.Join(err, err2)
		})
	}
	comesBack(t, w, "token", sampleToken("a1", 1, instant(0)), access.Token{Hash: "a1", Expires: instant(0)},
		func(tx port.Tx, k access.Token) error { return tx.Tokens().Put(k) },
		func(tx port.Tx) (access.Token, error) { return tx.Tokens().Get("a1") })
	family := access.FamilyID(w.id())
	comesBack(t, w, "family", access.Family{ID: family, Credential: "c", Site: 3, Started: instant(1), Revoked: true},
		access.Family{ID: family},
		func(tx port.Tx, f access.Family) error { return tx.Tokens().PutFamily(f) },
		func(tx port.Tx) (access.Family, error) { return tx.Tokens().Family(family) })
}

func absentIsNotFound(t *testing.T, w *world) {
	id := w.site(t)
	other := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(plainProduct(other, 1)) })
	const unknown = 1 << 50
	ways := map[string]func(port.Tx) error{
		"site":            func(tx port.Tx) error { _, err := tx.Sites().Get(unknown); return err },
		"agency":          func(tx port.Tx) error { _, err := tx.Agencies().ByID(unknown); return err },
		"credential":      func(tx port.Tx) error { _, err := tx.Credentials().Get("nobody"); return err },
		"held credential": func(tx port.Tx) error { _, err := tx.Credentials().Held("nobody"); return err },
		"key":             func(tx port.Tx) error { _, err := tx.Keys().Get(id, unknown); return err },
		"key by hash":     func(tx port.Tx) error { _, err := tx.Keys().ByHash("nothing"); return err },
		"token":           func(tx port.Tx) error { _, err := tx.Tokens().Get("nothing"); return err },
		"family":          func(tx port.Tx) error { _, err := tx.Tokens().Family(unknown); return err },
		"product":         func(tx port.Tx) error { _, err := tx.Products().Get(id, 1); return err },
		"reference":       func(tx port.Tx) error { _, err := tx.Products().Holder(id, 1, "R1"); return err },
		"head":            func(tx port.Tx) error { _, err := tx.Ledger().Head(unknown); return err },
		"replace":         func(tx port.Tx) error { return tx.Products().Replace(plainProduct(id, 1)) },
		"append": func(tx port.Tx) error {
			_, err := tx.Ledger().Append(unknown, instant(1), make([]event.Event, 1))
			return err
		},
		"touch":               func(tx port.Tx) error { return tx.Ledger().Touch(unknown, port.AspectAccess) },
		"touch of rejections": func(tx port.Tx) error { return tx.Ledger().Touch(unknown, port.AspectRejections) },
		"head of a store":     func(port.Tx) error { _, err := w.Head(t.Context(), unknown); return err },
	}
	for what, way := range ways {
		w.notFound(t, what, way)
	}
	w.view(t, func(tx port.Tx) error {
		for what, length := range map[string]func() (int, error){
			"products": func() (int, error) { l, err := tx.Products().Many(id, []product.ID{1}); return len(l), err },
			"nobody":   func() (int, error) { l, err := tx.Products().Many(id, nil); return len(l), err },
			"scan":     func() (int, error) { l, err := tx.Products().Scan(id, 0, 9); return len(l), err },
			"events":   func() (int, error) { l, err := tx.Ledger().After(unknown, 0, 9); return len(l), err },
		} {
			if n, err := length(); n != 0 || err != nil {
				t.Errorf("%s: %d records and %v, want an empty list", what, n, err)
			}
		}
		return nil
	})
}

func listsAreInOrder(t *testing.T, w *world) {
	credentials := []access.CredentialID{"ordre-b", "ordre-B", "ordre-é", "ordre-a", "ordre-10", "ordre-9", "ordre-_"}
	w.site(t)
	w.site(t)
	w.update(t, func(tx port.Tx) error {
		for _, c := range credentials {
			if err := tx.Credentials().Put(access.Credential{ID: c}); err != nil {
				return err
			}
		}
		return nil
	})
	slices.Sort(credentials)
	w.view(t, func(tx port.Tx) error {
		s, err := tx.Sites().All()
		if err != nil || !slices.IsSortedFunc(s, func(a, b site.Site) int { return int(a.ID - b.ID) }) || len(s) < 2 {
			t.Errorf("sites: %v, %v", s, err)
		}
		c, err := tx.Credentials().All()
		var among []access.CredentialID
		for _, c := range c {
			if slices.Contains(credentials, c.ID) {
				among = append(among, c.ID)
			}
		}
		same(t, "credentials", credentials, among)
		return err
	})
}

// valuesAreCopies changes what went in and what came out.
func valuesAreCopies(t *testing.T, w *world) {
	id := w.site(t)
	credential := access.CredentialID(fmt.Sprint("copy-", id))
	w.update(t, func(tx port.Tx) error {
		s, p, c := sampleSite(id), sampleProduct(id, 1), sampleCredential(credential)
		defer spoil(&s, &p, &c)
		return errors.Join(tx.Sites().Put(s), tx.Products().Add(p), tx.Credentials().Put(c))
	})
	read := func(tx port.Tx) error {
		s, err := tx.Sites().Get(id)
		same(t, "site", sampleSite(id), s)
		p, err2 := tx.Products().Get(id, 1)
		same(t, "product", sampleProduct(id, 1), p)
		c, err3 := tx.Credentials().Get(credential)
		same(t, "credential", sampleCredential(credential), c)
		many, err4 := tx.Products().Many(id, []product.ID{1})
		scan, err5 := tx.Products().Scan(id, 0, 1)
		owned, err6 := tx.Products().OwnedBy(id, p.Customer)
		spoil(&s, &p, &c, &many, &scan, &owned)
		return errors.Join(err, err2, err3, err4, err5, err6)
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

// unstorableTextIsNotAltered: the core lets no such text through, and if it
// did, an error would be right and an altered text wrong.
func unstorableTextIsNotAltered(t *testing.T, w *world) {
	for i, text := range []string{"a\x00b", "\x00", "a\x00"} {
		id := w.site(t)
		p := plainProduct(id, 1)
		p.Criteria = criteria.Values{"k": criteria.Text(text)}
		p.Descriptions = []product.Description{{Title: text}}
		if i > 0 {
			p.Reference = text
		}
		if err := w.Update(t.Context(), func(tx port.Tx) error { return tx.Products().Add(p) }); err != nil {
			continue
		}
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Products().Get(id, 1)
			same(t, fmt.Sprintf("product with %q", text), p, got)
			return err
		})
	}
}

func headCounts(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	same(t, "the head of a new site", port.Head{}, w.head(t, id))
	steps := []struct {
		what string
		step func(port.Tx) error
		want port.Head
	}{
		{"an event", func(tx port.Tx) error { return appends(tx, id, 1) }, port.Head{Seq: 1}},
		{"three events", func(tx port.Tx) error { return appends(tx, id, 3) }, port.Head{Seq: 4}},
		{"no event", func(tx port.Tx) error { return appends(tx, id, 0) }, port.Head{Seq: 4}},
		{"settings", func(tx port.Tx) error { return tx.Ledger().Touch(id, port.AspectSettings) }, port.Head{Seq: 4, Settings: 1}},
		{"access", func(tx port.Tx) error { return tx.Ledger().Touch(id, port.AspectAccess) }, port.Head{Seq: 4, Settings: 1, Access: 1}},
		{"rejections", func(tx port.Tx) error { return tx.Ledger().Touch(id, port.AspectRejections) }, port.Head{Seq: 4, Settings: 1, Access: 1, Rejections: 1}},
		{"rejections again", func(tx port.Tx) error { return tx.Ledger().Touch(id, port.AspectRejections) }, port.Head{Seq: 4, Settings: 1, Access: 1, Rejections: 2}},
		{"the site", func(tx port.Tx) error { return tx.Sites().Put(sampleSite(id)) }, port.Head{Seq: 4, Settings: 1, Access: 1, Rejections: 2}},
		{"another site", func(tx port.Tx) error { return appends(tx, other, 5) }, port.Head{Seq: 4, Settings: 1, Access: 1, Rejections: 2}},
	}
	for _, s := range steps {
		var inside port.Head
		w.update(t, func(tx port.Tx) (err error) {
			if err = s.step(tx); err == nil {
				inside, err = tx.Ledger().Head(id)
			}
			return err
		})
		same(t, "the head after "+s.what+", in its unit", s.want, inside)
		same(t, "the head after "+s.what, s.want, w.head(t, id))
	}
}

// appends adds n events to a ledger, and checks what Append answers.
func appends(tx port.Tx, id site.ID, n int) error {
	before, err := tx.Ledger().Head(id)
	if err != nil {
		return err
	}
	last, err := tx.Ledger().Append(id, instant(1), someEvents(n))
	if err == nil && n > 0 && last.Seq < before.Seq+int64(n) {
		err = fmt.Errorf("appending %d events after %d answered %d", n, before.Seq, last.Seq)
	}
	return err
}

// someEvents leave out what the ledger fills in.
func someEvents(n int) []event.Event {
	out := make([]event.Event, n)
	for i := range out {
		out[i] = event.Event{Type: event.Types()[i%len(event.Types())], Resource: int64(i + 1), Subject: fmt.Sprint("KIND", i%2), Agency: site.AgencyID(i % 3), Changed: "Prix"}
	}
	return out
}

func afterPages(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	given := someEvents(7)
	w.update(t, func(tx port.Tx) error {
		err := appends(tx, other, 4)
		if err == nil {
			_, err = tx.Ledger().Append(id, instant(1), given)
		}
		return err
	})
	if given[0].Seq != 0 || given[0].Site != 0 {
		t.Error("Append changed the caller's events")
	}
	want := someEvents(7)
	for i := range want {
		want[i].Site, want[i].Seq, want[i].At = id, int64(i+1), instant(1)
	}
	w.view(t, func(tx port.Tx) error {
		for _, page := range []struct {
			after int64
			n     int
			want  []event.Event
		}{{0, 100, want}, {0, 3, want[:3]}, {3, 3, want[3:6]}, {6, 3, want[6:]}, {7, 3, nil}, {99, 3, nil}, {-5, 1, want[:1]}, {0, 0, nil}, {0, -1, nil}} {
			got, err := tx.Ledger().After(id, page.after, page.n)
			if err != nil {
				return err
			}
			same(t, fmt.Sprintf("%d events after %d", page.n, page.after), page.want, got)
		}
		return nil
	})
}

func manyEventsAtOnce(t *testing.T, w *world) {
	id := w.site(t)
	const n = 2345
	w.update(t, func(tx port.Tx) error { return appends(tx, id, n) })
	same(t, "head", port.Head{Seq: n}, w.head(t, id))
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Ledger().After(id, 0, n+1)
		if len(got) != n {
			t.Fatalf("%d events instead of %d", len(got), n)
		}
		for i, e := range got {
			if e.Seq != int64(i+1) || e.Resource != int64(i+1) {
				t.Fatalf("event %d is %+v", i, e)
			}
		}
		return err
	})
}

func purgeRemovesTheExpired(t *testing.T, w *world) {
	now := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC) // before every other example's tokens
	family := func(n int64) access.FamilyID { return access.FamilyID(1<<40 + n) }
	hours := func(n int) time.Time { return now.Add(time.Duration(n) * time.Hour) }
	w.update(t, func(tx port.Tx) error {
		for n := range int64(4) {
			if err := tx.Tokens().PutFamily(access.Family{ID: family(n)}); err != nil {
				return err
			}
		}
		return each(tx.Tokens().Put, []access.Token{
			{Hash: "purge-a", Family: family(1), Expires: hours(-3)},
			{Hash: "purge-b", Family: family(1), Expires: hours(-1)},
			{Hash: "purge-c", Family: family(2), Expires: hours(-2)},
			{Hash: "purge-d", Family: family(2), Expires: hours(1)},
			{Hash: "purge-e", Family: family(3), Expires: now},
		}...)
	})
	for _, step := range []struct {
		before   time.Time
		n, want  int
		tokens   string
		families []int64
	}{
		{now, 0, 0, "abcde", []int64{0, 1, 2, 3}},
		{now, 1, 1, "bcde", []int64{0, 1, 2, 3}}, // the oldest first
		{now, 9, 2, "de", []int64{0, 2, 3}},      // a family that never had tokens was not left by any
		{now, 9, 0, "de", []int64{0, 2, 3}},
		{hours(2), 9, 2, "", []int64{0}},
	} {
		var gone int
		w.update(t, func(tx port.Tx) (err error) {
			gone, err = tx.Tokens().Purge(step.before, step.n)
			return err
		})
		if gone != step.want {
			t.Errorf("Purge removed %d tokens, want %d", gone, step.want)
		}
		var left string
		var families []int64
		w.view(t, func(tx port.Tx) error {
			for _, c := range "abcde" {
				if _, err := tx.Tokens().Get(access.Hash("purge-" + string(c))); err == nil {
					left += string(c)
				}
			}
			for n := range int64(4) {
				if _, err := tx.Tokens().Family(family(n)); err == nil {
					families = append(families, n)
				}
			}
			return nil
		})
		same(t, "tokens left", step.tokens, left)
		same(t, "families left", step.families, families)
	}
}

func idsGrow(t *testing.T, w *world) {
	for s := range port.Sequences {
		var last int64
		draw := func(tx port.Tx, n int) error {
			ids, err := tx.NextIDs(s, n)
			if err == nil && len(ids) != max(n, 0) {
				t.Errorf("sequence %d: %d ids instead of %d", s, len(ids), n)
			}
			for _, id := range ids {
				if id <= last {
					t.Errorf("sequence %d: %d was drawn after %d", s, id, last)
				}
				last = id
			}
			return err
		}
		// The very first id can be reserved like any other.
		w.update(t, func(tx port.Tx) error { return tx.ReserveID(s, 1) })
		last = 1
		w.update(t, func(tx port.Tx) error {
			return try(func() error { return draw(tx, 1) }, func() error { return draw(tx, 500) })
		})
		undone := errors.New("undone")
		if err := w.Update(t.Context(), func(tx port.Tx) error { return errors.Join(draw(tx, 3), undone) }); !errors.Is(err, undone) {
			t.Fatal(err)
		}
		w.update(t, func(tx port.Tx) error {
			return try(func() error { return draw(tx, 0) }, func() error { return draw(tx, -1) })
		})
		w.update(t, func(tx port.Tx) error { return draw(tx, 1) })
		for _, reserved := range []int64{last + 1, last + 2, last, 1, last + 1_000_000_000_000} {
			w.update(t, func(tx port.Tx) error {
				if err := tx.ReserveID(s, reserved); err != nil {
					return err
				}
				last = max(last, reserved)
				return draw(tx, 2)
			})
			w.update(t, func(tx port.Tx) error { return draw(tx, 2) })
		}
	}
}

func referenceNumbersGrow(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	var drawn []int64
	w.update(t, func(tx port.Tx) error {
		next := func(s site.ID, a site.AgencyID) func() error {
			return func() error {
				n, err := tx.Numbers().NextReference(s, a)
				drawn = append(drawn, n)
				return err
			}
		}
		raise := func(n int64) func() error { return func() error { return tx.Numbers().RaiseReference(id, 1, n) } }
		drawn = nil
		return try(next(id, 1), next(id, 1), next(id, 2), next(other, 1), raise(10), next(id, 1), raise(5), next(id, 1), next(id, 2))
	})
	same(t, "numbers", []int64{1, 2, 1, 1, 11, 12, 2}, drawn)
	w.update(t, func(tx port.Tx) error { return tx.Numbers().RaiseReference(other, 7, 41) })
	w.update(t, func(tx port.Tx) error {
		n, err := tx.Numbers().NextReference(other, 7)
		same(t, "number", int64(42), n)
		return err
	})
}

func unitsAreApart(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		err := try(
			func() error { return tx.Products().Add(plainProduct(id, 1)) },
			func() error { return tx.Customers().Put(sampleCustomer(id, 1)) },
			func() error { return appends(tx, id, 1) },
		)
		if err != nil {
			return err
		}
		if found, err := tx.Products().Scan(id, 0, 9); err != nil || len(found) != 1 {
			t.Errorf("in the unit: %d products, %v", len(found), err)
		}
		same(t, "the head meanwhile", port.Head{}, w.head(t, id))
		w.view(t, func(other port.Tx) error {
			if _, err := other.Products().Get(id, 1); !errors.Is(err, fault.NotFound) {
				t.Errorf("a view sees the product of a unit that has not ended: %v", err)
			}
			return nil
		})
		return nil
	})
	same(t, "the head afterwards", port.Head{Seq: 1}, w.head(t, id))
}

func viewsDoNotMove(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(plainProduct(id, 1)) })
	w.view(t, func(tx port.Tx) error {
		before, err := tx.Products().Get(id, 1)
		if err != nil {
			return err
		}
		w.update(t, func(writing port.Tx) error {
			changed := before
			changed.Color = 3
			return try(
				func() error { return writing.Products().Replace(changed) },
				func() error { return writing.Products().Add(plainProduct(id, 2)) },
				func() error { return appends(writing, id, 1) },
			)
		})
		after, err := tx.Products().Scan(id, 0, 9)
		same(t, "products in the view", []product.Product{before}, after)
		head, err2 := tx.Ledger().Head(id)
		same(t, "head in the view", port.Head{}, head)
		return errors.Join(err, err2)
	})
	same(t, "head", port.Head{Seq: 1}, w.head(t, id))
}

// timesNeverFall: whoever reads changes by their time must not miss one because
// the clock of another writer was behind.
func timesNeverFall(t *testing.T, w *world) {
	id := w.site(t)
	for i, step := range []struct{ at, want int }{{5, 5}, {3, 5}, {5, 5}, {8, 8}, {0, 8}} {
		w.update(t, func(tx port.Tx) error {
			last, err := tx.Ledger().Append(id, instant(step.at), someEvents(2))
			if err != nil {
				return err
			}
			events, err := tx.Ledger().After(id, last.Seq-2, 2)
			if err != nil {
				return err
			}
			for _, e := range events {
				if !e.At.Equal(instant(step.want)) || !last.At.Equal(e.At) {
					t.Errorf("step %d: the event has the time %v and Append said %v, want %v", i, e.At, last.At, instant(step.want))
				}
			}
			return nil
		})
	}
}

// lastID: the last id is at least every one that was drawn, also by a unit that failed, or reserved.
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
