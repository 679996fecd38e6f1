package porttest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// entities are the kinds of record that are kept in a port.Table, or like in one.
func entities() []entity {
	all := []entity{
		inTable[site.ScopeChangeID, site.ScopeChange]{
			name: "ScopeChanges", table: port.Tx.ScopeChanges, sample: sampleScopeChange,
			key: func(c *site.ScopeChange) (*site.ID, *site.ScopeChangeID, *int64) { return &c.Site, &c.ID, &c.After },
		},
		inTable[customer.ID, customer.Customer]{
			name: "Customers", table: func(tx port.Tx) port.Table[customer.ID, customer.Customer] { return tx.Customers() }, sample: sampleCustomer,
			key:    func(c *customer.Customer) (*site.ID, *customer.ID, *int64) { return &c.Site, &c.ID, &c.Version },
			narrow: func(c *customer.Customer) { c.Profile = customer.Profile{} },
		},
		inTable[customer.ID, customer.Merged]{
			name: "Merged", table: port.Tx.Merged, sample: sampleMerged,
			key:    func(m *customer.Merged) (*site.ID, *customer.ID, *int64) { return &m.Site, &m.ID, nil },
			moment: func(m *customer.Merged) *time.Time { return &m.At },
		},
		ofCustomers("SearchRequests", port.Tx.SearchRequests, sampleSearch,
			func(s *demand.SearchRequest) (*site.ID, *demand.SearchID, *int64, *customer.ID) {
				return &s.Site, &s.ID, &s.Version, &s.Customer
			}),
		ofCustomers("FollowUps", port.Tx.FollowUps, sampleFollowUp,
			func(f *demand.FollowUp) (*site.ID, *demand.FollowUpID, *int64, *customer.ID) {
				return &f.Site, &f.ID, &f.Version, &f.Customer
			}),
		ofCustomers("Leads", func(tx port.Tx) port.CustomerTable[demand.LeadID, demand.Lead] { return tx.Leads() }, sampleLead,
			func(l *demand.Lead) (*site.ID, *demand.LeadID, *int64, *customer.ID) {
				return &l.Site, &l.ID, &l.Version, &l.Customer
			}),
	}
	for _, k := range dealKinds() {
		all = append(all, k)
	}
	return append(all, agendaKinds()...)
}

// entityExamples are those of all kinds of record.
func entityExamples() []example {
	var all []example
	for _, e := range slices.Concat(entities(), registers()) {
		all = append(all, e.examples()...)
	}
	return all
}

// entity is a kind of record, whatever its type.
type entity interface {
	examples() []example
	// seed puts a first record into a site, writes are the ways to change something
	// about that one, and picture is all that can be read then.
	seed(port.Tx, site.ID) error
	writes(port.Tx, site.ID) map[string]func() error
	picture(port.Tx, site.ID) (any, error)
	// command makes up one command of a program.
	command(program) command
}

// inTable is one kind of record that is kept in a table.
type inTable[ID ~int64, T any] struct {
	name   string
	table  func(port.Tx) port.Table[ID, T]
	sample func(site.ID, ID) T
	key    func(*T) (of *site.ID, id *ID, version *int64)
	// moment is what changes instead of the version, for records that have none.
	moment func(*T) *time.Time
	// least sets what no record is without, if there is such.
	least func(*T)
	// narrow takes away what a scan leaves out, if it does.
	narrow func(*T)
	// byCustomer lists the records of a customer, and customer is whose a record
	// is; nil where records do not belong to customers.
	byCustomer func(port.Tx) port.CustomerTable[ID, T]
	customer   func(*T) *customer.ID
}

// ofCustomers is a kind of record that belongs to customers.
func ofCustomers[ID ~int64, T any](
	name string, table func(port.Tx) port.CustomerTable[ID, T], sample func(site.ID, ID) T,
	key func(*T) (*site.ID, *ID, *int64, *customer.ID),
) entity {
	return inTable[ID, T]{
		name: name, table: func(tx port.Tx) port.Table[ID, T] { return table(tx) }, sample: sample,
		key: func(v *T) (*site.ID, *ID, *int64) {
			of, id, version, _ := key(v)
			return of, id, version
		},
		byCustomer: table,
		customer: func(v *T) *customer.ID {
			_, _, _, c := key(v)
			return c
		},
	}
}

// bare is a record that has nothing but its key, and what none is without.
func (k inTable[ID, T]) bare(s site.ID, n ID) (v T) {
	of, id, _ := k.key(&v)
	*of, *id = s, n
	if k.least != nil {
		k.least(&v)
	}
	return v
}

// counted is the number in a record that its changes count up.
func (k inTable[ID, T]) counted(v *T) int64 {
	if k.moment != nil {
		return k.moment(v).UnixMicro()
	}
	_, _, version := k.key(v)
	return *version
}

// count sets that number.
func (k inTable[ID, T]) count(v *T, n int64) {
	if k.moment != nil {
		*k.moment(v) = time.UnixMicro(n).UTC()
		return
	}
	_, _, version := k.key(v)
	*version = n
}

// samples are the samples with some ids, as a scan shows them if narrow.
func (k inTable[ID, T]) samples(s site.ID, narrow bool, ids ...ID) []T {
	var all []T
	for _, id := range ids {
		v := k.sample(s, id)
		if narrow && k.narrow != nil {
			k.narrow(&v)
		}
		all = append(all, v)
	}
	return all
}

// puts stores records.
func (k inTable[ID, T]) puts(t *testing.T, w *world, records ...T) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return each(k.table(tx).Put, records...) })
}

// ids are those of records.
func (k inTable[ID, T]) ids(records []T) []int64 {
	ids := make([]int64, len(records))
	for n := range records {
		_, id, _ := k.key(&records[n])
		ids[n] = int64(*id)
	}
	return ids
}

// finds holds the ids that a read answers against what they must be, in a view and
// in a unit that writes.
func (k inTable[ID, T]) finds(t *testing.T, w *world, what string, read func(port.Tx) ([]T, error), want ...int64) {
	t.Helper()
	check := func(tx port.Tx) error {
		found, err := read(tx)
		same(t, what, want, k.ids(found))
		return err
	}
	w.view(t, check)
	w.update(t, check)
}

func (k inTable[ID, T]) examples() []example {
	all := []example{
		{k.name + "ComeBackAsTheyWentIn", k.comeBack},
		{k.name + "ArePickedAndPaged", k.pickedAndPaged},
		{"Absent" + k.name + "AreNotFound", k.absent},
		{k.name + "AreCopies", k.copies},
		{"NoChangeOf" + k.name + "IsLost", k.noneLost},
		{"NoChangeOfExpected" + k.name + "IsLost", k.noneLostExpected},
	}
	if k.customer != nil {
		all = append(all, example{k.name + "AreListedByCustomer", k.listed})
	}
	return all
}

func (k inTable[ID, T]) comeBack(t *testing.T, w *world) {
	id := w.site(t)
	put := func(tx port.Tx, v T) error { return k.table(tx).Put(v) }
	comesBack(t, w, "record", k.sample(id, 6), k.bare(id, 6), put, func(tx port.Tx) (T, error) { return k.table(tx).Get(id, 6) })
	comesBack(t, w, "record among many", k.sample(id, 6), k.bare(id, 6), put,
		func(tx port.Tx) (T, error) { return only(k.table(tx).Many(id, []ID{6})) })
}

func (k inTable[ID, T]) pickedAndPaged(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	k.puts(t, w, append(k.samples(id, false, 12, 3, 100, 7), k.samples(other, false, 1, 3, 8)...)...)
	w.update(t, func(tx port.Tx) error { return k.table(tx).Delete(id, 7) })
	check := func(tx port.Tx) error {
		many, err := k.table(tx).Many(id, []ID{100, 8, 3, 7, 100, -1})
		same(t, "many", k.samples(id, false, 3, 100), many)
		none, err2 := k.table(tx).Many(id, nil)
		same(t, "none", 0, len(none))
		existing, err3 := k.table(tx).Existing(id, []ID{100, 8, 3, 7, 100, -1})
		same(t, "existing", []ID{3, 100}, existing)
		none2, err4 := k.table(tx).Existing(id, nil)
		same(t, "none existing", 0, len(none2))
		err = errors.Join(err, err2, err3, err4)
		for _, page := range []struct {
			after ID
			n     int
			want  []ID
		}{{0, 10, []ID{3, 12, 100}}, {0, 2, []ID{3, 12}}, {3, 1, []ID{12}}, {6, 1, []ID{12}}, {100, 9, nil}, {0, 0, nil}, {0, -1, nil}, {-5, 1, []ID{3}}} {
			got, err2 := k.table(tx).Scan(id, page.after, page.n)
			same(t, fmt.Sprintf("scan %d after %d", page.n, page.after), k.samples(id, true, page.want...), got)
			err = errors.Join(err, err2)
		}
		return err
	}
	w.view(t, check)
	w.update(t, check)
}

func (k inTable[ID, T]) listed(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	of := func(c customer.ID, v T) T {
		*k.customer(&v) = c
		return v
	}
	first, second, others := of(1, k.sample(id, 2)), of(1, k.bare(id, 11)), of(2, k.sample(id, 5))
	k.puts(t, w, second, first, others, of(1, k.sample(other, 3)))
	holds := func(c customer.ID, want ...T) {
		t.Helper()
		check := func(tx port.Tx) error {
			got, err := k.byCustomer(tx).Of(id, c)
			same(t, fmt.Sprint("records of customer ", c), want, got)
			all, err2 := k.byCustomer(tx).ScanOf(id, c, 0, len(want)+1)
			same(t, fmt.Sprint("records of customer, scanned ", c), want, all)
			return errors.Join(err, err2)
		}
		w.view(t, check)
		w.update(t, check)
	}
	holds(1, first, second)
	holds(2, others)
	holds(3)
	w.view(t, func(tx port.Tx) (err error) {
		for _, page := range []struct {
			after ID
			n     int
			want  []T
		}{{0, 1, []T{first}}, {2, 1, []T{second}}, {1, 9, []T{first, second}}, {3, 9, []T{second}}, {11, 9, nil}, {0, 0, nil}, {0, -1, nil}, {-5, 1, []T{first}}} {
			got, err2 := k.byCustomer(tx).ScanOf(id, 1, page.after, page.n)
			same(t, fmt.Sprintf("scan %d of customer 1 after %d", page.n, page.after), page.want, got)
			err = errors.Join(err, err2)
		}
		return err
	})
	k.puts(t, w, of(2, first))
	holds(1, second)
	holds(2, of(2, first), others)
	w.update(t, func(tx port.Tx) error { return k.table(tx).Delete(id, 11) })
	holds(1)
}

func (k inTable[ID, T]) absent(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	gone := func() {
		t.Helper()
		w.notFound(t, "get", func(tx port.Tx) error { _, err := k.table(tx).Get(id, 1); return err })
		w.notFound(t, "delete", func(tx port.Tx) error { return k.table(tx).Delete(id, 1) })
	}
	k.puts(t, w, k.sample(other, 1))
	gone()
	k.puts(t, w, k.samples(id, false, 1, 2)...)
	w.update(t, func(tx port.Tx) error {
		err := k.table(tx).Delete(id, 1)
		if _, gone := k.table(tx).Get(id, 1); !errors.Is(gone, fault.NotFound) {
			t.Errorf("get in the unit that deletes: %v, want fault.NotFound", gone)
		}
		return err
	})
	gone()
	w.view(t, func(tx port.Tx) error {
		left, err := k.table(tx).Scan(id, 0, 9)
		same(t, "records left", k.samples(id, true, 2), left)
		elsewhere, err2 := k.table(tx).Get(other, 1)
		same(t, "the record of another site", k.sample(other, 1), elsewhere)
		return errors.Join(err, err2)
	})
	comesBack(t, w, "record that is new again", k.sample(id, 1), k.bare(id, 1),
		func(tx port.Tx, v T) error { return k.table(tx).Put(v) }, func(tx port.Tx) (T, error) { return k.table(tx).Get(id, 1) })
}

func (k inTable[ID, T]) copies(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		given := k.sample(id, 1)
		err := k.table(tx).Put(given)
		spoil(&given)
		return err
	})
	read := func(tx port.Tx) error {
		got, err := k.table(tx).Get(id, 1)
		same(t, "record", k.sample(id, 1), got)
		many, err2 := k.table(tx).Many(id, []ID{1})
		scan, err3 := k.table(tx).Scan(id, 0, 1)
		spoil(&got, &many, &scan)
		err = errors.Join(err, err2, err3)
		if k.customer != nil {
			of, err2 := k.byCustomer(tx).Of(id, *k.customer(&got))
			scanned, err3 := k.byCustomer(tx).ScanOf(id, *k.customer(&got), 0, 9)
			spoil(&of, &scanned)
			err = errors.Join(err, err2, err3)
		}
		return err
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (k inTable[ID, T]) noneLost(t *testing.T, w *world) {
	id := w.site(t)
	k.puts(t, w, k.sample(id, 1))
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		v, err := k.table(tx).Get(id, 1)
		return k.counted(&v), err
	}, func(tx port.Tx) error {
		v, err := k.table(tx).Get(id, 1)
		if err != nil {
			return err
		}
		k.count(&v, k.counted(&v)+1)
		return k.table(tx).Put(v)
	})
}

func (k inTable[ID, T]) noneLostExpected(t *testing.T, w *world) {
	id := w.site(t)
	k.puts(t, w, k.sample(id, 1))
	noneLostExpected(t, w, id, func(tx port.Tx) (int64, error) {
		v, err := k.table(tx).Get(id, 1)
		return k.counted(&v), err
	}, func(tx port.Tx) error {
		v, err := k.table(tx).Expect(id, 1)
		if err != nil {
			return err
		}
		k.count(&v, k.counted(&v)+1)
		if err := happens(tx, id, event.SearchUpdate); err != nil {
			return err
		}
		return k.table(tx).Put(v)
	})
}

func (k inTable[ID, T]) seed(tx port.Tx, s site.ID) error { return k.table(tx).Put(k.sample(s, 1)) }

func (k inTable[ID, T]) writes(tx port.Tx, s site.ID) map[string]func() error {
	return map[string]func() error{
		"replace one of " + k.name: func() error { return k.table(tx).Put(k.bare(s, 1)) },
		"add one of " + k.name:     func() error { return k.table(tx).Put(k.sample(s, 2)) },
		"delete one of " + k.name:  func() error { return k.table(tx).Delete(s, 1) },
	}
}

func (k inTable[ID, T]) picture(tx port.Tx, s site.ID) (any, error) {
	all, err := k.table(tx).Many(s, []ID{1, 2, 3})
	scan, err2 := k.table(tx).Scan(s, 0, 100)
	pictures := [][]T{all, scan}
	if k.customer != nil {
		first := k.sample(s, 1)
		of, err3 := k.byCustomer(tx).Of(s, *k.customer(&first))
		pictures, err = append(pictures, of), errors.Join(err, err3)
	}
	return pictures, errors.Join(err, err2)
}

func (k inTable[ID, T]) command(p program) command {
	id, after := ID(p.number("id", 4)), ID(p.number("after", 4)-1)
	v := draw(p, "record", k.sample, k.bare)(p.site, id)
	k.count(&v, p.number("version", 9))
	var of customer.ID
	if k.customer != nil {
		of = customer.ID(p.number("customer", 2))
		*k.customer(&v) = of
	}
	ways := []command{
		{"put", func(tx port.Tx) (any, error) { return nil, k.table(tx).Put(v) }},
		{"put again", func(tx port.Tx) (any, error) { return nil, k.table(tx).Put(v) }},
		{"get", func(tx port.Tx) (any, error) { return k.table(tx).Get(p.site, id) }},
		{"many", func(tx port.Tx) (any, error) { return k.table(tx).Many(p.site, []ID{3, id, id}) }},
		{"existing", func(tx port.Tx) (any, error) { return k.table(tx).Existing(p.site, []ID{3, id, id}) }},
		{"scan", func(tx port.Tx) (any, error) { return k.table(tx).Scan(p.site, after, 2) }},
		{"delete", func(tx port.Tx) (any, error) { return nil, k.table(tx).Delete(p.site, id) }},
	}
	if k.customer != nil {
		ways = append(ways, command{"of", func(tx port.Tx) (any, error) { return k.byCustomer(tx).Of(p.site, of) }},
			command{"scan of", func(tx port.Tx) (any, error) { return k.byCustomer(tx).ScanOf(p.site, of, after, 1) }})
	}
	picked := draw(p, "kind", ways...)
	picked.name += fmt.Sprintf(" %s %d after %d of %d", k.name, id, after, of)
	return picked
}

// notFound looks for what is absent, in a unit that must be none the worse for it.
func (w *world) notFound(t *testing.T, what string, look func(port.Tx) error) {
	t.Helper()
	var found error
	err := w.Update(t.Context(), func(tx port.Tx) error {
		found = look(tx)
		return nil
	})
	if !errors.Is(found, fault.NotFound) {
		t.Errorf("%s: %v, want fault.NotFound", what, found)
	}
	if err != nil {
		t.Errorf("%s: looking for what is absent spoils the unit: %v", what, err)
	}
}

// spoil overwrites everything that the values behind some pointers refer to.
func spoil(pointers ...any) {
	for _, p := range pointers {
		overwrite(reflect.ValueOf(p).Elem())
	}
}

func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			overwrite(v.Elem())
			v.Elem().SetZero()
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			overwrite(value)
			v.SetMapIndex(key, reflect.Value{})
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				overwrite(v.Field(i))
			}
		}
	default: // nothing is shared; a criterion's value is never changed
	}
}
