package setup_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// collected is what Stream reads, with the products where Decode has them. streamed counts those
// that are read one by one.
func collected(file io.ReaderAt) (s transfer.Setup, streamed int, err error) {
	s, err = setup.Stream(file)
	if err != nil {
		return s, 0, err
	}
	for i := range s.Sites {
		site := &s.Sites[i]
		if site.MoreProducts == nil {
			continue
		}
		for p, err := range site.MoreProducts {
			if err != nil {
				return s, 0, fmt.Errorf("read again: %w", err)
			}
			p.Line = 0
			site.Products = append(site.Products, p)
			streamed++
		}
		site.MoreProducts = nil
	}
	return s, streamed, nil
}

// agree reads a file in both ways, and counts the products that Stream reads one by one.
func agree(t *testing.T, file string) int {
	t.Helper()
	want, wrong := setup.Decode(strings.NewReader(file))
	got, streamed, err := collected(strings.NewReader(file))
	if (err == nil) != (wrong == nil) || wrong == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("%s\nis read as %+v, %v\nwant %+v, %v", file, got, err, want, wrong)
	}
	return streamed
}

// first and last are around lists of products.
const first, last = "sites:\n  - id: 1\n    products:\n", "    name: Réseau\n  - id: 2\n"

// notations are items of a list, which is indented by six spaces, and how many products are
// read of them one by one; 0 where the file is wrong or has to be read as a whole.
var notations = []struct {
	items    string
	streamed int
}{
	{"      - model: a\n      - model: b\n", 2},
	{"      - {model: a}\n      - {model: b, criteria: {Ville: Nantes,\n         Prix: 3}}\n", 2},
	{"      - model: a\r\n        agency_id: 1\r\n      - model: b\r\n", 2},
	{"      -\n        model: a\n      -   model: b\n          agency_id: 2\n      -\n", 3},
	{"    # none yet\n\n      # the first\n      - model: a # one\n# low\n        agency_id: 7\n\n      # the second\n      - model: b\n  # over\n", 2},
	{"      - descriptions:\n          - text: |\n              - model: c\n\n               # kept\n                more\n        model: a\n      - model: b\n", 2},
	{"      - descriptions:\n        - text: >-\n           one\n           two\n\n           three\n      - model: b\n", 2},
	{"      - descriptions: [{text: |+\n           one\n\n      - model: b\n", 0},
	{"      - descriptions:\n        - text: |+\n           one\n\n\n      - descriptions:\n        - text: |\n           one\n\n\n", 2},
	{"      - model: a\n        next_contact: one\n          two\n          - three\n      - model: b\n", 2},
	{"      - model: \"one\n          - two\"\n      - model: 'it''s\n\n          # three'\n", 2},
	{"      - criteria: {Ville: [a, \"b\",\n                  - c]}\n", 1},
	{"      - model: a\n        products:\n          - model: b\n", 0},
	{"      - model: a\n        agency_id: 010\n", 0},
	{"      - model: a\n        model: b\n", 0},
	{"      - model: a\n       agency_id: 1\n", 0},
	{"      - model: a\n      -\tmodel: b\n", 0},
	{"      - model: a\n     - model: b\n", 0},
	{"      - - model: b\n", 0},
	{"      - model: a\n      agency_id: 1\n", 0},
	{"    - model: a\n    - model: b\n", 2},
	{"  - model: a\n", 0},
	{"", 0},
	{"      []\n", 0},
	{"      # nothing\n", 0},
	// What others depend on, or depends on others.
	{"      - &one {model: a}\n      - *one\n", 0},
	{"      - model: a\n        criteria: &flat {Ville: Nantes}\n      - model: b\n        criteria: {<<: *flat, Prix: 1}\n", 0},
	{"      - model: !!str 12\n", 0},
	{"      - model: \"& * ! # | >\"\n      - model: a&b\n", 2},
	// Texts may be indented less than they should be.
	{"      - model: \"one\n      - two\"\n      - model: b\n", 0},
	{"      - model: 'one\ntwo'\n      - model: b\n", 0},
	{"      - criteria: {Prix: 1,\n      Ville: Nantes}\n      - model: b\n", 0},
	{"      - criteria: {Ville: [a,\n      - b]}\n      - model: b\n", 0},
	{"      - model: \"one\n        two\n", 0},
}

func TestProductsAreReadOneByOneAsInTheWholeDocument(t *testing.T) {
	for _, n := range notations {
		if streamed := agree(t, first+n.items+last); streamed != n.streamed {
			t.Errorf("%s\n%d products are read one by one, want %d", n.items, streamed, n.streamed)
		}
		agree(t, first+n.items+"    users: [{id: 1}]\n    products:\n      - model: again\n"+last)
		agree(t, first+n.items)
		agree(t, strings.TrimSuffix(first+n.items, "\n"))
	}
	for file, want := range map[string]int{
		"sites:\n- id: 1\n  products: # many\n  - model: a\n- id: 2\n  products:\n  - model: b\n": 2,
		// Lists of products are elsewhere, or something else.
		"reference:\n  products:\n    - model: a\nsites: [{id: 1}]\n":                                     0,
		"reference: |\n  products:\n    - model: a\nsites:\n  - id: 1\n    products:\n      - model: b\n": 0,
		"sites:\n  - &one\n    id: 1\n    products:\n      - model: a\n  - *one\n":                        0,
		"reference: &r\n  products:\n    - model: a\nsites:\n  - {id: 1, <<: *r}\n":                       0,
		"reference: &r Nantes\nsites:\n  - id: 1\n    products:\n      - model: *r\n":                     0,
		"sites:\n  - id: 1\n    products:\n      - model: &r a\n    name: *r\n":                           0,
		"sites:\n  - id: 1\n    products:\n      - model: a\n---\nsites: []\n":                            0,
		"sites:\n  - id: 1\n    unknown: 1\n    products:\n      - model: a\n":                            0,
		"sites:\n  - products:\n      - model: a\n    id: 1\n  - id: 2\n    products: [{model: \"b\"}]\n": 0,
		"products:\n  - model: a\n": 0,
		"":                          0,
	} {
		if streamed := agree(t, file); streamed != want {
			t.Errorf("%s\n%d products are read one by one, want %d", file, streamed, want)
		}
	}
}

func TestTheSandboxIsReadOneByOne(t *testing.T) {
	file, err := os.ReadFile("../../apps/vitrine/sandbox.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if agree(t, string(file)) < 100 {
		t.Error("its products are read as a whole")
	}
}

func TestErrorsOfProductsTellTheLine(t *testing.T) {
	for wrong, want := range map[string]string{
		"agency: 1":                `[6:9] unknown field "agency"`,
		"agency_id: one":           "[6:20] ",
		"agency_id: 012":           "line 6, column 20: 012 is not read as it is written",
		"model: b":                 `[6:9] mapping key "model" already defined at [5:9]`,
		"next_contact: one: two":   "[6:",
		"next_contact: \"one two ": "[6:",
	} {
		file := first + "      - model: a\n      - model: b\n        " + wrong + "\n      - model: c\n" + last
		_, whole := setup.Decode(strings.NewReader(file))
		_, err := setup.Stream(strings.NewReader(file))
		if err == nil || !strings.Contains(err.Error(), want) || whole == nil || !strings.Contains(whole.Error(), want) {
			t.Errorf("%s: the error is %v, want %s; as a whole it is %v", wrong, err, want, whole)
		}
	}
	s, err := setup.Stream(strings.NewReader(first + "      # one\n      - model: a\n        agency_id: 1\n\n      - model: b\n" + last))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for p, err := range s.Sites[0].MoreProducts {
		if err != nil {
			t.Fatal(err)
		}
		lines[p.Model] = p.Line
	}
	if lines["a"] != 5 || lines["b"] != 8 {
		t.Errorf("the products begin on %v", lines)
	}
}

// readUpTo knows how far a file was read.
type readUpTo struct {
	io.ReaderAt
	offset int64
}

func (r *readUpTo) ReadAt(p []byte, offset int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, offset)
	r.offset = max(r.offset, offset+int64(n))
	return n, err
}

func TestProductsAreReadWhenTheyAreNeeded(t *testing.T) {
	var file bytes.Buffer
	file.WriteString(first)
	for i := range 2000 {
		fmt.Fprintf(&file, "      - model: m%d\n        next_contact: %s\n", i, strings.Repeat("x", 100))
	}
	at := &readUpTo{ReaderAt: bytes.NewReader(file.Bytes())}
	s, err := setup.Stream(at)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // from the start each time
		at.offset = 0
		n := 0
		for p, err := range s.Sites[0].MoreProducts {
			if err != nil || p.Model != fmt.Sprint("m", n) {
				t.Fatalf("product %d is %q, %v", n, p.Model, err)
			}
			if n++; n == 1000 {
				break
			}
		}
		if half := int64(file.Len() / 2); at.offset > half+16<<10 {
			t.Errorf("half of the products are read, and %d of %d bytes", at.offset, file.Len())
		}
	}
}

func FuzzStream(f *testing.F) {
	for _, n := range notations {
		f.Add(n.items, last)
	}
	f.Fuzz(func(t *testing.T, items, after string) {
		if len(items)+len(after) < 400 {
			agree(t, first+items+after)
		}
	})
}
