package catalogue

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// criterion holds the values of one criterion. They are usually of one type, and
// then most of this is empty, but a criterion that was defined anew has values
// of its former type as well, and those count for what they are.
type criterion struct {
	// numbers are those of NUMBER and DATE, which compare alike.
	numbers column[float64]
	// timed are the slots whose DATE is an instant rather than a day.
	timed   set
	flags   set // the slots whose FLAG is set
	choices labels[string]
	// members are the codes of MULTIPLE, lengths how many each slot has.
	members labels[string]
	lengths labels[int]
	texts   texts
}

// learn notes the value of a slot that has none. The text is that of the value,
// folded, when it is one.
func (c *criterion) learn(slot uint32, value criteria.Value, text string) {
	switch v := value.(type) {
	case criteria.Number:
		c.numbers.put(slot, float64(v))
	case criteria.Date:
		c.numbers.put(slot, v.Scalar())
		c.timed.put(slot, v.Timed)
	case criteria.Flag:
		c.flags.put(slot, bool(v))
	case criteria.Unique:
		bear(&c.choices, string(v), slot)
	case criteria.Multiple:
		for _, code := range v {
			bear(&c.members, code, slot)
		}
		c.lengths.add(len(v), slot)
	case criteria.Text:
		c.texts.put(slot, text)
	}
}

// bear labels the slot with a code, and does not keep the memory the code is
// part of.
func bear(l *labels[string], code string, slot uint32) {
	if _, known := l.numbers[code]; !known {
		code = strings.Clone(code)
	}
	l.add(code, slot)
}

// relearn notes the value of a slot that may have one, nil for none. Most writes
// change little of a product, so most values are known already.
func (c *criterion) relearn(slot uint32, value criteria.Value, text string) {
	if c.knows(slot, value, text) {
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
	c.choices.strip(slot)
	c.members.strip(slot)
	c.lengths.strip(slot)
	c.learn(slot, value, text)
}

// knows reports whether the value is noted already. A slot has one value, so
// then there is no other to forget. It may say no when that is easier.
func (c *criterion) knows(slot uint32, value criteria.Value, text string) bool {
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
		return c.choices.bearers(string(v)).has(slot)
	case criteria.Text:
		return c.texts.holds(slot, text)
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

func (c *criterion) settle() {
	c.numbers.settle()
	c.timed.settle()
	c.flags.settle()
	c.choices.settle()
	c.members.settle()
	c.lengths.settle()
	c.texts.settle()
}

func (c *criterion) bytes() int {
	return c.numbers.bytes() + c.timed.bytes() + c.flags.bytes() + c.choices.bytes() + c.members.bytes() + c.lengths.bytes() + c.texts.bytes()
}
