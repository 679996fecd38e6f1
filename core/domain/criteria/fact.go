package criteria

import (
	"slices"
	"strings"
)

// Lookup answers with single values of a product's criteria, whatever these are kept in.
// What is not there, or is of another type, is the zero value.
type Lookup interface {
	// Code is the code of a UNIQUE criterion.
	Code(key string) string
	// Text is the text of a TEXT criterion.
	Text(key string) string
	// Number is the number of a NUMBER criterion, and whether there is one.
	Number(key string) (float64, bool)
	// Flag is whether a FLAG criterion is set.
	Flag(key string) bool
}

var (
	_ Lookup = Values{}
	_ Lookup = Facts{}
)

// Fact is a criterion of a product: its key, and its value in the field for its type. A
// product has dozens, and a Value would be an allocation for each.
type Fact struct {
	Key  string
	Type Type
	// Text is the code of a UNIQUE, a TEXT, and a DATE as it is written.
	Text   string
	Number float64
	Flag   bool
	// Codes are those of a MULTIPLE.
	Codes []string
	Date  Date
}

// FactOf returns the fact of a value.
func FactOf(key string, value Value) Fact {
	f := Fact{Key: key, Type: value.Type()}
	switch v := value.(type) {
	case Unique:
		f.Text = string(v)
	case Number:
		f.Number = float64(v)
	case Flag:
		f.Flag = bool(v)
	case Text:
		f.Text = string(v)
	case Multiple:
		f.Codes = v
	case Date:
		f.Date, f.Text = v, v.String()
	}
	return f
}

// Value returns the value of the fact.
func (f *Fact) Value() Value {
	switch f.Type {
	case UNIQUE:
		return Unique(f.Text)
	case NUMBER:
		return Number(f.Number)
	case FLAG:
		return Flag(f.Flag)
	case TEXT:
		return Text(f.Text)
	case MULTIPLE:
		return Multiple(f.Codes)
	case DATE:
		return f.Date
	}
	return nil
}

// Facts are the criteria of one product in ascending order of their keys.
type Facts []Fact

// AppendFacts appends the facts of some values.
func AppendFacts(facts Facts, values Values) Facts {
	from := len(facts)
	for key, value := range values {
		facts = append(facts, FactOf(key, value))
	}
	slices.SortFunc(facts[from:], func(a, b Fact) int { return strings.Compare(a.Key, b.Key) })
	return facts
}

// Values returns the values of the facts.
func (fs Facts) Values() Values {
	values := make(Values, len(fs))
	for i := range fs {
		values[fs[i].Key] = fs[i].Value()
	}
	return values
}

// Find finds the fact of a key, nil if there is none.
func (fs Facts) Find(key string) *Fact {
	low, high := 0, len(fs)
	for low < high {
		if middle := (low + high) / 2; fs[middle].Key < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(fs) || fs[low].Key != key {
		return nil
	}
	return &fs[low]
}

// Code implements Lookup.
func (fs Facts) Code(key string) string {
	if f := fs.Find(key); f != nil && f.Type == UNIQUE {
		return f.Text
	}
	return ""
}

// Text implements Lookup.
func (fs Facts) Text(key string) string {
	if f := fs.Find(key); f != nil && f.Type == TEXT {
		return f.Text
	}
	return ""
}

// Number implements Lookup.
func (fs Facts) Number(key string) (float64, bool) {
	if f := fs.Find(key); f != nil && f.Type == NUMBER {
		return f.Number, true
	}
	return 0, false
}

// Flag implements Lookup.
func (fs Facts) Flag(key string) bool {
	f := fs.Find(key)
	return f != nil && f.Flag
}
