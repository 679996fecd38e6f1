package form_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// record has one field of each kind, none at its zero value.
type record struct {
	text, code, day string
	moment          time.Time
	flag            bool
	amount          *float64
	between         int
	id              int64
}

func filled() record {
	n := 5.0
	return record{text: "text", code: "A", day: "2026-01-02", moment: time.Unix(1, 0), flag: true, amount: &n, between: 3, id: 7}
}

type fields struct {
	text, code, day, moment opt.Field[string]
	flag                    opt.Field[bool]
	amount                  opt.Field[float64]
	between                 opt.Field[int]
	id                      opt.Field[int64]
}

func (in fields) into(r *record) []fault.Detail {
	var problems fault.Problems
	f := form.Form{Problems: &problems}.In("part[%d]", 2)
	f.Text("text", &r.text, in.text, 5)
	f.Choice("code", &r.code, in.code, criteria.List{Choices: []criteria.Choice{{Code: "A", Active: true}, {Code: "B", Active: true}, {Code: "C"}}})
	f.Day("day", &r.day, in.day)
	f.Moment("moment", &r.moment, in.moment, time.UTC)
	f.Flag("flag", &r.flag, in.flag)
	f.Amount("amount", &r.amount, in.amount)
	f.Between("between", &r.between, in.between, 1, 5)
	form.ID(f, "id", &r.id, in.id)
	if err := problems.Err(); err != nil {
		return fault.From(err).Details
	}
	return nil
}

func TestWhatIsAbsentStays(t *testing.T) {
	r := filled()
	if details := (fields{}).into(&r); details != nil || *r.amount != 5 {
		t.Fatalf("%v", details)
	}
	want := filled()
	want.amount = r.amount
	if r != want {
		t.Errorf("%+v", r)
	}
}

func TestNullClears(t *testing.T) {
	r := filled()
	s := opt.Null[string]()
	in := fields{text: s, code: s, day: s, moment: s, amount: opt.Null[float64](), between: opt.Null[int](), id: opt.Null[int64]()}
	if details := in.into(&r); details != nil {
		t.Fatalf("%v", details)
	}
	if r != (record{flag: true}) {
		t.Errorf("%+v", r)
	}
}

func TestAValueIsSetInItsNormalForm(t *testing.T) {
	var r record
	in := fields{
		text: opt.Of("  e\u0301t\u00e9 "), code: opt.Of("B"), day: opt.Of("2026-09-16"), moment: opt.Of("16/09/2026 08:30"),
		flag: opt.Of(true), amount: opt.Of(0.0), between: opt.Of(5), id: opt.Of(int64(1)),
	}
	if details := in.into(&r); details != nil {
		t.Fatalf("%v", details)
	}
	zero := 0.0
	want := record{text: "\u00e9t\u00e9", code: "B", day: "2026-09-16", moment: time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC), flag: true, amount: &zero, between: 5, id: 1}
	if *r.amount != 0 {
		t.Errorf("the amount is %v", *r.amount)
	}
	want.amount = r.amount
	if r != want {
		t.Errorf("%+v", r)
	}
}

func TestEveryProblemNamesItsFieldAndNothingIsSet(t *testing.T) {
	r := filled()
	in := fields{
		text: opt.Of("too long"), code: opt.Of("C"), day: opt.Of("2026-02-30"), moment: opt.Of("noon"), flag: opt.Null[bool](),
		amount: opt.Of(-1.0), between: opt.Of(6), id: opt.Of(int64(0)),
	}
	details := in.into(&r)
	var names []string
	for _, d := range details {
		names = append(names, d.Field)
	}
	if got, want := strings.Join(names, " "), "part[2].text part[2].code part[2].day part[2].moment part[2].flag part[2].amount part[2].between part[2].id"; got != want {
		t.Errorf("problems with %s", got)
	}
	want := filled()
	want.amount = r.amount
	if r != want {
		t.Errorf("something was set: %+v", r)
	}
}
