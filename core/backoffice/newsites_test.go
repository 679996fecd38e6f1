package backoffice_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

var west = backoffice.NewSite{
	Name: " Réseau Ouest ", PostalCode: "44000", City: "Nantes", Firstname: "Ada", Lastname: "Martin", Email: "ada@example.org",
}

// fieldsOf are the fields that an error names.
func fieldsOf(err error) (fields []string) {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		for _, d := range known.Details {
			fields = append(fields, d.Field)
		}
	}
	return fields
}

func TestASiteIsMade(t *testing.T) {
	w := newWorld(t)
	var err error
	w.Service, err = backoffice.New(w.World.Service, w.passwords, backoffice.Vocabulary(func() (transfer.SetupVocabulary, error) {
		return transfer.SetupVocabulary{Criteria: []transfer.SetupCriterion{{ID: 1, Key: "TypeBien", Type: "TEXT"}}}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	made := do(t, w.CreateSite, w.admin, west)
	known, err := w.Sites(t.Context(), w.admin)
	if err != nil {
		t.Fatal(err)
	}
	record := known[len(known)-1]
	if int64(record.ID) != made.Site || made.Site != 3 || record.Name != "Réseau Ouest" || !slices.Equal(ids(record.Agencies), []int64{made.Agency}) {
		t.Errorf("the site is %+v, told as %+v", record, made)
	}
	client := do(t, w.GetCredential, w.admin, backoffice.CredentialPath{ID: made.Client})
	if made.Client != "site-3" || made.Secret == "" || !slices.Equal(ids(client.Sites), []int64{3}) {
		t.Errorf("the client is %+v", client)
	}
	c, err := w.Enter(t.Context(), w.admin, site.ID(made.Site))
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := w.Office.ListCriteria(t.Context(), c, kernel.Nothing{})
	if err != nil || len(definitions) != 1 || definitions[0].Key != "TypeBien" {
		t.Errorf("its criteria are %+v, %v", definitions, err)
	}
	entry := w.audit(t)[0]
	if entry.Operation != "site.create" || entry.Subject != "site 3" {
		t.Errorf("the entry is %+v", entry)
	}

	nine := portal("site-9")
	nine.Packs = []string{"websites"}
	do(t, w.CreateCredential, w.admin, nine)
	before := len(w.audit(t))
	for name, c := range map[string]struct {
		change func(*backoffice.NewSite)
		fields []string
	}{
		"nothing":       {func(in *backoffice.NewSite) { *in = backoffice.NewSite{} }, []string{"name", "postal_code", "city", "firstname", "lastname", "email"}},
		"blanks":        {func(in *backoffice.NewSite) { in.City = " \t" }, []string{"city"}},
		"postal code":   {func(in *backoffice.NewSite) { in.PostalCode = "4400" }, []string{"postal_code"}},
		"letters":       {func(in *backoffice.NewSite) { in.PostalCode = "F-440" }, []string{"postal_code"}},
		"e-mail":        {func(in *backoffice.NewSite) { in.Email = "ada" }, []string{"email"}},
		"number":        {func(in *backoffice.NewSite) { in.ID = -1 }, []string{"site"}},
		"a site there":  {func(in *backoffice.NewSite) { in.ID = 1 }, []string{"site"}},
		"a client":      {func(in *backoffice.NewSite) { in.ID = 9 }, []string{"site"}},
		"much too long": {func(in *backoffice.NewSite) { in.Name = strings.Repeat("x", 300) }, []string{"name"}},
	} {
		in := west
		c.change(&in)
		_, err := w.CreateSite(t.Context(), w.admin, in)
		if !errors.Is(err, fault.Invalid) || !slices.Equal(fieldsOf(err), c.fields) {
			t.Errorf("%s: %v names %v", name, err, fieldsOf(err))
		}
	}
	if after, err := w.Sites(t.Context(), w.admin); err != nil || len(after) != len(known) || len(w.audit(t)) != before {
		t.Errorf("refusals made %d sites", len(after)-len(known))
	}
	_, err = w.CreateSite(t.Context(), w.operator(t, "one@example.org", operator.Administrator, 1), west)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeSiteOutOfScope)
}

func ids[T ~int64](all []T) (numbers []int64) {
	for _, id := range all {
		numbers = append(numbers, int64(id))
	}
	return numbers
}
