package edit_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
)

var start = time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)

type state struct {
	ID       int64
	Name     string
	Kind     string `trace:"keep"`
	Hash     access.Hash
	Packs    access.Packs
	Rights   []access.Right `trace:"keep"`
	Words    []string
	On       bool
	At       time.Time
	Inner    struct{ Secret string }
	Pointer  *string
	Headers  map[string]string
	hidden   string
	Fraction float64
}

func TestADiffSaysWhatChanged(t *testing.T) {
	before := state{ID: 1, Name: "Anne", Kind: "a", hidden: "x"}
	after := state{
		ID: 2, Name: "Bruno B.", Kind: "b", Hash: "5ec4e7", Packs: access.Leads | access.Customers, Rights: []access.Right{access.LeadGet, access.UserList},
		Words: []string{"one", "three"}, On: true, At: start, Headers: map[string]string{"Authorization": "5ec4e7"}, hidden: "y", Fraction: 1.5,
	}
	after.Inner.Secret = "5ec4e7"
	after.Pointer = &after.Name
	want := []edit.Edit{
		{Field: "ID", Before: "1", After: "2"}, {Field: "Name", Before: "‹string, 4›", After: "‹string, 8›"}, {Field: "Kind", Before: "a", After: "b"},
		{Field: "Hash", After: "‹string, 6›"}, {Field: "Packs", After: "customers, leads"}, {Field: "Rights", After: "RS:LEAD_GET, RS:USER_LIST"},
		{Field: "Words", After: "‹string, 3›, ‹string, 5›"}, {Field: "On", Before: "false", After: "true"}, {Field: "At", After: "2026-09-16T08:30:00Z"},
		{Field: "Inner.Secret", After: "‹string, 6›"}, {Field: "Pointer", After: "‹string, 8›"},
		{Field: "Headers", Before: "‹0 entries›", After: "‹1 entries›"}, {Field: "Fraction", Before: "0", After: "1.5"},
	}
	if d := cmp.Diff(want, edit.Diff(before, after)); d != "" {
		t.Error(d)
	}
	if same := edit.Diff(after, after); len(same) > 0 {
		t.Errorf("no difference is %v", same)
	}
}

// TestNoTextIsWrittenDownThatIsNotKept puts a canary into every text of a record that
// is not marked, and looks for it.
func TestNoTextIsWrittenDownThatIsNotKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		canary := rapid.StringMatching(`[a-z]{6,30}`).Draw(t, "canary") + "5ec4e7"
		after := state{Name: canary, Hash: access.Hash(canary), Words: []string{canary, "x"}, Headers: map[string]string{canary: canary}, Pointer: &canary}
		after.Inner.Secret = canary
		for _, pair := range [][2]state{{{}, after}, {after, {}}} {
			if text := fmt.Sprint(edit.Diff(pair[0], pair[1])); strings.Contains(text, "5ec4e7") {
				t.Fatal(text)
			}
		}
	})
}

// TestADiffOfARecordOfAnyShape must not fail on a kind it does not know.
func TestADiffOfARecordOfAnyShape(t *testing.T) {
	type odd struct {
		F func()
		C chan int
		I any
		A [2]int
	}
	changes := edit.Diff(odd{}, odd{C: make(chan int), I: "5ec4e7", A: [2]int{1, 2}})
	if text := fmt.Sprint(changes); strings.Contains(text, "5ec4e7") || reflect.DeepEqual(changes, nil) {
		t.Error(text)
	}
}
