package trace_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

type refusedRequest struct {
	request
	Born string `json:"born" format:"date" trace:"hide"`
	Day  string `json:"day" format:"date"`
}

func TestTheValueOfARefusalIsShownWhereItIsACode(t *testing.T) {
	plan := trace.BodyPlan(reflect.TypeFor[refusedRequest]())
	list, secret := criteria.Definition{Key: "Chauffage", Type: criteria.UNIQUE}, criteria.Definition{Key: "Secret", Type: criteria.UNIQUE, Private: true}
	item := at(plan, "criteria", "[]")
	value := func(d criteria.Definition) *trace.Plan { return at(item.Of(d), "value") }
	for name, c := range map[string]struct {
		of     *trace.Plan
		listed bool
		shown  bool
	}{
		"number": {at(plan, "price"), false, true}, "boolean": {at(plan, "active"), false, true}, "enum": {at(plan, "kind"), false, true},
		"day": {at(plan, "day"), false, true}, "criterion": {at(item, "id"), false, true}, "its value": {value(list), true, true},
		"listed text": {at(plan, "name"), true, true},
		"text":        {at(plan, "name"), false, false}, "birth": {at(plan, "born"), true, false}, "a private value": {value(secret), true, false},
		"a text": {value(criteria.Definition{Key: "Titre", Type: criteria.TEXT}), false, false}, "an unknown criterion": {at(item, "value"), true, false},
	} {
		if got := trace.ShowsRefused(c.of, "SOLDD", c.listed); got != c.shown {
			t.Errorf("%s: it is shown: %t", name, got)
		}
	}
	for text, code := range map[string]bool{
		"SOLDD": true, "for-sale_2.1": true, "12m2": true, "2026-02-30": true, "": false, "12 m2": false, "a@b.fr": false, "0612345678": false,
		"06-12-34-56-78": false, "06.12.34.56.78": false, "Léa": false, strings.Repeat("a", 33): false, "a\nb": false, "+33612": false,
	} {
		if trace.IsCode(text) != code {
			t.Errorf("%q is a code: %t", text, !code)
		}
	}
	d := fault.Detail{Field: "kind", Code: fault.CodeCriteriaValueUnknown, Value: "SOLDD", Accepted: []string{"RENT", "SALE"}, Message: fault.Textf("%s is %q, not %s, at most %d", "kind", "SOLDD", "RENT", 7)}
	want := trace.Refusal{Field: "kind", Code: d.Code, Value: "SOLDD", Accepted: d.Accepted, AcceptedCount: 2, Message: `kind is "SOLDD", not RENT, at most 7`}
	if got := plan.Refused(d, trace.Sent{Plan: at(plan, "kind"), Known: true}); !reflect.DeepEqual(got, want) {
		t.Errorf("it is shown as %+v", got)
	}
	want.Value, want.Message = "", "… is …, not RENT, at most 7"
	if got := plan.Refused(d, trace.Sent{}); !reflect.DeepEqual(got, want) {
		t.Errorf("of an unknown field it is shown as %+v", got)
	}
}

// Of a text with a space, an @ or six digits in a row nothing is shown, whatever the field; and of
// any text, if the rule of the field is no closed list.
func TestNothingIsShownOfATextThatIsNoCode(t *testing.T) {
	plan := trace.BodyPlan(reflect.TypeFor[refusedRequest]())
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[A-Za-z0-9_.-]{0,12}`)
		mark := rapid.OneOf(rapid.Just(" "), rapid.Just("@"), rapid.StringMatching(`[0-9]{6,12}`)).Draw(t, "mark")
		free := rapid.Bool().Draw(t, "free")
		text := "Qx" + word.Draw(t, "before") + mark + word.Draw(t, "after") + "xQ"
		name := rapid.SampledFrom([]string{"price", "kind", "active", "day", "name", "born", "answered"}).Draw(t, "field")
		d := fault.Detail{Field: name, Code: fault.CodeInvalidFormat, Message: fault.Textf("%s: %q, or %v", name, text, fault.Textf("%s", text))}
		if free { // any text, of a field without a closed list
			name = rapid.SampledFrom([]string{"name", "born", "answered"}).Draw(t, "free field")
			text = "Qx" + word.Draw(t, "text") + "xQ"
			d.Field, d.Message = name, fault.Textf("%s: %q", name, text)
		}
		sent := trace.Sent{Plan: at(plan, name), Known: rapid.Bool().Draw(t, "known")}
		if rapid.Bool().Draw(t, "repeated") {
			d.Value = text
		} else {
			sent.Text = text
		}
		if !free && rapid.Bool().Draw(t, "listed") {
			d.Accepted = []string{"RENT"}
		}
		if got := plan.Refused(d, sent); got.Value != "" || strings.Contains(got.Message, "Qx") || strings.Contains(got.Message, "xQ") {
			t.Fatalf("%q is shown as %+v", text, got)
		}
		if got := trace.ShownMessage(d.Message); strings.Contains(got, "Qx") {
			t.Fatalf("the message is shown as %s", got)
		}
	})
}
