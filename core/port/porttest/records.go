package porttest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// recordKind is a kind of record that is kept under a key. Records are pointers.
type recordKind struct {
	name string
	// bare returns a record that has nothing but its key: that of a site with a number, see
	// keyIn.
	bare func(site.ID, int64) any
	in   func(port.Tx) recordTable
	// kind is what the records are found by; nil for customers, who have a role of
	// their own.
	kind port.Kind
	// narrow takes away what a scan leaves out, if it does.
	narrow func(any)
}

// recordTable is where the records of a kind are kept.
type recordTable interface {
	Get(site.ID, int64) (any, error)
	GetUnlocked(site.ID, int64) (any, error)
	Many(site.ID, []int64) ([]any, error)
	Existing(site.ID, []int64) ([]int64, error)
	Scan(id site.ID, after int64, n int) ([]any, error)
	Put(any) error
	Delete(site.ID, int64) error
}

// recordKinds are those of port.Kinds, and the customers.
func recordKinds() []recordKind {
	all := []recordKind{{
		name: "customer",
		bare: func(of site.ID, id int64) any { return &customer.Customer{Site: of, ID: customer.ID(id)} },
		in:   func(tx port.Tx) recordTable { return customerTable{tx.Customers()} },
		narrow: func(record any) {
			record.(*customer.Customer).Profile = customer.Profile{}
		},
	}}
	for _, k := range port.Kinds {
		all = append(all, recordKind{
			name: k.Name(), kind: k,
			bare: func(of site.ID, n int64) any { return k.New(keyIn(k, of, n)) },
			in:   func(tx port.Tx) recordTable { return kindTable{tx.Records(), k} },
		})
	}
	return all
}

// keyIn is the key of a record that a number stands for. What the installation has is named
// after a site, so that each example has its own.
func keyIn(k port.Kind, of site.ID, n int64) port.Key {
	key := port.Key{Site: of, ID: n}
	if !port.IsOfSites(k) {
		key = port.Key{ID: int64(of)<<20 + n}
	}
	if k.Named() { // dictionaries sort names in another way than bytes
		key.ID, key.Name = 0, fmt.Sprint(of, "-", []string{"b", "A", "_", "é", "Z", "a"}[(n+6)%6], n)
	}
	return key
}

// kindTable has the records of a kind.
type kindTable struct {
	port.Records
	kind port.Kind
}

func (t kindTable) Get(of site.ID, n int64) (any, error) {
	return t.Records.Get(t.kind, keyIn(t.kind, of, n))
}

func (t kindTable) GetUnlocked(of site.ID, n int64) (any, error) {
	return t.Records.GetUnlocked(t.kind, keyIn(t.kind, of, n))
}

func (t kindTable) Put(record any) error { return t.Records.Put(t.kind, record) }

func (t kindTable) Delete(of site.ID, n int64) error {
	return t.Records.Delete(t.kind, keyIn(t.kind, of, n))
}

func (t kindTable) Many(of site.ID, ids []int64) ([]any, error) {
	among := port.Condition{Field: "id", Is: port.Among}
	for _, n := range ids {
		key := keyIn(t.kind, of, n)
		among.IDs, among.Texts = append(among.IDs, key.ID), append(among.Texts, key.Name)
	}
	if among.IDs = append([]int64{}, among.IDs...); !t.kind.Named() {
		among.Texts = nil
	} else if among.Texts == nil {
		among.Texts = []string{}
	}
	q := port.Query{Where: []port.Condition{among}, Limit: port.All}
	if port.IsOfSites(t.kind) {
		q.Site = of
	}
	return t.Find(t.kind, q)
}

func (t kindTable) Existing(of site.ID, ids []int64) (existing []int64, err error) {
	found, err := t.Many(of, ids)
	for _, record := range found {
		i := slices.IndexFunc(ids, func(n int64) bool { return keyIn(t.kind, of, n) == t.kind.Key(record) })
		existing = append(existing, ids[i])
	}
	return existing, err
}

func (t kindTable) Scan(of site.ID, after int64, n int) ([]any, error) {
	return t.Find(t.kind, port.Query{Site: of, After: &port.Place{ID: after}, Limit: max(n, 0)})
}

// customerTable has the customers.
type customerTable struct{ port.Customers }

func (t customerTable) Get(of site.ID, id int64) (any, error) {
	found, err := t.Customers.Get(of, customer.ID(id))
	return &found, err
}

func (t customerTable) GetUnlocked(of site.ID, id int64) (any, error) {
	found, err := t.Customers.GetUnlocked(of, customer.ID(id))
	return &found, err
}

func (t customerTable) Many(of site.ID, ids []int64) ([]any, error) {
	return pointers(t.Customers.Many(of, idsAs[customer.ID](ids)))
}

func (t customerTable) Existing(of site.ID, ids []int64) ([]int64, error) {
	found, err := t.Customers.Existing(of, idsAs[customer.ID](ids))
	return idsAs[int64](found), err
}

func (t customerTable) Scan(of site.ID, after int64, n int) ([]any, error) {
	return pointers(t.Customers.Scan(of, customer.ID(after), n))
}

func (t customerTable) Put(record any) error { return t.Customers.Put(*record.(*customer.Customer)) }

func (t customerTable) Delete(of site.ID, id int64) error {
	return t.Customers.Delete(of, customer.ID(id))
}

func pointers[T any](found []T, err error) (all []any, _ error) {
	for i := range found {
		all = append(all, &found[i])
	}
	return all, err
}

func idsAs[To, From ~int64](ids []From) []To {
	out := make([]To, len(ids))
	for i, id := range ids {
		out[i] = To(id)
	}
	return out
}

// sample returns a record in which every field has a value of its own.
func (k recordKind) sample(of site.ID, id int64) any {
	n := 0
	return k.keyed(of, id, func(v reflect.Value) { fill(v, &n) })
}

// sampleOf returns the sample of a kind.
func sampleOf[T any](name string, of site.ID, id int64) T {
	kinds := recordKinds()
	i := slices.IndexFunc(kinds, func(k recordKind) bool { return k.name == name })
	return *kinds[i].sample(of, id).(*T)
}

// samples returns the samples with some ids, as a scan shows them if narrow.
func (k recordKind) samples(of site.ID, narrow bool, ids ...int64) (all []any) {
	for _, id := range ids {
		record := k.sample(of, id)
		if narrow && k.narrow != nil {
			k.narrow(record)
		}
		all = append(all, record)
	}
	if k.kind != nil {
		slices.SortFunc(all, func(a, b any) int { return port.Query{}.Compare(k.kind, a, b) })
	}
	return all
}

// isScanned reports whether records are listed by their numbers.
func (k recordKind) isScanned() bool {
	return k.kind == nil || port.IsOfSites(k.kind) && !k.kind.Named()
}

// keyed returns a record whose fields but the key are set by a function.
func (k recordKind) keyed(of site.ID, id int64, set func(reflect.Value)) any {
	record := k.bare(of, id)
	k.besideKey(record, set)
	return record
}

// besideKey calls a function with each field of a record that is no part of its key.
func (k recordKind) besideKey(record any, do func(reflect.Value)) {
	var each func(v, key reflect.Value)
	each = func(v, key reflect.Value) {
		for i := range v.NumField() {
			switch {
			case key.Field(i).IsZero():
				do(v.Field(i))
			case v.Field(i).Kind() == reflect.Struct:
				each(v.Field(i), key.Field(i))
			}
		}
	}
	each(reflect.ValueOf(record).Elem(), reflect.ValueOf(k.bare(1, 1)).Elem())
}

// counter is a field of a record that changes can count up: a number, or else a text or the
// length of a list.
func (k recordKind) counter(record any) (get func() int64, set func(int64)) {
	k.besideKey(record, func(f reflect.Value) {
		switch {
		case f.Kind() == reflect.Int64:
			get, set = f.Int, f.SetInt
		case f.Kind() == reflect.String && get == nil:
			get = func() int64 { n, _ := strconv.ParseInt(f.String(), 10, 64); return n }
			set = func(n int64) { f.SetString(strconv.FormatInt(n, 10)) }
		case f.Kind() == reflect.Slice && get == nil:
			get = func() int64 { return int64(f.Len()) }
			set = func(n int64) { f.Set(reflect.MakeSlice(f.Type(), int(n), int(n))) }
		}
	})
	return get, set
}

func (k recordKind) put(t *testing.T, w *world, records ...any) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return each(k.in(tx).Put, records...) })
}

func (k recordKind) examples() []example {
	all := []example{
		{k.name + "/ArePickedAndPaged", k.pickedAndPaged},
		{k.name + "/ComeBackAsTheyWentInOrAreNotFound", k.comeBack},
		{k.name + "/AreCopies", k.copies},
		{k.name + "/NoChangeIsLost", k.noneLost},
		{k.name + "/NoChangeOfAnUnlockedOneIsLost", k.noneLostUnlocked},
	}
	if k.kind == nil {
		return all
	}
	if all = append(all, example{k.name + "/OneOfManyAddsAndDeletes", k.oneAddsAndDeletes}); len(k.kind.Links()) > 0 {
		all = append(all, example{k.name + "/LinksAreThoseOfTheLastState", k.lastLinks})
	}
	return all
}

func (k recordKind) pickedAndPaged(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	k.put(t, w, append(k.samples(id, false, 12, 3, 100, 7), k.samples(other, false, 1, 3, 8)...)...)
	w.update(t, func(tx port.Tx) error { return k.in(tx).Delete(id, 7) })
	check := func(tx port.Tx) error {
		many, err := k.in(tx).Many(id, []int64{100, 8, 3, 7, 100, -1})
		same(t, "many", k.samples(id, false, 3, 100), many)
		none, err2 := k.in(tx).Many(id, nil)
		same(t, "none", 0, len(none))
		existing, err3 := k.in(tx).Existing(id, []int64{100, 8, 3, 7, 100, -1})
		slices.Sort(existing)
		same(t, "existing", []int64{3, 100}, existing)
		none2, err4 := k.in(tx).Existing(id, nil)
		same(t, "none existing", 0, len(none2))
		if err = errors.Join(err, err2, err3, err4); !k.isScanned() {
			return err
		}
		for _, page := range []struct {
			after int64
			n     int
			want  []int64
		}{{0, 10, []int64{3, 12, 100}}, {0, 2, []int64{3, 12}}, {3, 1, []int64{12}}, {6, 1, []int64{12}}, {100, 9, nil}, {0, 0, nil}, {0, -1, nil}, {-5, 1, []int64{3}}} {
			got, err2 := k.in(tx).Scan(id, page.after, page.n)
			same(t, fmt.Sprintf("scan %d after %d", page.n, page.after), k.samples(id, true, page.want...), got)
			err = errors.Join(err, err2)
		}
		return err
	}
	w.view(t, check)
	w.update(t, check)
}

func (k recordKind) comeBack(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	gone := func() {
		t.Helper()
		w.notFound(t, "get", func(tx port.Tx) error { _, err := k.in(tx).Get(id, 1); return err })
		w.notFound(t, "delete", func(tx port.Tx) error { return k.in(tx).Delete(id, 1) })
	}
	k.put(t, w, k.sample(other, 1))
	gone()
	k.put(t, w, k.samples(id, false, 1, 2)...)
	w.update(t, func(tx port.Tx) error {
		err := k.in(tx).Delete(id, 1)
		if _, gone := k.in(tx).Get(id, 1); !errors.Is(gone, fault.NotFound) {
			t.Errorf("get in the unit that deletes: %v, want fault.NotFound", gone)
		}
		return err
	})
	gone()
	w.view(t, func(tx port.Tx) error {
		left, err := k.in(tx).Many(id, []int64{1, 2, 3})
		same(t, "records left", k.samples(id, false, 2), left)
		elsewhere, err2 := k.in(tx).Get(other, 1)
		same(t, "the record of another site", k.sample(other, 1), elsewhere)
		return errors.Join(err, err2)
	})
	for _, want := range []any{k.sample(id, 1), k.bare(id, 1)} {
		read := func(tx port.Tx) error {
			got, err := k.in(tx).Get(id, 1)
			same(t, "record that is new again", want, got)
			return err
		}
		w.update(t, func(tx port.Tx) error { return errors.Join(k.in(tx).Put(want), read(tx)) })
		w.view(t, read)
	}
}

func (k recordKind) copies(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		given := k.sample(id, 1)
		err := k.in(tx).Put(given)
		spoil(&given)
		return err
	})
	read := func(tx port.Tx) error {
		got, err := k.in(tx).Get(id, 1)
		same(t, "record", k.sample(id, 1), got)
		many, err2 := k.in(tx).Many(id, []int64{1})
		same(t, "record among many", k.samples(id, false, 1), many)
		spoil(&got, &many)
		if err := errors.Join(err, err2); err != nil || !k.isScanned() {
			return err
		}
		scan, err := k.in(tx).Scan(id, 0, 1)
		spoil(&scan)
		return err
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (k recordKind) noneLost(t *testing.T, w *world) {
	id := w.site(t)
	k.put(t, w, k.bare(id, 1))
	noneLost(t, w, func(tx port.Tx) (int64, error) { return k.counted(k.in(tx).Get(id, 1)) },
		func(tx port.Tx) error { return k.countUp(tx, k.in(tx).Get, id) })
}

func (k recordKind) noneLostUnlocked(t *testing.T, w *world) {
	id := w.site(t)
	k.put(t, w, k.bare(id, 1))
	noneLostUnlocked(t, w, id, func(tx port.Tx) (int64, error) { return k.counted(k.in(tx).Get(id, 1)) }, func(tx port.Tx) error {
		return k.countUp(tx, func(of site.ID, id int64) (any, error) {
			found, err := k.in(tx).GetUnlocked(of, id)
			if err == nil {
				err = happens(tx, of, event.SearchUpdate)
			}
			return found, err
		}, id)
	})
}

func (k recordKind) counted(found any, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	get, _ := k.counter(found)
	return get(), nil
}

func (k recordKind) countUp(tx port.Tx, read func(site.ID, int64) (any, error), of site.ID) error {
	found, err := read(of, 1)
	if err != nil {
		return err
	}
	get, set := k.counter(found)
	set(get() + 1)
	return k.in(tx).Put(found)
}

// oneAddsAndDeletes lets workers add the same record, and then delete it: one of them can.
func (k recordKind) oneAddsAndDeletes(t *testing.T, w *world) {
	for _, id := range []site.ID{w.site(t), w.site(t)} {
		oneOf(t, w, port.ErrTaken, func(tx port.Tx) error { return tx.Records().Add(k.kind, k.sample(id, 1)) })
		w.update(t, func(tx port.Tx) error {
			if err := tx.Records().Add(k.kind, k.bare(id, 1)); !errors.Is(err, port.ErrTaken) {
				t.Errorf("adding a record that is there: %v, want port.ErrTaken", err)
			}
			return tx.Records().Add(k.kind, k.sample(id, 2)) // the unit is still good
		})
		w.view(t, func(tx port.Tx) error {
			added, err := k.in(tx).Many(id, []int64{1, 2})
			same(t, "what was added", k.samples(id, false, 1, 2), added)
			return err
		})
		oneOf(t, w, fault.NotFound, func(tx port.Tx) error {
			if _, err := k.in(tx).Get(id, 1); err != nil {
				return err
			}
			return k.in(tx).Delete(id, 1)
		})
	}
}

// oneOf lets workers do the same at once. One of them can, and the others fail in one way.
func oneOf(t *testing.T, w *world, others error, do func(port.Tx) error) {
	t.Helper()
	var won drawn
	together(t, workers, func(ctx context.Context, worker int) error {
		err := w.Update(ctx, do)
		if err == nil {
			won.add(int64(worker))
		} else if errors.Is(err, others) {
			err = nil
		}
		return err
	})
	won.distinct(t, 1)
}

// recordsAreFound puts records of a kind that are alike into two sites, deletes some, and makes
// queries up out of what they are found by.
func recordsAreFound(t *testing.T, w *world) {
	kinds := slices.DeleteFunc(recordKinds(), func(k recordKind) bool { return k.kind == nil || len(k.kind.Found(k.bare(1, 1)).Fields) == 0 })
	rapid.Check(t, func(r *rapid.T) {
		k := rapid.SampledFrom(kinds).Draw(r, "kind")
		sites := []site.ID{site.ID(w.id()), site.ID(w.id())}
		ours, kept := map[port.Key]bool{}, map[port.Key]any{}
		for n := range int64(6) {
			ours[keyIn(k.kind, sites[0], n+1)], ours[keyIn(k.kind, sites[1], n+1)] = true, true
		}
		var puts []any
		for range rapid.IntRange(1, 12).Draw(r, "puts") {
			record := k.alike(r, rapid.SampledFrom(sites).Draw(r, "site"), rapid.Int64Range(1, 6).Draw(r, "id"))
			puts, kept[k.kind.Key(record)] = append(puts, record), record
		}
		gone := rapid.Int64Range(1, 6).Draw(r, "deleted")
		_, deletes := kept[keyIn(k.kind, sites[0], gone)]
		delete(kept, keyIn(k.kind, sites[0], gone))
		w.update(t, func(tx port.Tx) error {
			for _, of := range sites {
				if err := tx.Sites().Put(site.Site{ID: of}); err != nil {
					return err
				}
			}
			return each(k.in(tx).Put, puts...)
		})
		if deletes {
			w.update(t, func(tx port.Tx) error { return k.in(tx).Delete(sites[0], gone) })
		}
		var queries []port.Query
		for range 4 {
			queries = append(queries, k.query(r, sites[0]))
		}
		check := func(tx port.Tx) error {
			for _, q := range queries {
				got, err := tx.Records().Find(k.kind, q)
				got = slices.DeleteFunc(got, func(record any) bool { return !ours[k.kind.Key(record)] })
				if d := difference(k.wanted(q, kept), got); d != "" {
					r.Errorf("%+v (-want +got):\n%s", q, d)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
		w.view(t, check)
		w.update(t, check)
	})
}

// wanted are the records that a query finds among those that are kept.
func (k recordKind) wanted(q port.Query, kept map[port.Key]any) (want []any) {
	for _, record := range kept {
		if q.Matches(k.kind, record) {
			want = append(want, record)
		}
	}
	slices.SortFunc(want, func(a, b any) int { return q.Compare(k.kind, a, b) })
	want = want[min(q.Skip, len(want)):]
	if q.Limit == port.All {
		return want
	}
	return want[:min(q.Limit, len(want))]
}

// alike makes up a record out of few values.
func (k recordKind) alike(r *rapid.T, of site.ID, id int64) any {
	return k.keyed(of, id, func(v reflect.Value) { vary(r, v) })
}

// query makes up a query for a site, or sometimes for all sites and all records.
func (k recordKind) query(r *rapid.T, of site.ID) port.Query {
	q := port.Query{Site: of, Limit: port.All, Desc: rapid.Bool().Draw(r, "desc")}
	found := k.kind.Found(k.alike(r, of, rapid.Int64Range(1, 6).Draw(r, "like")))
	if rapid.Bool().Draw(r, "sorted") {
		by := rapid.SampledFrom(found.Fields).Draw(r, "by")
		switch by.Value.(type) {
		case int64:
			q.By = by.Name
		case time.Time: // what has none has no place
			q.By, q.Where = by.Name, append(q.Where, port.Condition{Field: by.Name, Is: port.AtLeast, Value: instant(-1)})
		}
	}
	for range rapid.IntRange(0, 3).Draw(r, "conditions") {
		q.Where = append(q.Where, k.condition(r, of, found))
	}
	if !port.IsOfSites(k.kind) {
		q.Site = 0
		return q
	}
	switch rapid.SampledFrom([]string{"all", "limit", "page", "everywhere"}).Draw(r, "part") {
	case "limit":
		q.Limit, q.Skip = rapid.IntRange(0, 3).Draw(r, "limit"), rapid.IntRange(0, 2).Draw(r, "skip")
	case "page":
		q.After = &port.Place{ID: rapid.Int64Range(0, 6).Draw(r, "after")}
		if q.By != "" {
			q.After.By = k.value(found, q.By)
		}
	case "everywhere":
		q.Site = 0
	}
	if at, is := k.value(found, q.By).(time.Time); is && at.IsZero() && q.After != nil {
		q.After = nil
	}
	return q
}

func (k recordKind) value(found port.Found, name string) any {
	for _, f := range found.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

func (k recordKind) condition(r *rapid.T, of site.ID, found port.Found) port.Condition {
	ids := rapid.SliceOfN(rapid.Int64Range(0, 3), 0, 3).Draw(r, "ids")
	if links := k.kind.Links(); len(links) > 0 && rapid.IntRange(0, 2).Draw(r, "link") == 0 {
		c := port.LinkedTo(rapid.SampledFrom(links).Draw(r, "of"), ids...)
		if rapid.Bool().Draw(r, "window") {
			from := rapid.IntRange(0, 3).Draw(r, "from")
			c.From, c.To = instant(from), instant(from+rapid.IntRange(1, 3).Draw(r, "length"))
		}
		return c
	}
	id := port.Field{Name: "id", Value: keyIn(k.kind, of, 3).ID}
	if k.kind.Named() {
		id.Value = keyIn(k.kind, of, 3).Name
	}
	f := rapid.SampledFrom(append(found.Fields, id)).Draw(r, "field")
	c := port.Condition{Field: f.Name, Value: f.Value}
	order := []port.Comparison{port.Equal, port.Below, port.AtMost, port.Above, port.AtLeast}
	switch at := f.Value.(type) {
	case int64:
		if c.Is = rapid.SampledFrom(append(order, port.Among)).Draw(r, "is"); c.Is == port.Among {
			c.IDs = append([]int64{at}, ids...)
		}
	case string:
		if c.Is = rapid.SampledFrom([]port.Comparison{port.Equal, port.Among}).Draw(r, "is"); c.Is == port.Among {
			c = port.AmongTexts(f.Name, []string{at, awkward, ""}[:rapid.IntRange(0, 3).Draw(r, "texts")])
		}
	case bool:
		c.Is = port.Equal
	case time.Time:
		if c.Is = rapid.SampledFrom(append(order, port.Unset)).Draw(r, "is"); at.IsZero() {
			c.Value = instant(2)
		}
	}
	if rapid.IntRange(0, 4).Draw(r, "either") == 0 {
		return port.Condition{Either: [][]port.Condition{{c}, {k.condition(r, of, found), k.condition(r, of, found)}}}
	}
	return c
}

// lastLinks lets workers change one record at once. It has the links of its last state.
func (k recordKind) lastLinks(t *testing.T, w *world) {
	id := w.site(t)
	k.put(t, w, k.bare(id, 1))
	generator := rapid.Custom(func(r *rapid.T) any { return k.alike(r, id, 1) })
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			record := generator.Example(i*rounds + round)
			if err := w.Update(ctx, func(tx port.Tx) error { return k.in(tx).Put(record) }); err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		last, err := k.in(tx).Get(id, 1)
		if err != nil {
			return err
		}
		for _, link := range k.kind.Links() {
			for n := range int64(4) {
				q := port.Query{Site: id, Where: []port.Condition{port.LinkedTo(link, n)}, Limit: port.All}
				found, err := tx.Records().Find(k.kind, q)
				if err != nil {
					return err
				}
				if is := q.Matches(k.kind, last); (len(found) == 1) != is {
					t.Errorf("%d are linked to %s %d, and that the last state is, is %t", len(found), link, n, is)
				}
			}
		}
		return nil
	})
}

func (k recordKind) seed(tx port.Tx, s site.ID) error { return k.in(tx).Put(k.sample(s, 1)) }

func (k recordKind) writes(tx port.Tx, s site.ID) map[string]func() error {
	ways := map[string]func() error{
		"replace " + k.name: func() error { return k.in(tx).Put(k.bare(s, 1)) },
		"put " + k.name:     func() error { return k.in(tx).Put(k.sample(s, 2)) },
		"delete " + k.name:  func() error { return k.in(tx).Delete(s, 1) },
	}
	if k.kind != nil {
		ways["add "+k.name] = func() error { return tx.Records().Add(k.kind, k.sample(s, 3)) }
	}
	return ways
}

func (k recordKind) picture(tx port.Tx, s site.ID) (_ any, err error) {
	var pictures [][]any
	if k.isScanned() {
		pictures = append(pictures, nil)
		if pictures[0], err = k.in(tx).Scan(s, 0, 100); err != nil {
			return nil, err
		}
	} else {
		for n := range int64(3) {
			record, err := k.in(tx).Get(s, n+1)
			pictures = append(pictures, []any{record, err == nil})
		}
	}
	if k.kind != nil {
		first := k.kind.Found(k.sample(s, 1))
		for _, l := range first.Links {
			linked, err3 := tx.Records().Find(k.kind, port.Query{Site: s, Where: []port.Condition{port.LinkedTo(l.Name, l.ID)}, Limit: port.All})
			pictures, err = append(pictures, linked), errors.Join(err, err3)
		}
	}
	return pictures, err
}

// lowest returns the id above which those of a site are. No two sites have an agency with the
// same id.
func (k recordKind) lowest(of site.ID) int64 {
	if k.name == "agency" {
		return int64(of) * 1000
	}
	return 0
}

func (k recordKind) command(p program) command {
	id, after := p.number("id", 4), p.number("after", 4)-1
	id += k.lowest(p.site)
	record := k.alike(p.rapid, p.site, id)
	ways := []command{
		{"put", func(tx port.Tx) (any, error) { return nil, k.in(tx).Put(record) }},
		{"put again", func(tx port.Tx) (any, error) { return nil, k.in(tx).Put(record) }},
		{"get", func(tx port.Tx) (any, error) { return k.in(tx).Get(p.site, id) }},
		{"many", func(tx port.Tx) (any, error) { return k.in(tx).Many(p.site, []int64{3, id, id}) }},
		{"existing", func(tx port.Tx) (any, error) { return k.in(tx).Existing(p.site, []int64{3, id, id}) }},
		{"delete", func(tx port.Tx) (any, error) { return nil, k.in(tx).Delete(p.site, id) }},
	}
	if k.isScanned() {
		ways = append(ways, command{"scan", func(tx port.Tx) (any, error) { return k.in(tx).Scan(p.site, after, 2) }})
	}
	if k.kind != nil {
		ways = append(ways, command{"add", func(tx port.Tx) (any, error) { return nil, tx.Records().Add(k.kind, record) }})
	}
	if k.kind != nil && port.IsOfSites(k.kind) && len(k.kind.Found(record).Fields) > 0 {
		q := k.query(p.rapid, p.site)
		q.Site = p.site
		ways = append(ways, command{fmt.Sprintf("find %+v", q), func(tx port.Tx) (any, error) { return tx.Records().Find(k.kind, q) }})
	}
	picked := draw(p, "kind", ways...)
	picked.name += fmt.Sprintf(" %s %d after %d: %+v", k.name, id, after, record)
	return picked
}

// fill gives a value and all within it values of their own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.1)
	case reflect.String:
		v.SetString(awkward + strconv.Itoa(*n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(instant(*n)))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), n)
			}
		}
	default:
		panic(fmt.Sprintf("there is no sample of a %s", v.Type()))
	}
}

// vary gives a value and all within it one of few values.
func vary(r *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(r, "flag"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64Range(0, 3).Draw(r, "number"))
	case reflect.Float64:
		v.SetFloat(float64(rapid.IntRange(0, 3).Draw(r, "number")) / 2)
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", "A", "%", awkward}).Draw(r, "text"))
	case reflect.Pointer:
		if rapid.Bool().Draw(r, "known") {
			v.Set(reflect.New(v.Type().Elem()))
			vary(r, v.Elem())
			if v.Elem().Kind() == reflect.Slice && v.Elem().IsNil() { // which is written as nothing
				v.Elem().Set(reflect.MakeSlice(v.Type().Elem(), 0, 0))
			}
		}
	case reflect.Slice:
		if n := rapid.IntRange(0, 2).Draw(r, "length"); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				vary(r, v.Index(i))
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			if n := rapid.IntRange(-1, 4).Draw(r, "moment"); n >= 0 {
				v.Set(reflect.ValueOf(instant(n)))
			}
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				vary(r, v.Field(i))
			}
		}
	default: // what nothing is found by stays as it is
	}
}
