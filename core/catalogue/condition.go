package catalogue

import "github.com/vitrine-crm/vitrine/core/criteria"

// condition turns a condition into a predicate, CONTIENT apart. It says what
// criteria.Condition.Matches says.
func (x *Index) condition(c criteria.Condition) predicate {
	known := x.known(c.Criterion)
	switch c.Operator {
	case criteria.EGAL:
		return known.equal(c)
	case criteria.DIFFERENT:
		return not{known.equal(c)}
	case criteria.SUPERIEUR:
		return atLeast(&known.numbers, c.Number)
	case criteria.INFERIEUR:
		return atMost(&known.numbers, c.Number)
	case criteria.COMPREND:
		return known.includes(c.Codes)
	case criteria.NE_COMPREND_PAS:
		return not{known.includes(c.Codes)}
	default:
		return nowhere()
	}
}

// containing turns a condition with CONTIENT into a predicate.
func (x *Index) containing(c criteria.Condition, ahead prospect) predicate {
	texts := &x.known(c.Criterion).texts
	parts := make(either, len(c.Texts))
	for i, part := range c.Texts {
		parts[i] = x.spelling(texts, part, contains(part), ahead)
	}
	return parts
}

// known returns what is known about a criterion, to be read.
func (x *Index) known(key string) *criterion {
	if c := x.criteria[key]; c != nil {
		return c
	}
	return new(criterion)
}

func (c *criterion) equal(to criteria.Condition) predicate {
	switch to.Type {
	case criteria.NUMBER, criteria.DATE:
		return between{&c.numbers, to.Number, to.Number}
	case criteria.FLAG:
		return is(&c.flags, to.Flag)
	case criteria.TEXT:
		if len(to.Texts) > 0 {
			return member{c.texts.exactly(to.Texts[0])}
		}
	case criteria.UNIQUE:
		if len(to.Codes) > 0 {
			return member{c.choices.bearers(to.Codes[0])}
		}
	case criteria.MULTIPLE:
		// As many codes as asked for, and every one of these: the same set.
		same := all{member{c.lengths.bearers(len(to.Codes))}}
		for _, code := range to.Codes {
			same = append(same, member{c.members.bearers(code)})
		}
		return same
	}
	return nowhere()
}

func (c *criterion) includes(codes []string) predicate {
	var sets memberOfAny
	for _, code := range codes {
		sets = append(sets, c.choices.bearers(code), c.members.bearers(code))
	}
	return sets
}
