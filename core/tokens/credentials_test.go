package tokens

import (
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/site"
)

func TestCredentialOfADescription(t *testing.T) {
	all := []string{access.All}
	c, err := CredentialInput{ID: "portal-1", Name: "Portal", Secret: "s", Sites: []int64{2, 1}, Packs: all, Permissions: all, Rights: all}.Credential()
	if err != nil {
		t.Fatal(err)
	}
	if c.ID != "portal-1" || !slices.Equal(c.Sites, []site.ID{1, 2}) || c.Secret != "" || !c.Added.IsZero() {
		t.Errorf("the credential is %+v", c)
	}
	for name, in := range map[string]CredentialInput{
		"an id that begins with a dot": {ID: ".portal"},
		"an id that is too long":       {ID: strings.Repeat("p", 101)},
		"an unknown pack":              {ID: "portal", Packs: []string{"pack"}},
		"a malformed permission":       {ID: "portal", Permissions: []string{"SITE_PRODUCT:DELETE"}},
		"a malformed right":            {ID: "portal", Rights: []string{"PRODUCT_GET"}},
	} {
		if _, err := in.Credential(); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
