package criteria

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Operator compares a product's value with that of a search condition.
type Operator uint8

// The operators of the contract. The zero Operator is none of them.
const (
	// EGAL: equals.
	EGAL Operator = iota + 1
	// DIFFERENT: not equal; also true where there is no value.
	DIFFERENT
	// SUPERIEUR: greater than or equal.
	SUPERIEUR
	// INFERIEUR: less than or equal.
	INFERIEUR
	// CONTIENT: the text contains one of the strings.
	CONTIENT
	// COMPREND: the value is, or the set includes, one of the codes.
	COMPREND
	// NE_COMPREND_PAS: the negation of COMPREND.
	NE_COMPREND_PAS //nolint:revive // the contract's own spelling
)

var operatorNames = [...]string{
	EGAL: "EGAL", DIFFERENT: "DIFFERENT", SUPERIEUR: "SUPERIEUR", INFERIEUR: "INFERIEUR",
	CONTIENT: "CONTIENT", COMPREND: "COMPREND", NE_COMPREND_PAS: "NE_COMPREND_PAS",
}

// Operators lists the seven operators.
func Operators() []Operator {
	return []Operator{EGAL, DIFFERENT, SUPERIEUR, INFERIEUR, CONTIENT, COMPREND, NE_COMPREND_PAS}
}

// OperatorNames lists the contract's spellings.
func OperatorNames() []string { return slices.Clone(operatorNames[1:]) }

// String returns the contract's spelling.
func (o Operator) String() string {
	if o > 0 && int(o) < len(operatorNames) {
		return operatorNames[o]
	}
	return "?"
}

// ParseOperator reads the contract's spelling.
func ParseOperator(name string) (Operator, bool) {
	i := slices.Index(operatorNames[1:], name)
	return Operator(i + 1), i >= 0
}

var admitted = [...][]Type{
	EGAL:            {UNIQUE, NUMBER, FLAG, TEXT, MULTIPLE, DATE},
	DIFFERENT:       {UNIQUE, NUMBER, FLAG, TEXT, MULTIPLE, DATE},
	SUPERIEUR:       {NUMBER, DATE},
	INFERIEUR:       {NUMBER, DATE},
	CONTIENT:        {TEXT},
	COMPREND:        {UNIQUE, MULTIPLE},
	NE_COMPREND_PAS: {UNIQUE, MULTIPLE},
}

// Admits reports whether the operator applies to the type.
func (o Operator) Admits(t Type) bool {
	return int(o) < len(admitted) && slices.Contains(admitted[o], t)
}

// Condition is one typed clause of a search. Which field holds the operand
// follows from the type: Number for NUMBER, Number and Instant for DATE
// (Date.Among), Flag for FLAG, Codes for UNIQUE and MULTIPLE, Texts for TEXT,
// folded.
type Condition struct {
	// Criterion is the key of the criterion.
	Criterion string
	Type      Type
	Operator  Operator
	Number    float64
	// Instant is what instants compare with. Where it is zero, they compare with
	// Number, as days do.
	Instant time.Time `json:",omitzero"`
	Flag    bool
	Codes   []string
	Texts   []string
}

// Condition reads a clause on this criterion or reports the problem as a detail
// whose field is "operator" or "value".
func (d Definition) Condition(operator Operator, raw Raw, how Reading) (Condition, *fault.Detail) {
	c := Condition{Criterion: d.Key, Type: d.Type, Operator: operator}
	if !operator.Admits(d.Type) || !d.Searchable {
		return c, d.notSupported(operator)
	}
	items, isArray := raw.V.([]any)
	if !isArray {
		items = []any{raw.V}
	}
	fail := func(detail *fault.Detail) (Condition, *fault.Detail) {
		detail.Field = "value"
		return c, detail
	}
	if raw.Empty() {
		return fail(&fault.Detail{Code: fault.CodeRequired, Message: fault.Textf("%s: a value is required", d.Key)})
	}
	manyAllowed := operator == CONTIENT || operator == COMPREND || operator == NE_COMPREND_PAS || d.Type == MULTIPLE
	if isArray && !manyAllowed {
		return fail(d.wrong(raw, "an array is understood by CONTIENT, COMPREND and NE_COMPREND_PAS only"))
	}
	how.Operand = true
	for _, item := range items {
		if _, nested := item.([]any); nested {
			return fail(d.wrong(raw, "an array of arrays compares with nothing"))
		}
		if (Raw{item}).Empty() {
			return fail(d.wrong(raw, "an empty value compares with nothing"))
		}
		value, detail := d.Parse(Raw{item}, how)
		if detail != nil {
			return fail(detail)
		}
		switch v := value.(type) {
		case Number:
			c.Number = float64(v)
		case Date:
			c.Number, c.Instant = v.Among(how.Zone)
		case Flag:
			c.Flag = bool(v)
		case Unique:
			c.addCode(string(v))
		case Multiple:
			c.addCode(v[0])
		case Text:
			folded := Fold(string(v))
			if folded == "" {
				return fail(d.wrong(raw, "accents alone compare with nothing"))
			}
			c.Texts = append(c.Texts, folded)
		}
	}
	return c, nil
}

func (c *Condition) addCode(code string) {
	if !slices.Contains(c.Codes, code) {
		c.Codes = append(c.Codes, code)
	}
}

func (d Definition) notSupported(o Operator) *fault.Detail {
	detail := &fault.Detail{Field: "operator", Code: fault.CodeOperatorNotSupported, Value: o.String()}
	if !d.Searchable {
		detail.Message = fault.Textf("%s cannot be searched", d.Key)
		return detail
	}
	for _, other := range Operators() {
		if other.Admits(d.Type) {
			detail.Accepted = append(detail.Accepted, other.String())
		}
	}
	detail.Message = fault.Textf("%s is of type %s, which %s does not compare; use %s", d.Key, d.Type, o, strings.Join(detail.Accepted, ", "))
	return detail
}

// Plain returns the operand as requests write it: a string, a number (float64), 0 or
// 1, or a list of strings. Texts are folded.
func (c Condition) Plain() any {
	switch c.Type {
	case NUMBER:
		return c.Number
	case DATE:
		if int64(c.Number)%(24*time.Hour).Microseconds() == 0 {
			return Date{At: time.UnixMicro(int64(c.Number)).UTC()}.String()
		}
		if !c.Instant.IsZero() {
			return Date{At: c.Instant, Timed: true}.String()
		}
		return Date{At: time.UnixMicro(int64(c.Number)).UTC(), Timed: true}.String()
	case FLAG:
		return Plain(Flag(c.Flag))
	case TEXT:
		return oneOrMany(c.Texts)
	case UNIQUE, MULTIPLE:
	}
	return oneOrMany(c.Codes)
}

func oneOrMany(texts []string) any {
	if len(texts) == 1 {
		return texts[0]
	}
	return texts
}

// Matches evaluates the clause on a product's value, nil when it has none. It
// is the definition of what the operators mean:
//
// A product without the criterion matches DIFFERENT and NE_COMPREND_PAS and no
// other operator, except that an absent FLAG counts as 0. Texts compare folded.
func (c Condition) Matches(v Value) bool {
	switch c.Operator {
	case EGAL:
		return c.equals(v)
	case DIFFERENT:
		return !c.equals(v)
	case SUPERIEUR:
		n, ok := Scalar(v)
		return ok && n >= c.bound(v)
	case INFERIEUR:
		n, ok := Scalar(v)
		return ok && n <= c.bound(v)
	case CONTIENT:
		text, ok := v.(Text)
		folded := Fold(string(text))
		return ok && slices.ContainsFunc(c.Texts, func(part string) bool { return strings.Contains(folded, part) })
	case COMPREND:
		return c.includes(v)
	case NE_COMPREND_PAS:
		return !c.includes(v)
	}
	return false
}

// AmongInstants returns where the operand of a DATE lies among instants.
func (c Condition) AmongInstants() float64 {
	if c.Instant.IsZero() {
		return c.Number
	}
	return Date{At: c.Instant}.Scalar()
}

// bound returns what a value compares with.
func (c Condition) bound(v Value) float64 {
	if d, ok := v.(Date); ok && d.Timed {
		return c.AmongInstants()
	}
	return c.Number
}

func (c Condition) equals(v Value) bool {
	switch c.Type {
	case NUMBER, DATE:
		n, ok := Scalar(v)
		return ok && n == c.bound(v)
	case FLAG:
		set, _ := v.(Flag)
		return bool(set) == c.Flag
	case TEXT:
		text, ok := v.(Text)
		return ok && Fold(string(text)) == c.Texts[0]
	case UNIQUE:
		code, ok := v.(Unique)
		return ok && string(code) == c.Codes[0]
	case MULTIPLE:
		set, ok := v.(Multiple)
		return ok && len(set) == len(c.Codes) && c.includesAll(set)
	}
	return false
}

func (c Condition) includesAll(set Multiple) bool {
	for _, code := range c.Codes {
		if !slices.Contains(set, code) {
			return false
		}
	}
	return true
}

func (c Condition) includes(v Value) bool {
	switch v := v.(type) {
	case Unique:
		return slices.Contains(c.Codes, string(v))
	case Multiple:
		return slices.ContainsFunc(v, func(code string) bool { return slices.Contains(c.Codes, code) })
	}
	return false
}

// Scalar places a NUMBER, a day or an instant on its axis.
func Scalar(v Value) (float64, bool) {
	switch v := v.(type) {
	case Number:
		return float64(v), true
	case Date:
		return v.Scalar(), true
	}
	return 0, false
}
