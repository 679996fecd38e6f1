package console_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/operator"
)

func TestSigningInLeadsToWhereOneWasGoing(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.get("/webhooks?status=failed").is(200).isAt("/sign-in?to=%2Fconsole%2Fwebhooks%3Fstatus%3Dfailed").says("Sign in")
	b.post("/sign-in", "email", "claire@example.org", "password", "wrong").is(401).says("the e-mail or the password is wrong", "claire@example.org", "unauthenticated")
	b.post("/sign-in", "email", " Claire@example.org", "password", goodPassword, "to", "/console/webhooks?status=failed").is(200).isAt("/webhooks?status=failed").says("Claire Morel")
	b.post("/sign-out").is(200).isAt("/sign-in?out").says("You are signed out.")
	b.get("/").is(200).isAt("/sign-in")
}

func TestSigningInLeadsNowhereElse(t *testing.T) {
	w := newWorld(t)
	for _, to := range []string{"https://evil.example", "//evil.example/console/", "/elsewhere", `/console/\evil`, "javascript:alert(1)", "/console/../x\r\n"} {
		w.browser().post("/sign-in", "email", "claire@example.org", "password", goodPassword, "to", to).is(200).isAt("/")
	}
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	w := newWorld(t)
	root := w.signedIn("claire@example.org")
	root.post("/operators/invite?site=1", "name", "Paul", "email", "paul@example.org", "role", string(operator.Reader), "sites", "1").is(200).isAt("/operators").says("It is shown this once", "/console/invitations/")
	root.get("/operators").is(200).says("paul@example.org")
}
