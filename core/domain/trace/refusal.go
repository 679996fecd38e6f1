package trace

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Refusal is what may be shown of a field that was refused, in the request log and in the log of
// the server alike.
type Refusal struct {
	// Field is its path as far as it is known; what a client made up ends it.
	Field string     `json:"field"`
	Code  fault.Code `json:"code"`
	// Value is what was sent, if it may be shown.
	Value string `json:"value,omitempty"`
	// Message is for people, with … in place of what may not be shown.
	Message string `json:"message,omitempty"`
	// Accepted are the first values that would have been accepted, AcceptedCount is how many
	// there are.
	Accepted      []string `json:"accepted_values,omitempty"`
	AcceptedCount int      `json:"accepted_count,omitempty"`
}

// maxAccepted is how many accepted values a Refusal has.
const maxAccepted = 20

// Sent is what a request has at the path of a field that was refused.
type Sent struct {
	// Plan is that of the field; Known reports whether there is such a field.
	Plan  *Plan
	Known bool
	// Text is the value, empty for none.
	Text string
}

// Refused returns what may be shown of a problem of the body or query that the plan is of. at is
// what was sent at the path of the problem.
func (p *Plan) Refused(d fault.Detail, at Sent) Refusal {
	r := Refusal{Field: p.Path(d.Field), Code: d.Code, AcceptedCount: len(d.Accepted)}
	r.Accepted = d.Accepted[:min(len(d.Accepted), maxAccepted)]
	value := at.Text
	if d.Value != nil {
		value = scalar(d.Value)
	}
	if at.Known && ShowsRefused(at.Plan, value, len(d.Accepted) > 0) {
		r.Value = value
	}
	r.Message = d.Message.Without(func(arg any) bool {
		text := scalar(arg)
		if reflect.ValueOf(arg).Kind() == reflect.String {
			return text != "" && (text == r.Value || slices.Contains(d.Accepted, text) || at.names(d.Field, text))
		}
		return IsCode(text) && (text == r.Value || text != value)
	})
	return r
}

// names reports whether a text of a message is the field itself, or its criterion.
func (s Sent) names(field, text string) bool {
	return s.Known && (field == text || strings.HasSuffix(field, "."+text) || s.Plan != nil && s.Plan.definition != nil && s.Plan.definition.Key == text)
}

// ShownMessage returns what may be shown of the message of an error: no text that may be of a
// request.
func ShownMessage(t fault.Text) string {
	return t.Without(func(arg any) bool { return reflect.ValueOf(arg).Kind() != reflect.String && IsCode(scalar(arg)) })
}

// ShowsRefused reports whether a value that a field did not take may be shown. The rule of the
// field must be a closed list (listed reports that the refusal has one), an enum, a number, a
// boolean, a date or the name of a criterion, and the value must look like a code: of texts of
// people nothing is shown.
func ShowsRefused(of *Plan, value string, listed bool) bool {
	return (of.isClosed() || listed && of.mayBeListed()) && IsCode(value)
}

func (p *Plan) isClosed() bool {
	return p != nil && !p.free && (p.numbers || p.booleans || p.dates || p.names || len(p.words) > 0 || p.definition != nil && open(p.definition))
}

// mayBeListed reports whether a field whose values are listed may show what it did not take.
func (p *Plan) mayBeListed() bool {
	return p == nil || !p.hidden && !p.free && (p.definition == nil || open(p.definition))
}

const (
	maxCode       = 32
	maxCodeDigits = 8
)

var (
	codeShape  = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
	longNumber = regexp.MustCompile(`[0-9]{6}`)
	digit      = regexp.MustCompile(`[0-9]`)
)

// IsCode reports whether a text looks like a code, a small number or a day: at most 32 letters,
// digits, _, . and -, among them no six digits in a row and at most eight in all, which could be a
// phone number.
func IsCode(text string) bool {
	return len(text) <= maxCode && codeShape.MatchString(text) && !longNumber.MatchString(text) && len(digit.FindAllString(text, maxCodeDigits+1)) <= maxCodeDigits
}

// scalar returns a text, number or boolean as text; empty for anything else.
func scalar(value any) string {
	switch reflect.ValueOf(value).Kind() { //nolint:exhaustive // the others are no scalars
	case reflect.String:
		return reflect.ValueOf(value).String()
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return fmt.Sprint(value)
	}
	return ""
}
