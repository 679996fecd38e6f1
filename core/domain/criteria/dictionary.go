package criteria

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Dictionary is everything a site says about criteria: its definitions and its
// lists. It is immutable and safe for concurrent use.
type Dictionary struct {
	definitions []*Definition
	byID        map[ID]int
	byKey       map[string]int
	byFolded    map[string]int // -1 where two keys differ in case alone
	lists       []*List
}

// NewDictionary makes a dictionary. Definitions are kept by position, then id;
// lists by id.
func NewDictionary(definitions []Definition, lists []List) *Dictionary {
	d := &Dictionary{
		definitions: pointers(definitions),
		lists:       pointers(lists),
		byID:        map[ID]int{},
		byKey:       map[string]int{},
		byFolded:    map[string]int{},
	}
	slices.SortStableFunc(d.definitions, func(a, b *Definition) int {
		if a.Position != b.Position {
			return a.Position - b.Position
		}
		return int(a.ID - b.ID)
	})
	slices.SortFunc(d.lists, func(a, b *List) int { return int(a.ID - b.ID) })
	for i, def := range d.definitions {
		d.byID[def.ID] = i
		d.byKey[def.Key] = i
		folded := strings.ToLower(def.Key)
		if _, taken := d.byFolded[folded]; taken {
			d.byFolded[folded] = -1
		} else {
			d.byFolded[folded] = i
		}
	}
	return d
}

// pointers are pointers to copies of values.
func pointers[T any](all []T) []*T {
	copies := make([]*T, len(all))
	for i := range all {
		one := all[i]
		copies[i] = &one
	}
	return copies
}

func values[T any](all []*T) []T {
	copies := make([]T, len(all))
	for i, one := range all {
		copies[i] = *one
	}
	return copies
}

// Shared returns an equal dictionary with the definitions and lists that the functions return
// for its own, which must be equal to them: dictionaries that are made with the same functions
// have those in memory once.
func (d *Dictionary) Shared(definition func(*Definition) *Definition, list func(*List) *List) *Dictionary {
	shared := *d
	shared.definitions, shared.lists = slices.Clone(d.definitions), slices.Clone(d.lists)
	for i, own := range shared.definitions {
		shared.definitions[i] = definition(own)
	}
	for i, own := range shared.lists {
		shared.lists[i] = list(own)
	}
	return &shared
}

// Shares reports whether two dictionaries have the same definitions and lists in memory.
func (d *Dictionary) Shares(other *Dictionary) bool {
	return slices.Equal(d.definitions, other.definitions) && slices.Equal(d.lists, other.lists)
}

// Definitions lists all definitions by position, then id.
func (d *Dictionary) Definitions() []Definition { return values(d.definitions) }

// All goes through all definitions by position, then id, without copying them;
// they must not be changed.
func (d *Dictionary) All() iter.Seq[*Definition] {
	return func(yield func(*Definition) bool) {
		for _, def := range d.definitions {
			if !yield(def) {
				return
			}
		}
	}
}

// At returns the definition at a place among all of them, from 0, without copying it; it must
// not be changed.
func (d *Dictionary) At(place int) *Definition { return d.definitions[place] }

// Len returns how many definitions there are.
func (d *Dictionary) Len() int { return len(d.definitions) }

// Place returns the place of the definition with an exact key among all of them.
func (d *Dictionary) Place(key string) (int, bool) {
	place, found := d.byKey[key]
	return place, found
}

// Lists lists all lists by id.
func (d *Dictionary) Lists() []List { return values(d.lists) }

// List finds a list.
func (d *Dictionary) List(id ListID) (List, bool) {
	for _, l := range d.lists {
		if l.ID == id {
			return *l, true
		}
	}
	return List{}, false
}

// Find resolves the id of a criterion as requests write it: a string of digits
// is the numeric id; otherwise the exact key, or the only key that differs from
// it in case alone.
func (d *Dictionary) Find(name string) (Definition, bool) {
	if allDigits(name) {
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return Definition{}, false
		}
		return d.ByID(ID(id))
	}
	if def, ok := d.ByKey(name); ok {
		return def, true
	}
	if i, ok := d.byFolded[strings.ToLower(name)]; ok && i >= 0 {
		return *d.definitions[i], true
	}
	return Definition{}, false
}

// ByID finds a definition by its numeric id.
func (d *Dictionary) ByID(id ID) (Definition, bool) {
	i, ok := d.byID[id]
	if !ok {
		return Definition{}, false
	}
	return *d.definitions[i], true
}

// ByKey finds a definition by its exact key.
func (d *Dictionary) ByKey(key string) (Definition, bool) {
	i, ok := d.byKey[key]
	if !ok {
		return Definition{}, false
	}
	return *d.definitions[i], true
}
