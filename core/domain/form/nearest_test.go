package form_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/form"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name, among, want string
		away              int
	}{
		{"modle", "keyword model agency_id", "model", 2},
		{"model", "keyword model agency_id", "model", 0},
		{"statusweb", "status_web has_visit360", "status_web", 1},
		{"ab", "ba aa", "aa", 1},
		{"", "abc ab", "ab", 2},
		{"kitten", "sitting", "sitting", 3},
	} {
		if got, away := form.Nearest(c.name, strings.Fields(c.among)); got != c.want || away != c.away {
			t.Errorf("%q is nearest to %q, %d away", c.name, got, away)
		}
	}
	if got, _ := form.Nearest("x", nil); got != "" {
		t.Errorf("among none it is %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringMatching(`[abc]{0,6}`).Draw(t, "a"), rapid.StringMatching(`[abc]{0,6}`).Draw(t, "b")
		_, there := form.Nearest(a, []string{b})
		_, back := form.Nearest(b, []string{a})
		if there != back || (there == 0) != (a == b) || there > max(len(a), len(b)) {
			t.Fatalf("from %q to %q it is %d, and back %d", a, b, there, back)
		}
	})
}
