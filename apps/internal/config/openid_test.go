package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// provider are options of a provider that nothing is wrong with.
var provider = []string{
	"--console-url=https://crm.example.org", "--console-oidc-issuer=https://id.example.org/realm", "--console-oidc-client-id=console",
	"--console-oidc-client-secret=5ec4e7", "--console-oidc-group=admins=administrator",
}

func TestGroupsGiveRolesAtSites(t *testing.T) {
	c, err := parse(t, append(provider, "--console-oidc-group=a=b=reader:1,22,3,makers=integrator", "--console-oidc-group=dpo=privacy:7")...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.GroupRoles()
	want := []operator.GroupRole{
		{Group: "admins", Role: operator.Administrator}, {Group: "a=b", Role: operator.Reader, Sites: []site.ID{1, 22, 3}},
		{Group: "makers", Role: operator.Integrator}, {Group: "dpo", Role: operator.Privacy, Sites: []site.ID{7}},
	}
	same := func(a, b operator.GroupRole) bool {
		return a.Group == b.Group && a.Role == b.Role && slices.Equal(a.Sites, b.Sites)
	}
	if err != nil || !slices.EqualFunc(got, want, same) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAProviderThatIsHalfSaidIsRefusedByName(t *testing.T) {
	if _, err := parse(t, provider...); err != nil {
		t.Fatal(err)
	}
	for _, e := range []struct {
		without, with, want string
	}{
		{"--console-url", "", "--console-oidc-issuer needs --console-url"},
		{"--console-oidc-client-id", "", "--console-oidc-issuer needs --console-oidc-client-id"},
		{"--console-oidc-client-secret", "", "--console-oidc-issuer needs --console-oidc-client-secret"},
		{"--console-oidc-group", "", "--console-oidc-issuer needs --console-oidc-group"},
		{"--console-oidc-issuer", "", "--console-oidc-client-id needs --console-oidc-issuer"},
		{"--console-oidc-issuer", "--console-oidc-issuer=http://id.example.org", "must be a URL with https"},
		{"--console-oidc-issuer", "--console-oidc-issuer=id.example.org", "must be a URL with https"},
		{"", "--console-oidc-name=", "--console-oidc-name cannot be empty"},
		{"", "--console-oidc-groups-claim=", "--console-oidc-groups-claim cannot be empty"},
		{"--console-oidc-group", "--console-oidc-group=admins", `"admins" is not GROUP=ROLE`},
		{"--console-oidc-group", "--console-oidc-group=7", `"7" is not GROUP=ROLE`},
		{"--console-oidc-group", "--console-oidc-group==reader", `"=reader" is not GROUP=ROLE`},
		{"--console-oidc-group", "--console-oidc-group=a=chief", `"chief" is none of the roles`},
		{"--console-oidc-group", "--console-oidc-group=a=reader:x", `"x" is not the number of a site`},
		{"--console-oidc-group", "--console-oidc-group=a=reader:0", "a site is a number of at least 1"},
	} {
		var args []string
		for _, option := range provider {
			if name, _, _ := strings.Cut(option, "="); name != e.without {
				args = append(args, option)
			}
		}
		if e.with != "" {
			args = append(args, e.with)
		}
		if _, err := parse(t, args...); err == nil || !strings.Contains(err.Error(), e.want) || strings.Contains(err.Error(), "5ec4e7") {
			t.Errorf("without %s, with %s: %v", e.without, e.with, err)
		}
	}
	if _, err := parse(t, "--console-oidc-issuer=http://127.0.0.1:5556", provider[0], provider[2], provider[3], provider[4]); err != nil {
		t.Errorf("a provider on this machine: %v", err)
	}
}

func TestRequiredPasskeysNeedAHostName(t *testing.T) {
	for url, good := range map[string]bool{"": false, "https://192.0.2.7": false, "https://[2001:db8::1]": false, "https://crm.example.org": true, "http://localhost:8081": true} {
		args := []string{"--console-require-passkey"}
		if url != "" {
			args = append(args, "--console-url="+url)
		}
		if _, err := parse(t, args...); (err == nil) != good || err != nil && !strings.Contains(err.Error(), "--console-require-passkey needs a --console-url") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
