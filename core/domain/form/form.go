// Package form reads the fields of a request into a record: what is absent
// stays, null clears, a value is checked and set. Everything wrong is gathered,
// field by field.
package form

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// Lengths of texts, in characters.
const (
	MaxName    = 255
	MaxComment = 10_000
	MaxURL     = 2048
)

// Form gathers the problems of one request. At names where its fields are, such
// as "addresses[2]."; it is empty at the top.
//
// Against, if it is not nil, has the problems that values have with the rest of their record. They
// count only where the state of the record admits the change.
type Form struct {
	Problems, Against *fault.Problems
	At                string
}

// Rules returns the form for problems of values with the rest of their record.
func (f Form) Rules() Form {
	if f.Against != nil {
		f.Problems = f.Against
	}
	return f
}

// In returns the form of a part of the request.
func (f Form) In(format string, args ...any) Form {
	f.At += fmt.Sprintf(format, args...) + "."
	return f
}

// Wrong reports a problem of a field.
func (f Form) Wrong(field string, code fault.Code, value any, format string, args ...any) {
	f.Problems.Wrong(f.At+field, code, value, format, args...)
}

// Required reports a field that must be given where it is missing.
func (f Form) Required(field string, missing bool) {
	if missing {
		f.Wrong(field, fault.CodeRequired, nil, "%s is required", field)
	}
}

// Refuse reports what is wrong with a field as somebody else found it.
func (f Form) Refuse(field string, found fault.Detail) {
	found.Field = f.At + field
	f.Problems.Append(found)
}

// Text sets a text of at most limit characters, normalised.
func (f Form) Text(field string, target *string, given opt.Field[string], limit int) {
	if !given.Set {
		return
	}
	text := criteria.Normalise(given.Or(""))
	if detail := criteria.CheckText(text, limit); detail != nil {
		f.Refuse(field, *detail)
		return
	}
	*target = text
}

// Name is Text for names of people and places, which keep nothing that nobody sees.
func (f Form) Name(field string, target *string, given opt.Field[string], limit int) {
	given.Value = criteria.Visible(given.Value)
	f.Text(field, target, given, limit)
}

// Code sets one of the accepted codes; "" clears it, as null does.
func (f Form) Code(field string, target *string, given opt.Field[string], accepted []string) {
	switch value := given.Or(""); {
	case !given.Set:
	case value != "" && !slices.Contains(accepted, value):
		f.Refuse(field, fault.Detail{
			Code: fault.CodeCriteriaValueUnknown, Value: value, Accepted: accepted, Message: fault.Textf("%s is not one of the accepted codes", field),
		})
	default:
		*target = value
	}
}

// OneOf is Code for names of a kind.
func OneOf[T ~string](f Form, field string, target *T, given opt.Field[string], accepted []T) {
	code := string(*target)
	f.Code(field, &code, given, Names(accepted))
	*target = T(code)
}

// Names returns the texts behind names of a kind.
func Names[T ~string](all []T) []string {
	texts := make([]string, len(all))
	for n, name := range all {
		texts[n] = string(name)
	}
	return texts
}

// Choice sets an active code of a list; "" clears it, as null does.
func (f Form) Choice(field string, target *string, given opt.Field[string], list criteria.List) {
	f.Code(field, target, given, criteria.ActiveCodes(list.Choices))
}

// Listed sets an active code of a list of the site; "" clears it, as null does. A
// site without the list takes any text.
func (f Form) Listed(field string, target *string, given opt.Field[string], of *criteria.Dictionary, id criteria.ListID) {
	if list, found := of.List(id); found {
		f.Choice(field, target, given, list)
		return
	}
	f.Text(field, target, given, MaxName)
}

// Known is Listed for those who look for something: codes that are not active any
// more will do.
func (f Form) Known(field string, target *string, given opt.Field[string], of *criteria.Dictionary, id criteria.ListID) {
	list, found := of.List(id)
	if !found {
		f.Text(field, target, given, MaxName)
		return
	}
	codes := make([]string, len(list.Choices))
	for i, c := range list.Choices {
		codes[i] = c.Code
	}
	f.Code(field, target, given, codes)
}

// Day sets a day, written 2026-09-16.
func (f Form) Day(field string, target *string, given opt.Field[string]) {
	switch value := given.Or(""); {
	case !given.Set:
	case value == "" && given.Null:
		*target = ""
	default:
		if day, err := time.Parse(time.DateOnly, value); err != nil || day.Year() < 1 {
			f.Wrong(field, fault.CodeInvalidFormat, value, "%s is a day, written 2026-09-16", field)
			return
		}
		*target = value
	}
}

// CalendarDay sets a day; null makes it none.
func (f Form) CalendarDay(field string, target *calendar.Day, given opt.Field[string]) {
	text := target.String()
	f.Day(field, &text, given)
	*target, _ = calendar.Parse(text) // none, where there is none
}

// Moment sets a moment in any form the contract knows for dates; one without
// an offset is in zone.
func (f Form) Moment(field string, target *time.Time, given opt.Field[string], zone *time.Location) {
	switch value := given.Or(""); {
	case !given.Set:
	case value == "" && given.Null:
		*target = time.Time{}
	default:
		date, ok := criteria.ParseDate(value, zone)
		if !ok {
			f.Wrong(field, fault.CodeInvalidFormat, value, "%s is a moment, written 2026-09-16T08:30:00Z", field)
			return
		}
		*target = date.Instant(zone)
	}
}

// Flag sets a flag that is always true or false: null says nothing.
func (f Form) Flag(field string, target *bool, given opt.Field[bool]) {
	switch {
	case given.Null:
		f.Wrong(field, fault.CodeInvalidType, nil, "%s is true or false", field)
	case given.Set:
		*target = given.Value
	}
}

// Maybe sets a value that may be unknown.
func Maybe[T any](target **T, given opt.Field[T]) {
	switch {
	case given.Null:
		*target = nil
	case given.Set:
		value := given.Value
		*target = &value
	}
}

// Amount sets an amount of money of at least 0, rounded to cents, or nil.
func (f Form) Amount(field string, target **float64, given opt.Field[float64]) {
	given.Value = criteria.Cents(given.Value)
	if given.Given() && !(given.Value >= 0 && given.Value <= math.MaxFloat64) {
		f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s is a number of at least 0", field)
		return
	}
	Maybe(target, given)
}

// Percent sets a number from 0 to 100.
func (f Form) Percent(field string, target *float64, given opt.Field[float64]) {
	switch {
	case given.Given() && !(given.Value >= 0 && given.Value <= 100):
		f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s is 0 to 100 percent", field)
	case given.Given():
		*target = given.Value
	}
}

// MaybePercent sets a number from 0 to 100, or nil.
func (f Form) MaybePercent(field string, target **float64, given opt.Field[float64]) {
	var percent float64
	if f.Percent(field, &percent, given); given.Null || given.Given() && percent == given.Value {
		Maybe(target, given)
	}
}

// MaybeBetween sets a whole number within bounds, or nil.
func (f Form) MaybeBetween(field string, target **int, given opt.Field[int], low, high int) {
	if f.within(field, given, low, high) {
		Maybe(target, given)
	}
}

// Between sets a whole number within bounds; null makes it 0.
func (f Form) Between(field string, target *int, given opt.Field[int], low, high int) {
	if f.within(field, given, low, high) && given.Set {
		*target = given.Or(0)
	}
}

// within reports a whole number that is not within bounds and says whether it is, or none is
// given.
func (f Form) within(field string, given opt.Field[int], low, high int) bool {
	if given.Given() && (given.Value < low || given.Value > high) {
		f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s must be %d to %d", field, low, high)
		return false
	}
	return true
}

// ID sets an id of at least 1; null makes it 0, which means none.
func ID[T ~int64](f Form, field string, target *T, given opt.Field[int64]) {
	switch {
	case given.Given() && given.Value < 1:
		f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s must be at least 1", field)
	case given.Set:
		*target = T(given.Or(0))
	}
}

// Once reports an entry of a list that a request names for the second time, and
// says whether it does not. seen remembers what was named.
func Once[K comparable](f Form, field string, name K, seen map[K]bool) bool {
	if seen[name] {
		f.Wrong(field, fault.CodeAmbiguousField, name, "the entry is given twice")
		return false
	}
	seen[name] = true
	return true
}

// Few reports a list that is longer than allowed and says whether it is not.
func (f Form) Few(field string, n, limit int) bool {
	if n > limit {
		f.Wrong(field, fault.CodeOutOfRange, nil, "%s can have at most %d entries", field, limit)
	}
	return n <= limit
}
