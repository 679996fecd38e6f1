package kernel

import (
	"cmp"
	"hash/maphash"
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// Vocabulary has the criteria, lists and types of a site. Sites of one network usually have
// equal ones, and then share one in memory: it must not be changed.
type Vocabulary struct {
	Dictionary  *criteria.Dictionary
	ActionTypes customer.ActionTypes
	// AppointmentTypes are the site's, or the shipped ones, by position.
	AppointmentTypes planning.Types
	// Unsearchable are the keys of criteria that searches cannot use.
	Unsearchable map[string]bool
	// private are the keys of criteria that website credentials do not see.
	private map[string]bool
}

// newVocabulary derives the rest of a vocabulary from its dictionary.
func newVocabulary(d *criteria.Dictionary, actions customer.ActionTypes, appointments planning.Types) *Vocabulary {
	v := &Vocabulary{
		Dictionary: d, ActionTypes: actions, AppointmentTypes: appointments, Unsearchable: map[string]bool{}, private: map[string]bool{},
	}
	for definition := range d.All() {
		if !definition.Searchable {
			v.Unsearchable[definition.Key] = true
		}
		if definition.IsPrivate() {
			v.private[definition.Key] = true
		}
	}
	return v
}

func readVocabulary(tx port.Tx, id site.ID) (*Vocabulary, error) {
	types, err := tx.ActionTypes().Of(id)
	if err != nil {
		return nil, err
	}
	actions := customer.ActionTypes{}
	for _, t := range types {
		actions[t.ID] = t
	}
	appointments, err := appointmentTypes(tx, id)
	if err != nil {
		return nil, err
	}
	definitions, err := tx.Criteria().Of(id)
	if err != nil {
		return nil, err
	}
	lists, err := tx.Lists().Of(id)
	if err != nil {
		return nil, err
	}
	return newVocabulary(criteria.NewDictionary(definitions, lists), actions, appointments), nil
}

// appointmentTypes returns those of a site, by position, or those that are shipped.
func appointmentTypes(tx port.Tx, id site.ID) (planning.Types, error) {
	found, err := tx.AppointmentTypes().Of(id)
	if err != nil || len(found) == 0 {
		return planning.Shipped(), err
	}
	slices.SortStableFunc(found, func(a, b planning.Type) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
	return found, nil
}

// vocabularies are those of all cached sites, each once. Two that differ in a few criteria
// share the others.
type vocabularies struct {
	definitions *memory.Pool[criteria.Definition]
	lists       *memory.Pool[criteria.List]
	whole       *memory.Pool[Vocabulary]
}

func newVocabularies() *vocabularies {
	return &vocabularies{
		definitions: memory.NewPool(hashDefinition, equal[criteria.Definition], func(d *criteria.Definition) int { return memory.Footprint(*d) }),
		lists:       memory.NewPool(hashList, equal[criteria.List], func(l *criteria.List) int { return memory.Footprint(*l) }),
		whole: memory.NewPool(hashVocabulary, sameVocabulary, func(v *Vocabulary) int {
			return memory.Footprint(*v, reflect.TypeFor[*criteria.Definition](), reflect.TypeFor[*criteria.List]())
		}),
	}
}

// share returns an equal vocabulary that others have, or else this one with definitions and
// lists that others have.
func (all *vocabularies) share(v *Vocabulary) *Vocabulary {
	v.Dictionary = v.Dictionary.Shared(all.definitions.Share, all.lists.Share)
	return all.whole.Share(v)
}

// bytes returns the memory of all of them.
func (all *vocabularies) bytes() int {
	return all.definitions.Bytes() + all.lists.Bytes() + all.whole.Bytes()
}

func equal[T any](a, b *T) bool { return reflect.DeepEqual(a, b) }

func hashDefinition(seed maphash.Seed, d *criteria.Definition) uint64 {
	return maphash.Comparable(seed, struct {
		id      criteria.ID
		key     string
		label   string
		choices int
	}{d.ID, d.Key, d.Label, len(d.Choices)})
}

func hashList(seed maphash.Seed, l *criteria.List) uint64 {
	return maphash.Comparable(seed, struct {
		id      criteria.ListID
		choices int
	}{l.ID, len(l.Choices)})
}

// hashVocabulary hashes the addresses of the definitions, which are shared by then.
func hashVocabulary(seed maphash.Seed, v *Vocabulary) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for d := range v.Dictionary.All() {
		maphash.WriteComparable(&h, d)
	}
	return h.Sum64()
}

func sameVocabulary(a, b *Vocabulary) bool {
	return a.Dictionary.Shares(b.Dictionary) && reflect.DeepEqual(a.ActionTypes, b.ActionTypes) &&
		reflect.DeepEqual(a.AppointmentTypes, b.AppointmentTypes)
}
