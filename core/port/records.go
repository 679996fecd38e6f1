package port

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Records holds the records of the kinds in Kinds. A record is a pointer to the type of
// its kind; encoding/json writes it and reads it back. It is stored under its key,
// together with what Kind.Found says it is found by, and comes back as it went in, as a
// copy.
type Records interface {
	// Get returns a record; in an Update it is held until the unit ends.
	Get(Kind, Key) (any, error)
	// GetUnlocked returns a record without keeping others from changing it. If the unit
	// writes, the store makes sure at its end that nobody has, and otherwise runs it again.
	GetUnlocked(Kind, Key) (any, error)
	// Find lists the records that a query wants, in its order. The answer must be what
	// Query.Matches and Query.Compare say.
	Find(Kind, Query) ([]any, error)
	// Put stores a record, whether or not there is one with its key.
	Put(k Kind, record any) error
	// Add stores a new record. On ErrTaken the unit of work is still good and nothing was
	// written.
	Add(k Kind, record any) error
	// Delete removes a record, which must exist, and leaves nothing of it: of several units
	// that delete the same one, one succeeds.
	Delete(Kind, Key) error
}

// ErrTaken is what Records.Add returns when there is a record with the key.
var ErrTaken = errors.New("there is a record with this key")

// Key names a record of a kind.
type Key struct {
	// Site is the one it is of; 0 stands for the installation, which has all sites.
	Site site.ID
	// ID is the number of the record. In a kind whose records have names it is 0, and Name
	// is the name.
	ID   int64
	Name string
}

// Kind is a kind of record that a store keeps whole: one of Kinds.
type Kind interface {
	// Name is that of the kind, in lower case with underscores: "follow_up".
	Name() string
	// New returns a pointer to a record that has nothing but its key.
	New(Key) any
	// Key returns the key of a record.
	Key(record any) Key
	// Named reports whether records have names, and no numbers.
	Named() bool
	// Sealed reports whether records are to be kept so that whoever reads the storage cannot
	// read them, but for what they are found by.
	Sealed() bool
	// Found returns what a record is found by. The names, kinds of value and links are
	// the same for every record.
	Found(record any) Found
	// Links returns the names of the links that records have.
	Links() []string
}

// Found is what a record is found by, besides its key.
type Found struct {
	Fields []Field
	// Links name other records, each of which may be named several times.
	Links []Link
	// From and Until bound the time that a record with links takes. The zero time is no
	// bound.
	From, Until time.Time
}

// Field is a value that records are found or sorted by: an int64, a string, a bool, or a
// time.Time. A field that is the zero time meets no condition but Unset.
type Field struct {
	Name  string
	Value any
}

// Link is another record that a record names.
type Link struct {
	// Name says what the other record is to this one: "customer".
	Name string
	ID   int64
}

// field returns a value that a record is found by. The site and the id are fields of all.
func (f Found) field(name string) any {
	for _, known := range f.Fields {
		if known.Name == name {
			return known.Value
		}
	}
	panic(fmt.Sprintf("port: records have no field %q", name))
}

// All is the limit of a query that wants all records.
const All = -1

// Query says which records of a kind are wanted.
type Query struct {
	// Site is the one they are of; 0 is any.
	Site site.ID
	// Where holds conditions, which all must hold.
	Where []Condition
	// By names the field they are sorted by, which may be "id"; where it is empty or equal,
	// they are sorted by site and id, which is the name of what has one.
	By string
	// Desc turns the order around.
	Desc bool
	// After wants only what comes after a place in that order, in a query for one site and
	// numbered records; nil wants all.
	After *Place
	// Skip passes over so many of them, where there is a Limit.
	Skip int
	// Limit is how many are wanted at most: All, or none if it is 0.
	Limit int
}

// Place is where a record stands in the order of a query.
type Place struct {
	// By is the value of the field Query.By; nil where that is empty.
	By any
	ID int64
}

// Condition is met by some records.
type Condition struct {
	// Field is the name of a field, or "id", which is the number or the name of the record.
	Field string
	Is    Comparison
	// Value is what the field is compared with, of the type of the field.
	Value any
	// IDs or Texts are the values of Among.
	IDs   []int64
	Texts []string
	// Link, where it is not empty, is the name of a link that the record must have to one
	// of IDs. Field and Is are not looked at.
	Link string
	// From and To are for a Link: where To is not the zero time, the record must take
	// time after From and before To.
	From, To time.Time
	// Either, where it is not nil, is met by whatever meets all conditions of one of the
	// lists. Nothing else is looked at.
	Either [][]Condition
}

// Comparison is how a condition compares a field.
type Comparison uint8

// The comparisons.
const (
	// Equal, Below, AtMost, Above and AtLeast compare a field with Value.
	Equal Comparison = iota
	Below
	AtMost
	Above
	AtLeast
	// Among wants one of IDs or Texts. There may be none of them.
	Among
	// Unset wants the zero time.
	Unset
)

// AmongIDs is the condition that a field is one of some ids.
func AmongIDs[ID ~int64](field string, ids []ID) Condition {
	return Condition{Field: field, Is: Among, IDs: plain(ids)}
}

// AmongTexts is the condition that a field is one of some texts.
func AmongTexts[T ~string](field string, texts []T) Condition {
	c := Condition{Field: field, Is: Among, Texts: []string{}}
	for _, text := range texts {
		c.Texts = append(c.Texts, string(text))
	}
	return c
}

// LinkedTo is the condition that a record has a link to one of some ids.
func LinkedTo[ID ~int64](link string, ids ...ID) Condition {
	return Condition{Link: link, IDs: plain(ids)}
}

// conditions are put together from what is wanted.
type conditions []Condition

// add adds a condition, if it is wanted.
func (all *conditions) add(wanted bool, c Condition) {
	if wanted {
		*all = append(*all, c)
	}
}

// plain are ids as numbers; never nil.
func plain[ID ~int64](ids []ID) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i] = int64(id)
	}
	return out
}

// subject is a record as a query looks at it.
type subject struct {
	Key
	Found
	named bool
}

func (s subject) field(name string) any {
	switch {
	case name != "id":
		return s.Found.field(name)
	case s.named:
		return s.Name
	}
	return s.ID
}

func subjectOf(k Kind, record any) subject { return subject{k.Key(record), k.Found(record), k.Named()} }

// Matches reports whether a query wants a record, its Skip and Limit aside.
func (q Query) Matches(k Kind, record any) bool {
	s := subjectOf(k, record)
	if q.Site != 0 && s.Site != q.Site || !meetsAll(s, q.Where) {
		return false
	}
	if q.After == nil {
		return true
	}
	by := 0
	if q.By != "" {
		by = compare(s.field(q.By), q.After.By)
	}
	by = cmp.Or(by, cmp.Compare(s.ID, q.After.ID))
	return by > 0 && !q.Desc || by < 0 && q.Desc
}

// Compare tells which of two records that a query wants comes first.
func (q Query) Compare(k Kind, a, b any) int {
	x, y := subjectOf(k, a), subjectOf(k, b)
	by := 0
	if q.By != "" {
		by = compare(x.field(q.By), y.field(q.By))
	}
	by = cmp.Or(by, cmp.Compare(x.Site, y.Site), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Name, y.Name))
	if q.Desc {
		return -by
	}
	return by
}

func meetsAll(s subject, conditions []Condition) bool {
	return !slices.ContainsFunc(conditions, func(c Condition) bool { return !c.meets(s) })
}

func (c Condition) meets(s subject) bool {
	switch {
	case c.Either != nil:
		return slices.ContainsFunc(c.Either, func(all []Condition) bool { return meetsAll(s, all) })
	case c.Link != "":
		return (c.To.IsZero() || s.From.Before(c.To) && (s.Until.IsZero() || c.From.Before(s.Until))) &&
			slices.ContainsFunc(s.Links, func(l Link) bool { return l.Name == c.Link && slices.Contains(c.IDs, l.ID) })
	}
	value := s.field(c.Field)
	if at, is := value.(time.Time); is && at.IsZero() {
		return c.Is == Unset
	}
	switch c.Is {
	case Equal:
		return compare(value, c.Value) == 0
	case Below:
		return compare(value, c.Value) < 0
	case AtMost:
		return compare(value, c.Value) <= 0
	case Above:
		return compare(value, c.Value) > 0
	case AtLeast:
		return compare(value, c.Value) >= 0
	case Among:
		if text, is := value.(string); is {
			return slices.Contains(c.Texts, text)
		}
		return slices.Contains(c.IDs, value.(int64))
	case Unset: // see above
	}
	return false
}

// compare compares two values of a field.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case string:
		return cmp.Compare(a, b.(string))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		return cmp.Compare(number(a), number(b.(bool)))
	}
	panic(fmt.Sprintf("port: a field cannot be a %T", a))
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
