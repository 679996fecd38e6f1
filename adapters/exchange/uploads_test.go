package exchange_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

func TestAnUploadIsReadAndLeavesNothingBehind(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	feed := `<LISTEPA><BIEN><CODE_INTERNE>A-1</CODE_INTERNE><PRIX>1000</PRIX></BIEN></LISTEPA>`
	for _, format := range []string{"", "ac3"} {
		file, err := exchange.Uploads{}.Open(t.Context(), strings.NewReader(feed), format)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := file.Count(t.Context()); n != 1 || err != nil {
			t.Errorf("%d listings, %v", n, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, format := range []string{"", "word"} {
		if _, err := (exchange.Uploads{}).Open(t.Context(), strings.NewReader("neither"), format); err == nil {
			t.Errorf("a file without listings opens as %q", format)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d folders are left, %v", len(left), err)
	}
}

func TestTheFormatsAreThoseThatImportsOffer(t *testing.T) {
	if want, got := fmt.Sprint(exchange.Formats()), fmt.Sprint(operator.ImportFormats()); got != want {
		t.Errorf("imports offer %s, and %s are read", got, want)
	}
	if want, got := fmt.Sprint(exchange.Written()), fmt.Sprint(operator.PortalFormats()); got != want {
		t.Errorf("portals are offered %s, and %s are written", got, want)
	}
}
