package edit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
)

func TestEditsAreReadAsTheyWereKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[^\x1e\x1f]{0,150}`)
		edits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) edit.Edit {
			return edit.Edit{Field: text.Draw(t, "field"), Before: text.Draw(t, "before"), After: text.Draw(t, "after")}
		}), 0, 12).Draw(t, "edits")
		got, err := edit.Decode(edit.Encode(edits))
		if d := cmp.Diff(edits, got, cmp.Transformer("none", func(e []edit.Edit) int { return len(e) })); err != nil || d != "" {
			t.Fatalf("%v\n%s", err, d)
		}
		for i, e := range edits {
			if got[i] != e {
				t.Fatalf("%q is read as %q", e, got[i])
			}
		}
	})
}

// Whatever somebody writes into a field, the entry about it stays small and in one piece.
func TestEditsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 90).Draw(t, "fields")
		long := strings.Repeat(rapid.SampledFrom([]string{"a", "é", "漢", "𝄞", "\x1f", "\x1e"}).Draw(t, "of"), rapid.IntRange(0, 20_000).Draw(t, "length"))
		edits := make([]edit.Edit, n)
		for i := range edits {
			edits[i] = edit.Edit{Field: "f", Before: long, After: long}
		}
		text := edit.Encode(edits)
		got, err := edit.Decode(text)
		if err != nil || len(got) != min(n, edit.MaxFields) || len(text) > 20_000 || !utf8.ValidString(text) {
			t.Fatalf("%d edits of %d bytes are %d of %d bytes, %v", n, len(long), len(got), len(text), err)
		}
		for _, e := range got {
			if utf8.RuneCountInString(e.Before) > edit.MaxText+30 {
				t.Fatalf("a value of %d characters is kept", utf8.RuneCountInString(e.Before))
			}
		}
	})
}

func TestALongValueSaysHowLongItIs(t *testing.T) {
	if got, want := edit.Shorten(strings.Repeat("é", 250)), strings.Repeat("é", 200)+"… ‹string, 250›"; got != want {
		t.Errorf("%q", got)
	}
	if got := edit.Shorten(strings.Repeat("é", 200)); got != strings.Repeat("é", 200) {
		t.Errorf("%q", got)
	}
	if _, err := edit.Decode("something else"); err == nil {
		t.Error("a text without edits is read")
	}
}

type person struct {
	LastName string
	VATNumber,
	Secret string `trace:"length"`
	Status  word
	ID, Age int64
	Owner   ownerID
	Shown   int `trace:"-"`
	Emails  []email
	Inner
}

type (
	word    string
	ownerID int64
	email   struct {
		ID      int64
		Address string
		Primary bool
	}
	// Inner is embedded, so its fields are those of a person.
	Inner struct{ BirthName string }
)

func TestAHistoryNamesFieldsAsRequestsDo(t *testing.T) {
	before := person{LastName: "Blanc", Age: 3, Status: "NEW", Emails: []email{{1, "a@x", true}, {2, "b@x", false}}, Inner: Inner{"Noir"}}
	after := person{VATNumber: "XYZ", Owner: 7, Shown: 1, Status: "OLD", Emails: []email{{1, "a@x", true}, {2, "c@x", true}}}
	want := []edit.Edit{
		{"last_name", "Blanc", ""}, {"vat_number", "", "‹string, 3›"}, {"status", "NEW", "OLD"}, {"age", "3", "0"}, {"owner", "", "7"},
		{"emails", "address: b@x", "address: c@x, primary: true"}, {"birth_name", "Noir", ""},
	}
	if d := cmp.Diff(want, edit.Whole(before, after)); d != "" {
		t.Error(d)
	}
	want[0].Before, want[5].Before, want[5].After, want[6].Before = "‹string, 5›", "address: ‹string, 3›", "address: ‹string, 3›, primary: true", "‹string, 4›"
	if d := cmp.Diff(want, edit.Closed(before, after)); d != "" {
		t.Error(d)
	}
}
