package core_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// zoneOfSite are the places of use cases that take the time zone of the site, and why.
var zoneOfSite = map[string]string{
	"listing/blocks.go":             "a criterion that is a date, which is read and searched by the site's days",
	"deals/dealrecords/property.go": "the same",
	"transfer/export.go":            "the same",
	"transfer/provision_targets.go": "the same",
	"people/customers.go":           "date-times of customers and actions, which the contract reads in the site's zone",
	"deals/deadlines.go":            "a period that is computed for nobody's deal",
	"agenda/service.go":             "users of agencies in several zones",
}

// An agency may have a time zone of its own, which its records follow: SiteView.ZoneOf tells it.
func TestTheZoneOfTheSiteIsTakenWhereNoAgencyIsKnown(t *testing.T) {
	of := regexp.MustCompile(`\b(Site|SiteView|v)\.Zone\b|\.TimeZone\b`)
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS("usecase"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "office/") || name == "transfer/provision.go" || name == "transfer/provision_staff.go" { // where the zones are set and shown
			return err
		}
		text, err := os.ReadFile("usecase/" + name)
		if of.Match(text) {
			seen[name] = true
			if zoneOfSite[name] == "" {
				t.Errorf("%s takes the time zone of the site: %q", name, of.FindString(string(text)))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range zoneOfSite {
		if !seen[name] {
			t.Errorf("%s takes no time zone of a site any more", name)
		}
	}
}
