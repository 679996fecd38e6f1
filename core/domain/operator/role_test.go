package operator_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// may is the table of the roles in words of its own: who reads and writes what.
var may = map[operator.Role]struct {
	allowed, refused []access.Rule
	powers           operator.Powers
}{
	operator.Administrator: {
		allowed: []access.Rule{
			{Packs: access.Customers, Permission: access.CustomerWrite, Right: access.CustomerDelete},
			{Packs: access.Sales, Permission: access.DealWrite, Right: access.DealDelete},
			{Packs: access.Agenda, Permission: access.AgendaWrite, Right: access.AgendaDelete},
		},
		powers: operator.ManageOperators | operator.ManageCredentials | operator.ManageHooks | operator.ManageSites | operator.ManageLeads |
			operator.ManageImports | operator.SeeRequests | operator.SeeBodies | operator.SeePersonal | operator.HandlePersons | operator.ReadAudit |
			operator.ReadPersonsAudit | operator.ManageAlerts,
	},
	operator.Integrator: {
		allowed: []access.Rule{
			{Packs: access.Properties | access.Websites, Permission: access.ProductRead, Right: access.ProductSearch},
			{Packs: access.Webhooks, Permission: access.HookWrite, Right: access.HookDelete},
			{Packs: access.Configs, Permission: access.Config, Right: access.CriteriaGet},
			{Packs: access.Agencies, Permission: access.AgencyRead, Right: access.AgencyList},
		},
		refused: people,
		powers:  operator.ManageCredentials | operator.ManageHooks | operator.ManageImports | operator.SeeRequests | operator.SeeBodies,
	},
	operator.Reader: {
		allowed: []access.Rule{
			{Packs: access.Properties | access.Websites, Permission: access.ProductRead, Right: access.ProductGet},
			{Packs: access.Webhooks, Permission: access.HookRead, Right: access.HookList},
		},
		refused: slices.Concat(people, []access.Rule{
			{Permission: access.HookWrite}, {Permission: access.ProductWrite}, {Right: access.HookCreate}, {Right: access.ProductUpdate},
		}),
		powers: operator.SeeRequests,
	},
	operator.Privacy: {
		allowed: []access.Rule{
			{Packs: access.Customers, Permission: access.CustomerRead, Right: access.CustomerGet},
			{Packs: access.Customers | access.Leads, Permission: access.CustomerRead, Right: access.CustomerSearch},
			{Packs: access.Leads, Permission: access.LeadRead, Right: access.LeadGet},
		},
		refused: []access.Rule{
			{Permission: access.CustomerWrite}, {Right: access.CustomerDelete}, {Permission: access.LeadWrite},
			{Packs: access.Webhooks}, {Permission: access.ProductRead}, {Packs: access.Sales},
		},
		powers: operator.HandlePersons | operator.ReadPersonsAudit,
	},
}

// people is what shows people; the packs by themselves show the owners of listings.
var people = []access.Rule{
	{Packs: access.Customers}, {Packs: access.Leads}, {Packs: access.Sales}, {Packs: access.Agenda}, {Packs: access.Properties}, {Packs: access.Users},
	{Permission: access.CustomerRead}, {Permission: access.LeadRead}, {Permission: access.DealRead}, {Permission: access.UserRead},
	{Permission: access.AgendaRead}, {Right: access.CustomerSearch}, {Right: access.LeadGet},
}

func TestRolesAdmitWhatTheTableSays(t *testing.T) {
	for _, role := range operator.Roles() {
		want := may[role]
		g := role.Grant(7)
		if g.Site != 7 || g.Credential != "" {
			t.Errorf("%s is for site %d, credential %q", role, g.Site, g.Credential)
		}
		for _, rule := range want.allowed {
			if err := rule.Check(g); err != nil {
				t.Errorf("%s: %v", role, err)
			}
		}
		for _, rule := range want.refused {
			if rule.Check(g) == nil {
				t.Errorf("%s is admitted to %+v", role, rule)
			}
		}
		if role.Powers() != want.powers {
			t.Errorf("%s has the powers %b, want %b", role, role.Powers(), want.powers)
		}
	}
}

func TestNobodyWithoutARoleCanDoAnything(t *testing.T) {
	for _, role := range []operator.Role{"", "owner", "Administrator"} {
		if _, known := operator.ParseRole(string(role)); known {
			t.Errorf("%q is a role", role)
		}
		g := role.Grant(1)
		if role.Powers() != 0 || role.Gives() != 0 || g.Packs != 0 || len(g.Permissions)+len(g.Rights) > 0 {
			t.Errorf("%q has %+v and %b", role, g, role.Powers())
		}
	}
}

func drawnOperator(t *rapid.T, label string) operator.Operator {
	return operator.Operator{
		ID: 1, Role: rapid.SampledFrom(operator.Roles()).Draw(t, label),
		Sites:      rapid.SliceOfNDistinct(rapid.Map(rapid.Int64Range(1, 4), func(n int64) site.ID { return site.ID(n) }), 0, 4, rapid.ID).Draw(t, label+" sites"),
		Everywhere: rapid.Bool().Draw(t, label+" everywhere"),
	}
}

// TestNobodyGivesMoreThanTheyHave: whoever outranks another can do all that they can,
// wherever they can, also at sites to come.
func TestNobodyGivesMoreThanTheyHave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawnOperator(t, "a"), drawnOperator(t, "b")
		if !a.Outranks(b.Role, b.Sites, b.Everywhere) {
			return
		}
		for id := site.ID(1); id <= 9; id++ {
			if b.Reaches(id) && !a.Reaches(id) {
				t.Fatalf("%+v gives site %d, and does not hold it", a, id)
			}
		}
		if !a.Role.Powers().Has(b.Role.Powers()) {
			t.Fatalf("%s gives the powers of %s", a.Role, b.Role)
		}
		rule := access.Rule{
			Permission: rapid.SampledFrom(access.Permissions()).Draw(t, "permission"), Right: rapid.SampledFrom(access.Rights()).Draw(t, "right"),
		}
		if rule.Check(b.Role.Grant(1)) == nil && rule.Check(a.Role.Grant(1)) != nil {
			t.Fatalf("%s gives %+v", a.Role, rule)
		}
	})
}

func TestAnAdministratorOfEverythingOutranksAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := operator.Operator{Role: operator.Administrator, Everywhere: true}
		b := drawnOperator(t, "b")
		if !root.Outranks(b.Role, b.Sites, b.Everywhere) {
			t.Fatalf("not %+v", b)
		}
	})
}

func TestEmailsHaveOneSpelling(t *testing.T) {
	for typed, want := range map[string]string{
		" A.Martin@Example.ORG ": "a.martin@example.org", "a@b": "a@b",
		"": "", "a": "", "@b": "", "a@": "", "a@b@c": "", "a b@c": "", "a@b\nc": "",
	} {
		if got, ok := operator.ParseEmail(typed); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %v", typed, got, ok)
		}
	}
}
