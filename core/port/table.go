package port

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// rows holds the records of one kind, whatever their keys are.
type rows[T any] struct {
	records Records
	kind    Kind
}

// Put stores a record, whether or not there is one with its key.
func (r rows[T]) Put(record T) error { return r.records.Put(r.kind, &record) }

// add stores a new record, or fails with ErrTaken.
func (r rows[T]) add(record T) error { return r.records.Add(r.kind, &record) }

func (r rows[T]) find(q Query) ([]T, error) {
	found, err := r.records.Find(r.kind, q)
	records := make([]T, len(found))
	for i, record := range found {
		records[i] = *record.(*T)
	}
	return records, err
}

// first returns the first record that a query wants; NotFound when there is none.
func (r rows[T]) first(q Query) (record T, err error) {
	q.Limit = 1
	found, err := r.find(q)
	if err != nil || len(found) == 0 {
		return record, cmp.Or(err, fmt.Errorf("%s: %w", r.kind.Name(), fault.NotFound))
	}
	return found[0], nil
}

// due lists at most n records, of any site, whose time has come, the first due first.
func (r rows[T]) due(at time.Time, n int) ([]T, error) {
	return r.find(Query{Where: []Condition{{Field: "due_at", Is: AtMost, Value: at}}, By: "due_at", Limit: max(n, 0)})
}

// purge removes at most n records, of any site, whose field is below a value, the lowest
// first, and reports how many. What somebody else removes meanwhile does not count.
func (r rows[T]) purge(field string, below any, n int) (purged int, err error) {
	old, err := r.records.Find(r.kind, Query{Where: []Condition{{Field: field, Is: Below, Value: below}}, By: field, Limit: max(n, 0)})
	for _, record := range old {
		switch gone := r.records.Delete(r.kind, r.kind.Key(record)); {
		case gone == nil:
			purged++
		case !errors.Is(gone, fault.NotFound):
			return purged, gone
		}
	}
	return purged, err
}

func whole[T any](record any, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return *record.(*T), nil
}

// Table holds the records of one kind of all sites, each under its site and id.
type Table[ID ~int64, T any] struct{ rows[T] }

func tableOf[ID ~int64, T any](t Tx, k *kind[ID, T]) Table[ID, T] {
	return Table[ID, T]{rows[T]{t.Records(), k}}
}

// Get returns a record; in an Update it is held until the unit ends.
func (t Table[ID, T]) Get(of site.ID, id ID) (T, error) {
	return whole[T](t.records.Get(t.kind, Key{Site: of, ID: int64(id)}))
}

// GetUnlocked returns a record without keeping others from changing it, see
// Records.GetUnlocked.
func (t Table[ID, T]) GetUnlocked(of site.ID, id ID) (T, error) {
	return whole[T](t.records.GetUnlocked(t.kind, Key{Site: of, ID: int64(id)}))
}

// Many lists the records among ids that exist, by id.
func (t Table[ID, T]) Many(of site.ID, ids []ID) ([]T, error) {
	return t.find(Query{Site: of, Where: []Condition{AmongIDs("id", ids)}, Limit: All})
}

// Existing lists those of ids that there are records with, by id.
func (t Table[ID, T]) Existing(of site.ID, ids []ID) ([]ID, error) {
	found, err := t.records.Find(t.kind, Query{Site: of, Where: []Condition{AmongIDs("id", ids)}, Limit: All})
	existing := make([]ID, len(found))
	for i, record := range found {
		existing[i] = ID(t.kind.Key(record).ID)
	}
	return existing, err
}

// Scan lists at most n records of a site with an id above after, by id.
func (t Table[ID, T]) Scan(id site.ID, after ID, n int) ([]T, error) {
	return t.find(Query{Site: id, After: &Place{ID: int64(after)}, Limit: max(n, 0)})
}

// Delete removes a record, which must exist, and leaves nothing of it.
func (t Table[ID, T]) Delete(of site.ID, id ID) error {
	return t.records.Delete(t.kind, Key{Site: of, ID: int64(id)})
}

// InstallationTable holds the records of one kind that are of no site.
type InstallationTable[ID ~int64 | ~string, T any] struct{ rows[T] }

func installed[ID ~int64 | ~string, T any](t Tx, k *kind[ID, T]) InstallationTable[ID, T] {
	return InstallationTable[ID, T]{rows[T]{t.Records(), k}}
}

// Get returns a record; in an Update it is held until the unit ends.
func (t InstallationTable[ID, T]) Get(id ID) (T, error) {
	return whole[T](t.records.Get(t.kind, keyOf(0, id)))
}

// All lists the records by id.
func (t InstallationTable[ID, T]) All() ([]T, error) { return t.find(Query{Limit: All}) }

// Delete removes a record, which must exist: of several units that delete the same one, one
// succeeds.
func (t InstallationTable[ID, T]) Delete(id ID) error { return t.records.Delete(t.kind, keyOf(0, id)) }

// Discard removes a record, if there is one.
func (t InstallationTable[ID, T]) Discard(id ID) error {
	if err := t.Delete(id); !errors.Is(err, fault.NotFound) {
		return err
	}
	return nil
}

// CustomerTable is a Table of records that belong to customers.
type CustomerTable[ID ~int64, T any] struct{ Table[ID, T] }

// Of lists the records of a customer, by id.
func (t CustomerTable[ID, T]) Of(id site.ID, c customer.ID) ([]T, error) {
	return t.find(Query{Site: id, Where: []Condition{ofCustomer(c)}, Limit: All})
}

// ScanOf lists at most n of them with an id above after, by id.
func (t CustomerTable[ID, T]) ScanOf(id site.ID, c customer.ID, after ID, n int) ([]T, error) {
	return t.find(Query{Site: id, Where: []Condition{ofCustomer(c)}, After: &Place{ID: int64(after)}, Limit: max(n, 0)})
}

func ofCustomer(c customer.ID) Condition {
	return Condition{Field: "customer_id", Is: Equal, Value: int64(c)}
}

// SiteTable is a Table of records of sites that are few enough to be read together.
type SiteTable[ID ~int64, T any] struct{ Table[ID, T] }

// Of lists the records of a site, by id.
func (t SiteTable[ID, T]) Of(id site.ID) ([]T, error) { return t.find(Query{Site: id, Limit: All}) }

// Vocabulary holds records that do not say themselves which site they are of, and are few
// enough to be read together.
type Vocabulary[ID ~int64, T any] struct{ words Table[ID, Word[T]] }

// Word is a record of a Vocabulary with its site.
type Word[T any] struct {
	Site site.ID
	Of   T
}

// Of lists the records of a site, by id.
func (v Vocabulary[ID, T]) Of(id site.ID) ([]T, error) {
	found, err := v.words.find(Query{Site: id, Limit: All})
	records := make([]T, len(found))
	for i, w := range found {
		records[i] = w.Of
	}
	return records, err
}

// Put stores a record, whether or not there is one with its id.
func (v Vocabulary[ID, T]) Put(id site.ID, record T) error { return v.words.Put(Word[T]{id, record}) }

// kind is a Kind whose records are of a type. Every record has a key: a number or a name, and
// the site it is of.
type kind[ID ~int64 | ~string, T any] struct {
	name  string
	key   func(*T) (*site.ID, *ID)
	found func(T) Found
	links []string
	// sealed is set where records have secrets.
	sealed bool
}

// Name implements Kind.
func (k *kind[ID, T]) Name() string { return k.name }

// New implements Kind.
func (k *kind[ID, T]) New(of Key) any {
	record := new(T)
	atSite, atID := k.key(record)
	*atSite = of.Site
	if id := reflect.ValueOf(atID).Elem(); k.Named() {
		id.SetString(of.Name)
	} else {
		id.SetInt(of.ID)
	}
	return record
}

// Key implements Kind.
func (k *kind[ID, T]) Key(record any) Key {
	of, id := k.key(record.(*T))
	return keyOf(*of, *id)
}

// keyOf returns the key of a record of a site.
func keyOf[ID ~int64 | ~string](of site.ID, id ID) Key {
	v := reflect.ValueOf(id)
	if v.Kind() == reflect.String {
		return Key{Site: of, Name: v.String()}
	}
	return Key{Site: of, ID: v.Int()}
}

// Named implements Kind.
func (k *kind[ID, T]) Named() bool { return reflect.TypeFor[ID]().Kind() == reflect.String }

// Found implements Kind.
func (k *kind[ID, T]) Found(record any) Found {
	if k.found == nil {
		return Found{}
	}
	return k.found(*record.(*T))
}

// Links implements Kind.
func (k *kind[ID, T]) Links() []string { return k.links }

// Sealed implements Kind.
func (k *kind[ID, T]) Sealed() bool { return k.sealed }

// IsOfSites reports whether the records of a kind are of sites, and not of the installation.
func IsOfSites(k Kind) bool { return k.Key(k.New(Key{Site: 1})).Site == 1 }

// KindFor returns the kind of records of a type.
func KindFor[T any]() Kind {
	for _, k := range Kinds {
		if _, is := k.New(Key{}).(*T); is {
			return k
		}
	}
	panic(fmt.Sprintf("port: no kind has records that are a %T", *new(T)))
}
