package catalogue

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// criterion has the values of one criterion. They are usually of one type, and then most
// fields are empty. A criterion whose type was changed keeps the values of the former type
// as well, and they are searched as what they are.
type criterion struct {
	// numbers are the values of NUMBER and DATE, which compare alike.
	numbers column[float64]
	// timed are the slots whose DATE is an instant and not a day.
	timed   set
	flags   set // the slots whose FLAG is set
	choices labels[string]
	// members are the codes of MULTIPLE, lengths how many each slot has.
	members labels[string]
	lengths labels[int]
	texts   texts
}

// put stores the value of a slot that has none. The text is that of the value, normalised,
// when it is one.
func (c *criterion) put(slot uint32, value criteria.Value, text string) {
	switch v := value.(type) {
	case criteria.Number:
		c.numbers.put(slot, float64(v))
	case criteria.Date:
		c.numbers.put(slot, v.Scalar())
		c.timed.put(slot, v.Timed)
	case criteria.Flag:
		c.flags.put(slot, bool(v))
	case criteria.Unique:
		addCode(&c.choices, string(v), slot)
	case criteria.Multiple:
		for _, code := range v {
			addCode(&c.members, code, slot)
		}
		c.lengths.add(len(v), slot)
	case criteria.Text:
		c.texts.put(slot, text)
	}
}

// addCode adds the code to the slot, and does not keep the memory the code is part of.
func addCode(l *labels[string], code string, slot uint32) {
	if _, known := l.numbers[code]; !known {
		code = strings.Clone(code)
	}
	l.add(code, slot)
}

// replace stores the value of a slot that may have one, nil for none. Most writes change
// little of a product, so most values are the same.
func (c *criterion) replace(slot uint32, value criteria.Value, text string) {
	if c.has(slot, value, text) {
		return
	}
	switch value.(type) {
	case criteria.Number, criteria.Date:
	default:
		c.numbers.drop(slot)
	}
	if _, stays := value.(criteria.Text); !stays {
		c.texts.drop(slot)
	}
	c.timed.remove(slot)
	c.flags.remove(slot)
	c.choices.removeAll(slot)
	c.members.removeAll(slot)
	c.lengths.removeAll(slot)
	c.put(slot, value, text)
}

// has reports whether the slot has this value already. It may return false when comparing
// is expensive.
func (c *criterion) has(slot uint32, value criteria.Value, text string) bool {
	switch v := value.(type) {
	case criteria.Number:
		known, ok := c.numbers.at(slot)
		return ok && known == float64(v) && !c.timed.has(slot)
	case criteria.Date:
		known, ok := c.numbers.at(slot)
		return ok && known == v.Scalar() && c.timed.has(slot) == v.Timed
	case criteria.Flag:
		return bool(v) && c.flags.has(slot)
	case criteria.Unique:
		return c.choices.slots(string(v)).has(slot)
	case criteria.Text:
		return c.texts.hasText(slot, text)
	}
	return false
}

func (c *criterion) open(slot uint32) {
	c.numbers.open(slot)
	c.timed.open(slot)
	c.flags.open(slot)
	c.choices.open(slot)
	c.members.open(slot)
	c.lengths.open(slot)
	c.texts.open(slot)
}

func (c *criterion) arrange(how arrangement) {
	c.numbers.arrange(how)
	c.timed.arrange(how)
	c.flags.arrange(how)
	c.choices.arrange(how)
	c.members.arrange(how)
	c.lengths.arrange(how)
	c.texts.arrange(how)
}

func (c *criterion) finish() {
	c.numbers.finish()
	c.timed.finish()
	c.flags.finish()
	c.choices.finish()
	c.members.finish()
	c.lengths.finish()
	c.texts.finish()
}

func (c *criterion) bytes() int {
	return c.numbers.bytes() + c.timed.bytes() + c.flags.bytes() + c.choices.bytes() + c.members.bytes() + c.lengths.bytes() + c.texts.bytes()
}

// labels has the set of slots of each label, such as the code of a choice. The zero labels
// are ready for use.
type labels[K comparable] struct {
	numbers map[K]int
	sets    []set
}

// slots returns the slots with the label.
func (l *labels[K]) slots(label K) *set {
	if number, ok := l.numbers[label]; ok {
		return &l.sets[number]
	}
	return new(set)
}

// add adds a label to the slot. It keeps the memory of the label.
func (l *labels[K]) add(label K, slot uint32) {
	number, ok := l.numbers[label]
	if !ok {
		if l.numbers == nil {
			l.numbers = map[K]int{}
		}
		number = len(l.sets)
		l.numbers[label] = number
		l.sets = append(l.sets, set{})
	}
	l.sets[number].add(slot)
}

// remove removes one label from the slot.
func (l *labels[K]) remove(label K, slot uint32) {
	if number, ok := l.numbers[label]; ok {
		l.sets[number].remove(slot)
	}
}

// removeAll removes every label from the slot.
func (l *labels[K]) removeAll(slot uint32) {
	for i := range l.sets {
		l.sets[i].remove(slot)
	}
}

func (l *labels[K]) open(slot uint32) {
	for i := range l.sets {
		l.sets[i].open(slot)
	}
}

func (l *labels[K]) arrange(how arrangement) {
	for i := range l.sets {
		l.sets[i].arrange(how)
	}
}

func (l *labels[K]) finish() {
	for i := range l.sets {
		l.sets[i].finish()
	}
}

func (l *labels[K]) bytes() int {
	total := mapBytes(len(l.numbers), 24) + setBytes*cap(l.sets)
	for i := range l.sets {
		total += l.sets[i].bytes()
	}
	return total
}
