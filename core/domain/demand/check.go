package demand

import (
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// check is a demand in 16 bytes, so that those of a request lie in a row: most
// of the time of an index is spent on reading them.
type check struct {
	// operand is the bits of a number, a set of types, or the place among the
	// demands, as the kind wants it.
	operand uint64
	key     uint16 // of the criterion, in the index's numbering
	kind    checkKind
	marks   marks
}

type checkKind uint8

const (
	// given holds for every product of the page.
	given checkKind = iota
	least
	most
	flagged
	unflagged
	typed
	within
	// worded stands for what only the demand itself can say.
	worded
)

// marks are what a demand is besides its condition.
type marks uint8

const (
	wished marks = 1 << iota
	barring
	negated
)

// numbering gives names numbers in the order they come.
type numbering map[string]int

func (n numbering) of(name string) int {
	number, known := n[name]
	if !known {
		number = len(n)
		n[name] = number
	}
	return number
}

// What fits into a check.
const (
	typesInSet = 64
	maxKeys    = math.MaxUint16
)

// checks returns the demands of a request in their short form.
func (x *Index) checks(r *SearchRequest) []check {
	var all []check
	for d := range r.Demands() {
		c := check{kind: worded, operand: uint64(len(all)), marks: marksOf(&d)}
		switch {
		case d.Areas != nil:
			c.kind = within
		case d.Types != nil:
			x.checkTypes(&c, d.Types)
		case d.Condition == nil:
			c.kind = given
		default:
			x.checkCondition(&c, d.Condition)
		}
		all = append(all, c)
	}
	return all
}

func marksOf(d *Demand) (m marks) {
	for mark, set := range map[marks]bool{wished: d.Wish, barring: d.Bars, negated: d.Not} {
		if set {
			m |= mark
		}
	}
	return m
}

func (x *Index) checkTypes(c *check, codes []string) {
	var set uint64
	for _, code := range codes {
		number := x.types.of(code)
		if number >= typesInSet {
			return
		}
		set |= 1 << number
	}
	c.kind, c.operand = typed, set
}

func (x *Index) checkCondition(c *check, on *criteria.Condition) {
	kind := worded
	switch {
	case on.Type == criteria.NUMBER && on.Operator == criteria.SUPERIEUR:
		kind = least
	case on.Type == criteria.NUMBER && on.Operator == criteria.INFERIEUR:
		kind = most
	case on.Type == criteria.FLAG && on.Operator == criteria.EGAL && on.Number == 0:
		if kind = unflagged; on.Flag {
			kind = flagged
		}
	}
	if key := x.keys.of(on.Criterion); kind != worded && key < maxKeys {
		c.kind, c.key, c.operand = kind, uint16(key), math.Float64bits(on.Number)
	}
}

// subject is a product as checks see it.
type subject struct {
	product *product.Product
	place   *Place
	near    bool
	view    view
	values  []value // by key
	kind    uint64  // the product's type as a set
}

type value struct {
	measured
	flag bool
}

func (x *Index) subject(p *product.Product, place *Place, near bool) subject {
	s := subject{product: p, place: place, near: near, view: viewOf(*p, *place, near), values: make([]value, len(x.keys))}
	for key, number := range x.keys {
		n, known := scalar(p.Criteria[key])
		s.values[number] = value{measured{n, known}, p.Criteria.Flag(key)}
	}
	if number, known := x.types[p.Criteria.Code(criteria.KeyPropertyType)]; known && number < typesInSet {
		s.kind = 1 << number
	}
	return s
}

// judge returns the verdict of SearchRequest.Match. It gives up early on a product
// that does not match, nor nearly where near misses are wanted.
func (s *subject) judge(e *entry) Verdict {
	var t Tally
	for _, c := range e.checks {
		t.add(c.marks&wished != 0, c.marks&barring != 0, s.hold(c, e))
		if t.missed > 0 && (!s.near || !t.near()) {
			return Verdict{}
		}
	}
	return t.Verdict()
}

func (s *subject) hold(c check, e *entry) Outcome {
	var holds bool
	v := value{}
	switch c.kind {
	case given:
		return Outcome{Holds: true}
	case typed:
		return Outcome{Holds: s.kind&c.operand != 0}
	case within:
		return s.surround(e)
	case worded:
		return s.ask(c, e)
	case least:
		v = s.values[c.key]
		holds = v.known && v.n >= math.Float64frombits(c.operand)
	case most:
		v = s.values[c.key]
		holds = v.known && v.n <= math.Float64frombits(c.operand)
	case flagged, unflagged:
		v = s.values[c.key]
		holds = v.flag == (c.kind == flagged)
	}
	switch {
	case holds != (c.marks&negated != 0):
		return Outcome{Holds: true}
	case v.known && c.marks&negated == 0:
		return offBy(v.n, math.Float64frombits(c.operand))
	}
	return Outcome{}
}

// surround holds the areas against the place, and spares itself those with a
// name that a prefilter rules out.
func (s *subject) surround(e *entry) Outcome {
	switch {
	case !e.prefilter.places.mayHave(s.view.place):
		return Outcome{}
	case Within(e.asked.Areas, *s.place):
		return Outcome{Holds: true}
	}
	return Beyond(e.asked.Areas, *s.place)
}

// ask holds the demand itself against the product.
func (s *subject) ask(c check, e *entry) Outcome {
	n := uint64(0)
	for d := range e.asked.Demands() {
		if n == c.operand {
			return d.hold(s.product, s.place)
		}
		n++
	}
	return Outcome{}
}
