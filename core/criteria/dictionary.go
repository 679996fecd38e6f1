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
	definitions []Definition
	byID        map[ID]int
	byKey       map[string]int
	byFolded    map[string]int // -1 where two keys differ in case alone
	lists       []List
}

// NewDictionary makes a dictionary. Definitions are kept by position, then id;
// lists by id.
func NewDictionary(definitions []Definition, lists []List) *Dictionary {
	d := &Dictionary{
		definitions: slices.Clone(definitions),
		lists:       slices.Clone(lists),
		byID:        map[ID]int{},
		byKey:       map[string]int{},
		byFolded:    map[string]int{},
	}
	slices.SortStableFunc(d.definitions, func(a, b Definition) int {
		if a.Position != b.Position {
			return a.Position - b.Position
		}
		return int(a.ID - b.ID)
	})
	slices.SortFunc(d.lists, func(a, b List) int { return int(a.ID - b.ID) })
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

// Definitions lists all definitions by position, then id.
func (d *Dictionary) Definitions() []Definition { return slices.Clone(d.definitions) }

// All goes through all definitions by position, then id, without copying them;
// they must not be changed.
func (d *Dictionary) All() iter.Seq[*Definition] {
	return func(yield func(*Definition) bool) {
		for i := range d.definitions {
			if !yield(&d.definitions[i]) {
				return
			}
		}
	}
}

// Lists lists all lists by id.
func (d *Dictionary) Lists() []List { return slices.Clone(d.lists) }

// List finds a list.
func (d *Dictionary) List(id ListID) (List, bool) {
	for _, l := range d.lists {
		if l.ID == id {
			return l, true
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
		return d.definitions[i], true
	}
	return Definition{}, false
}

// ByID finds a definition by its numeric id.
func (d *Dictionary) ByID(id ID) (Definition, bool) {
	i, ok := d.byID[id]
	if !ok {
		return Definition{}, false
	}
	return d.definitions[i], true
}

// ByKey finds a definition by its exact key.
func (d *Dictionary) ByKey(key string) (Definition, bool) {
	i, ok := d.byKey[key]
	if !ok {
		return Definition{}, false
	}
	return d.definitions[i], true
}
