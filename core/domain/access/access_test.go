package access_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestS1_PackNames(t *testing.T) {
	for name, want := range map[string]access.Packs{
		"properties": access.Properties, "products": access.Properties, "customers": access.Customers, "leads": access.Leads,
		"users": access.Users, "agencies": access.Agencies, "discovery": access.Discovery, "webhooks": access.Webhooks,
		"websites": access.Websites, "sales": access.Sales, "agenda": access.Agenda, "configs": access.Configs, "all": access.AllPacks,
		" Websites ": access.Websites, "PRODUCTS": access.Properties,
	} {
		if got, err := access.ParsePack(name); err != nil || got != want {
			t.Errorf("%q is %v, %v, not %v", name, got, err, want)
		}
	}
	for _, name := range []string{"", "product", "property", "website", "properties,sales", "*"} {
		if got, err := access.ParsePack(name); err == nil || got != 0 || !strings.Contains(err.Error(), strconv.Quote(name)) {
			t.Errorf("%q is %v, %v", name, got, err)
		}
	}
}

func TestS1_PacksAreTheSetOfTheirNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		packs := drawPacks(t, "packs")
		var again access.Packs
		for _, name := range packs.Names() {
			one, err := access.ParsePack(name)
			if err != nil || again&one != 0 {
				t.Fatalf("%q of %v: %v, %v", name, packs, one, err)
			}
			again |= one
		}
		if again != packs || packs.String() != strings.Join(packs.Names(), ", ") {
			t.Fatalf("%b has the names %v", packs, packs.Names())
		}
		other := drawPacks(t, "other")
		share := slices.ContainsFunc(packs.Names(), func(name string) bool { return slices.Contains(other.Names(), name) })
		if packs.Any(other) != share {
			t.Fatalf("%v and %v share a pack: %t", packs, other, share)
		}
	})
	if len(access.Packs(access.AllPacks).Names()) != 11 {
		t.Errorf("there are 11 packs, not %v", access.Packs(access.AllPacks))
	}
}

func drawPacks(t *rapid.T, label string) access.Packs {
	return access.Packs(rapid.Uint16Range(0, access.AllPacks).Draw(t, label))
}

var (
	permissions = rapid.SampledFrom(append(access.Permissions(), access.All))
	rights      = rapid.SampledFrom(append(access.Rights(), access.All))
)

func drawGrant(t *rapid.T) access.Grant {
	return access.Grant{
		Packs:       drawPacks(t, "packs"),
		Permissions: rapid.SliceOfN(permissions, 0, 3).Draw(t, "permissions"),
		Rights:      rapid.SliceOfN(rights, 0, 3).Draw(t, "rights"),
	}
}

func drawRule(t *rapid.T) access.Rule {
	var r access.Rule
	if rapid.Bool().Draw(t, "some packs") {
		for range rapid.IntRange(1, 3).Draw(t, "packs") {
			r.Packs |= 1 << rapid.IntRange(0, 10).Draw(t, "pack")
		}
	}
	if rapid.Bool().Draw(t, "a permission") {
		r.Permission = rapid.SampledFrom(access.Permissions()).Draw(t, "permission")
	}
	if rapid.Bool().Draw(t, "a right") {
		r.Right = rapid.SampledFrom(access.Rights()).Draw(t, "right")
	}
	return r
}

// S2: one of the packs is enough. S4: pack and permission and right, where they
// are named.
func TestS2_S4_RuleNeedsOnePackAndThePermissionAndTheRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule, grant := drawRule(t), drawGrant(t)
		pack := rule.Packs == 0 || rule.Packs&grant.Packs != 0
		permission := rule.Permission == "" || slices.Contains(grant.Permissions, rule.Permission) || slices.Contains(grant.Permissions, access.All)
		right := rule.Right == "" || slices.Contains(grant.Rights, rule.Right) || slices.Contains(grant.Rights, access.All) ||
			rule.Right == access.CriteriaGet && slices.Contains(grant.Rights, access.CriteriaAll)
		if err := rule.Check(grant); (err == nil) != (pack && permission && right) {
			t.Fatalf("%+v with %+v: %v (pack %t, permission %t, right %t)", rule, grant, err, pack, permission, right)
		}
	})
}

func TestMoreIsNeverLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule, grant := drawRule(t), drawGrant(t)
		if rapid.Bool().Draw(t, "make it fit") {
			grant.Packs |= rule.Packs
			grant.Permissions = append(grant.Permissions, rule.Permission)
			grant.Rights = append(grant.Rights, rule.Right)
		}
		before := rule.Check(grant)
		grant.Packs |= drawPacks(t, "more packs")
		grant.Permissions = append(grant.Permissions, permissions.Draw(t, "another permission"))
		grant.Rights = append(grant.Rights, rights.Draw(t, "another right"))
		if after := rule.Check(grant); before == nil && after != nil {
			t.Fatalf("%+v admitted less, but refuses %+v: %v", rule, grant, after)
		}
	})
}

func TestZeroRuleAdmitsAnyToken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := (access.Rule{}).Check(drawGrant(t)); err != nil {
			t.Fatal(err)
		}
	})
	if err := (access.Rule{}).Check(access.Grant{}); err != nil {
		t.Error(err)
	}
}

func TestRefusalsSayWhatIsMissing(t *testing.T) {
	rule := access.Rule{Packs: access.Properties | access.Websites, Permission: access.ProductRead, Right: access.ProductSearch}
	all := access.Grant{Packs: access.Websites, Permissions: []access.Permission{access.ProductRead}, Rights: []access.Right{access.ProductSearch}}
	for name, c := range map[string]struct {
		lose  func(*access.Grant)
		code  fault.Code
		names string
	}{
		"pack":       {func(g *access.Grant) { g.Packs = access.Leads | access.Sales }, fault.CodePackMissing, "properties, websites"},
		"permission": {func(g *access.Grant) { g.Permissions = []access.Permission{access.ProductWrite} }, fault.CodePermissionMissing, "SITE_PRODUCT:READ"},
		"right":      {func(g *access.Grant) { g.Rights = []access.Right{access.ProductGet} }, fault.CodeRightMissing, "RS:PRODUCT_SEARCH"},
		"everything": {func(g *access.Grant) { *g = access.Grant{} }, fault.CodePackMissing, "properties, websites"},
	} {
		grant := all
		if err := rule.Check(grant); err != nil {
			t.Fatal(err)
		}
		c.lose(&grant)
		err := rule.Check(grant)
		if !errors.Is(err, fault.Forbidden) || fault.From(err).Code != c.code || !strings.Contains(fault.From(err).Message.String(), c.names) {
			t.Errorf("without the %s: %v %+v", name, err, fault.From(err))
		}
	}
}

func TestAllStandsForEveryPermissionAndRight(t *testing.T) {
	grant := access.Grant{Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All}}
	for _, p := range append(access.Permissions(), "SITE_LATER:READ") {
		if !grant.May(p) || (access.Grant{}).May(p) {
			t.Errorf("permission %s", p)
		}
	}
	for _, r := range append(access.Rights(), "RS:LATER") {
		if !grant.Can(r) || (access.Grant{}).Can(r) {
			t.Errorf("right %s", r)
		}
	}
	if !(access.Grant{}).May("") || !(access.Grant{}).Can("") {
		t.Error("nothing asked is refused")
	}
}

func TestCriteriaGetComesWithCriteriaAll(t *testing.T) {
	all := access.Grant{Rights: []access.Right{access.CriteriaAll}}
	get := access.Grant{Rights: []access.Right{access.CriteriaGet}}
	if !all.Can(access.CriteriaGet) || !all.Can(access.CriteriaAll) || !get.Can(access.CriteriaGet) {
		t.Error("RS:CRITERE_PRODUCT_ALL does not bring RS:CRITERE_PRODUCT_GET")
	}
	if get.Can(access.CriteriaAll) || all.Can(access.ProductGet) {
		t.Error("RS:CRITERE_PRODUCT_GET brings more than itself")
	}
}

// A permission or right that is declared but not listed could not be granted
// by name.
func TestPermissionsAndRightsAreListedWhole(t *testing.T) {
	for typed, listed := range map[string][]string{"Permission": texts(access.Permissions()), "Right": texts(access.Rights())} {
		declared := constants(t, "access.go", typed)
		if len(declared) == 0 || !slices.Equal(slices.Sorted(slices.Values(declared)), slices.Sorted(slices.Values(listed))) {
			t.Errorf("%s: declared are %v, listed %v", typed, declared, listed)
		}
		form := regexp.MustCompile(`^(SITE_[A-Z]+(:READ|:WRITE)?|RS:[A-Z_]+)$`)
		for _, name := range declared {
			if !form.MatchString(name) {
				t.Errorf("%s is not spelt as the contract spells them", name)
			}
		}
	}
}

func texts[S ~string](list []S) (plain []string) {
	for _, s := range list {
		plain = append(plain, string(s))
	}
	return plain
}

// constants lists the values of the constants of a type in a file.
func constants(t *testing.T, path, typed string) (values []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); ok && name.Name == typed {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	return values
}
