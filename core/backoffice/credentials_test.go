package backoffice_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// TestAnIntegratorGivesNoPeople: neither with a new client, nor by widening one, nor
// by getting hold of one that has more.
func TestAnIntegratorGivesNoPeople(t *testing.T) {
	w := newWorld(t)
	a := w.operator(t, "i@example.org", operator.Integrator, 1)
	for name, change := range map[string]func(*tokens.CredentialInput){
		"a pack":            func(c *tokens.CredentialInput) { c.Packs = []string{"websites", "customers"} },
		"every pack":        func(c *tokens.CredentialInput) { c.Packs = []string{"all"} },
		"a permission":      func(c *tokens.CredentialInput) { c.Permissions = []string{"SITE_USER:READ"} },
		"every permission":  func(c *tokens.CredentialInput) { c.Permissions = []string{"all"} },
		"every right":       func(c *tokens.CredentialInput) { c.Rights = []string{"all"} },
		"another site":      func(c *tokens.CredentialInput) { c.Sites = []int64{1, 2} },
		"only another site": func(c *tokens.CredentialInput) { c.Sites = []int64{2} },
	} {
		in := portal("mine")
		change(&in)
		if _, err := w.CreateCredential(t.Context(), a, in); !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	do(t, w.CreateCredential, a, portal("mine"))
	wide := portal("mine")
	wide.Packs = []string{"customers"}
	for name, refused := range map[string]error{
		"to widen":         failing(w.UpdateCredential(t.Context(), a, wide)),
		"to narrow":        failing(w.UpdateCredential(t.Context(), a, portal("full"))),
		"to rotate":        failing(w.RotateCredential(t.Context(), a, tokens.RotateSecret{Credential: "full"})),
		"to disable":       failing(w.DisableCredential(t.Context(), a, backoffice.DisableCredential{ID: "full", Disabled: true})),
		"to end":           failing(w.RevokeCredential(t.Context(), a, backoffice.CredentialPath{ID: "full"})),
		"to end tokens":    failing(w.RevokeTokens(t.Context(), a, backoffice.CredentialPath{ID: "full"})),
		"to make a key":    failing(w.CreateKey(t.Context(), a, tokens.KeyInput{Credential: "full", Name: "x", Site: 1, Packs: []string{"websites"}})),
		"to end a key":     failing(w.RevokeKey(t.Context(), a, tokens.NamedKey{Credential: "full", ID: 1})),
		"at another site":  failing(w.RotateCredential(t.Context(), a, tokens.RotateSecret{Credential: "rival"})),
		"at several sites": failing(w.RotateCredential(t.Context(), a, tokens.RotateSecret{Credential: "group"})),
	} {
		if !errors.Is(refused, fault.Forbidden) {
			t.Errorf("%s: %v", name, refused)
		}
	}
}

func failing[T any](_ T, err error) error { return err }

func TestClientsOfOtherSitesAreNotListed(t *testing.T) {
	w := newWorld(t)
	a := w.operator(t, "i@example.org", operator.Integrator, 2)
	var ids []string
	managed := 0
	for _, c := range do(t, w.ListCredentials, a, kernel.Nothing{}) {
		ids = append(ids, c.ID)
		if c.Managed {
			managed++
		}
	}
	if !slices.Equal(ids, []string{"group", "rival"}) || managed > 0 {
		t.Errorf("they are %v, of which %d are managed", ids, managed)
	}
	if _, err := w.GetCredential(t.Context(), a, backoffice.CredentialPath{ID: "full"}); !errors.Is(err, fault.NotFound) {
		t.Errorf("a client of another site: %v", err)
	}
}

func TestAClientIsShownWithItsTokensAndKeys(t *testing.T) {
	w := newWorld(t)
	token := w.Token("full", 1)
	w.Bearer(token.AccessToken)
	if err := w.World.Service.Tokens.StoreUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	made := do(t, w.CreateKey, w.admin, tokens.KeyInput{Credential: "full", Name: "nightly", Site: 1, Packs: []string{"websites"}, Addresses: []string{"192.0.2.7"}})
	c := do(t, w.GetCredential, w.admin, backoffice.CredentialPath{ID: "full"})
	if c.LiveTokens != 1 || c.LastUsed == nil || len(c.Keys) != 1 || c.Keys[0].Start == "" || c.Keys[0].Hash != "" || made.Hash != "" {
		t.Errorf("%+v", c)
	}
	rotated := do(t, w.RotateCredential, w.admin, tokens.RotateSecret{Credential: "full"})
	if rotated.FormerEnds == nil {
		t.Error("the former secret ends at once")
	}
	if ended := do(t, w.RevokeTokens, w.admin, backoffice.CredentialPath{ID: "full"}); ended != 1 {
		t.Errorf("%d chains of tokens ended", ended)
	}
	do(t, w.DisableCredential, w.admin, backoffice.DisableCredential{ID: "full", Disabled: true})
	if _, err := w.World.Service.Tokens.IssueToken(t.Context(), kernel.Caller{}, tokens.IssueToken{
		Basic: tokens.Basic{ClientID: "full", ClientSecret: rotated.Secret}, SiteID: opt.Of("1"),
	}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("a disabled client: %v", err)
	}
	entry := w.audit(t)[0]
	if entry.Subject != "credential full" || !slices.Equal(entry.Changes, []edit.Edit{{Field: "Disabled", Before: "false", After: "true"}}) {
		t.Errorf("the audit says %+v", entry)
	}
}

// TestThePickerSaysWhatBecomesCallable holds it against the rule of each operation.
func TestThePickerSaysWhatBecomesCallable(t *testing.T) {
	w := newWorld(t)
	picked := backoffice.Picked{Packs: []string{"websites"}, Permissions: []string{"SITE_PRODUCT:READ"}, Rights: []string{"RS:PRODUCT_GET"}}
	byID := map[string]backoffice.OperationRecord{}
	for _, o := range do(t, w.ListCallable, w.admin, picked) {
		byID[o.ID] = o
	}
	for id, missing := range map[string]fault.Code{
		"product.get": "", "site.get": "", "product.search": fault.CodeRightMissing, "criteria.all": fault.CodePermissionMissing,
		"lead.get": fault.CodePackMissing, "product.create": fault.CodePackMissing,
	} {
		if o, known := byID[id]; !known || o.Callable != (missing == "") || o.Missing != missing {
			t.Errorf("%s: %+v", id, o)
		}
	}
	if _, err := w.ListCallable(t.Context(), w.admin, backoffice.Picked{Packs: []string{"nonsense"}}); !errors.Is(err, fault.Invalid) {
		t.Errorf("a pack that is none: %v", err)
	}
}

// TestPresetsSufficeForWhatTheyAreFor: each makes callable what such a client needs,
// and what it must not see stays out of reach; roles are offered what they may give.
func TestPresetsSufficeForWhatTheyAreFor(t *testing.T) {
	w := newWorld(t)
	want := map[string]struct{ may, mayNot []string }{
		"website":   {[]string{"product.search", "product.get", "lead.buyer", "booking.create", "hook.create", "criteria.all", "agency.list"}, []string{"lead.list", "customer.search", "product.create", "user.list"}},
		"portal":    {[]string{"product.search", "product.get", "hook.create", "agency.get", "event.list"}, []string{"lead.buyer", "lead.get", "product.update", "booking.create"}},
		"valuation": {[]string{"lead.seller", "criteria.get", "agency.list"}, []string{"lead.get", "product.get", "hook.create", "customer.get"}},
		"crm":       {[]string{"product.create", "customer.anonymize", "offer.create", "appointment.create", "lead.list", "user.list"}, nil},
		"all":       {[]string{"product.create", "booking.create"}, nil},
	}
	offered := do(t, w.ListPresets, w.admin, kernel.Nothing{})
	if len(offered) != len(want) {
		t.Errorf("%d presets are offered", len(offered))
	}
	for _, p := range offered {
		callable := map[string]bool{}
		for _, o := range do(t, w.ListCallable, w.admin, p.Picked) {
			callable[o.ID] = o.Callable
		}
		for _, id := range want[p.ID].may {
			if !callable[id] {
				t.Errorf("%s cannot call %s", p.ID, id)
			}
		}
		for _, id := range want[p.ID].mayNot {
			if may, known := callable[id]; may || !known {
				t.Errorf("%s calls %s (which is known: %v)", p.ID, id, known)
			}
		}
	}
	integrator := w.operator(t, "i@example.org", operator.Integrator)
	var ids []string
	for _, p := range do(t, w.ListPresets, integrator, kernel.Nothing{}) {
		ids = append(ids, p.ID)
	}
	if !slices.Equal(ids, []string{"portal"}) {
		t.Errorf("an integrator is offered %v", ids)
	}
}

func TestAWebhookHearsWhatItsClientMayRead(t *testing.T) {
	w := newWorld(t)
	create := func(a backoffice.Actor, client string, origines ...string) error {
		return failing(w.CreateWebhook(t.Context(), a, on(backoffice.CreateWebhook{Credential: client, CreateHook: apitest.HookFor(origines...)})))
	}
	integrator := w.operator(t, "i@example.org", operator.Integrator)
	without := portal("deaf")
	without.Packs = []string{"websites"}
	do(t, w.CreateCredential, w.admin, without)
	do(t, w.CreateCredential, w.admin, portal("portal"))
	for name, c := range map[string]struct {
		err  error
		want fault.Kind
	}{
		"what the client does not see": {create(w.admin, "portal", "CUSTOMER_CREATE"), fault.Invalid},
		"what the role does not see":   {create(integrator, "full", "CUSTOMER_CREATE"), fault.Forbidden},
		"a client without the pack":    {create(w.admin, "deaf", "PRODUCT_CREATE"), fault.Invalid},
		"a client that is disabled":    {create(w.admin, "disabled", "PRODUCT_CREATE"), fault.Invalid},
		"a client of another site":     {create(w.admin, "rival", "PRODUCT_CREATE"), fault.Invalid},
		"a client that is not there":   {create(w.admin, "nobody", "PRODUCT_CREATE"), fault.Invalid},
		"an event that is none":        {create(w.admin, "full", "NONSENSE"), fault.Invalid},
		"nothing":                      {create(w.admin, "full"), fault.Invalid},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	made := do(t, w.CreateWebhook, w.admin, on(backoffice.CreateWebhook{Credential: "portal", CreateHook: apitest.HookFor("PRODUCT_CREATE")}))
	known, err := w.Hooks.GetHook(t.Context(), w.As("full", 1), hooks.HookPath{ID: made.ID})
	if err != nil || access.CredentialID(known.CreatedBy) != "portal" {
		t.Errorf("%+v, %v", known, err)
	}
	w.CreateProduct("Ville", "Lyon")
	if heard := w.Statuses(w.As("full", 1), made.ID); len(heard) != 1 {
		t.Errorf("it heard %v", heard)
	}
	in := hooks.UpdateHook{ID: made.ID}
	in.Origines = opt.Of([]string{"LEAD_CREATE"})
	if _, err := w.UpdateWebhook(t.Context(), w.admin, on(in)); !errors.Is(err, fault.Invalid) {
		t.Errorf("to hear more than the client: %v", err)
	}
}
