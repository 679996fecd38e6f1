package archive

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// form is how values of a type are written that are not written as what they are
// made of.
type form struct {
	// schema says how, for readers.
	schema string
	// always tells that the zero value is one like the others.
	always bool
	write  func(reflect.Value) (any, error)
	read   func(raw any, v reflect.Value) error
}

// forms are the types with a form of their own.
var forms = sync.OnceValue(func() map[reflect.Type]form {
	return map[reflect.Type]form{
		reflect.TypeFor[time.Time]():       inText("moment", instant, parseInstant),
		reflect.TypeFor[time.Duration]():   inText("duration, such as `7s`", time.Duration.String, time.ParseDuration),
		reflect.TypeFor[calendar.Day]():    inText("day, such as `2026-11-22`", calendar.Day.String, calendar.Parse),
		reflect.TypeFor[letting.Quarter](): inText("quarter, such as `2025-T3`", letting.Quarter.String, letting.ParseQuarter),
		reflect.TypeFor[slot.Clock]():      inText("time of the day, such as `09:00`", slot.Clock.String, slot.ParseClock),
		reflect.TypeFor[money.Amount]():    inNumber("amount in cents"),
		reflect.TypeFor[money.Percent]():   inNumber("share in hundredths of a percent"),
		reflect.TypeFor[criteria.Type]():   inText("type of a criterion, such as `NUMBER`", criteria.Type.String, criteria.ParseType),
		reflect.TypeFor[criteria.Operator](): inText("operator", criteria.Operator.String, func(name string) (criteria.Operator, error) {
			o, known := criteria.ParseOperator(name)
			return o, unless(known, name)
		}),
		reflect.TypeFor[webhook.State](): evenZero(inText("`active` or `suspended`", webhook.State.String, func(name string) (webhook.State, error) {
			states := []webhook.State{webhook.Active, webhook.Suspended}
			n := slices.IndexFunc(states, func(s webhook.State) bool { return s.String() == name })
			return states[max(n, 0)], unless(n >= 0, name)
		})),
		reflect.TypeFor[webhook.Status](): evenZero(inText("status of a delivery", webhook.Status.String, func(name string) (webhook.Status, error) {
			s, known := webhook.ParseStatus(name)
			return s, unless(known, name)
		})),
		reflect.TypeFor[access.Packs](): inText("packs, separated by commas", access.Packs.String, func(names string) (packs access.Packs, err error) {
			for name := range strings.SplitSeq(names, ", ") {
				pack, unknown := access.ParsePack(name)
				packs, err = packs|pack, errors.Join(err, unknown)
			}
			return packs, err
		}),
	}
})

func evenZero(f form) form {
	f.always = true
	return f
}

func unless(known bool, name string) error {
	if known {
		return nil
	}
	return fmt.Errorf("%q is none of the words for it", name)
}

// inNumber is the form of whole numbers that need to be explained.
func inNumber(schema string) form {
	return form{
		schema: schema,
		write:  func(v reflect.Value) (any, error) { return v.Int(), nil },
		read:   readWhole,
	}
}

// inText is the form of a type whose values have a text each.
func inText[T any](schema string, text func(T) string, parse func(string) (T, error)) form {
	return form{
		schema: schema,
		write:  func(v reflect.Value) (any, error) { return text(v.Interface().(T)), nil },
		read: func(raw any, v reflect.Value) error {
			s, ok := raw.(string)
			if !ok {
				return errors.New("this is not a text")
			}
			value, err := parse(s)
			v.Set(reflect.ValueOf(value))
			return err
		},
	}
}

// instant writes a moment in UTC, with as many digits as it has.
func instant(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func parseInstant(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	return at.UTC(), err
}

// valueType is the type of values of criteria, which are written with their types.
var valueType = reflect.TypeFor[criteria.Value]()

// criterion is the form of the value of a criterion.
type criterion struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

func writeCriterion(v reflect.Value) (any, error) {
	value, ok := v.Interface().(criteria.Value)
	if !ok {
		return nil, errors.New("a criterion without a value")
	}
	c := criterion{value.Type().String(), nil}
	switch value := value.(type) {
	case criteria.Unique:
		c.Value = string(value)
	case criteria.Number:
		c.Value = float64(value)
	case criteria.Flag:
		c.Value = bool(value)
	case criteria.Text:
		c.Value = string(value)
	case criteria.Multiple:
		c.Value = append([]string{}, value...)
	case criteria.Date:
		c.Value = value.At.UTC().Format(time.DateOnly)
		if value.Timed {
			c.Value = instant(value.At)
		}
	}
	return c, nil
}

func readCriterion(raw any, v reflect.Value) error {
	object, ok := raw.(map[string]any)
	name, _ := object["type"].(string)
	kind, err := criteria.ParseType(name)
	if !ok || err != nil || len(object) != 2 {
		return errors.New("this is not a value with its type")
	}
	var value criteria.Value
	set := func(into any) error { return setValue(object["value"], reflect.ValueOf(into).Elem()) }
	switch kind {
	case criteria.UNIQUE:
		value, err = read[criteria.Unique](set)
	case criteria.NUMBER:
		value, err = read[criteria.Number](set)
	case criteria.FLAG:
		value, err = read[criteria.Flag](set)
	case criteria.TEXT:
		value, err = read[criteria.Text](set)
	case criteria.MULTIPLE:
		value, err = read[criteria.Multiple](set)
	case criteria.DATE:
		var text string
		if err = set(&text); err == nil {
			value, err = parseDate(text)
		}
	}
	if err == nil {
		v.Set(reflect.ValueOf(value))
	}
	return err
}

func read[T any](set func(any) error) (v T, err error) {
	err = set(&v)
	return v, err
}

func parseDate(text string) (d criteria.Date, err error) {
	if d.Timed = strings.Contains(text, "T"); d.Timed {
		d.At, err = parseInstant(text)
	} else {
		d.At, err = time.Parse(time.DateOnly, text)
	}
	return d, err
}
