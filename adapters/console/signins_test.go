package console_test

import (
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
)

// failedToSignIn adds refused requests that say they are from a client.
func (w *world) failedToSignIn(id string, n int, by access.CredentialID, unknown string) {
	w.Helper()
	for i := range n {
		r := trace.Request{
			ID: fmt.Sprintf("%s-%d", id, i), At: w.clock.Now(), Operation: "token.site", Method: "POST", Path: "/api/client/token/site",
			Status: 401, Code: "invalid_client", OneIn: 1, Claimed: by, UnknownClient: unknown,
		}
		w.must(w.requests.Add(w.Context(), []trace.Request{r}))
		w.site.Requests.Seen(requests.Seen{Kind: trace.Kind{Operation: r.Operation, Credential: by, Class: 4}, ID: r.ID, At: r.At, Important: true})
	}
	w.must(w.site.Requests.Flush(w.Context()))
}

func TestClientsThatFailToSignInAreShown(t *testing.T) {
	w := newWorld(t)
	w.failedToSignIn("known", 12, "website", "")
	w.failedToSignIn("stranger", 4, access.UnknownClient, "a-shop")
	w.failedToSignIn("seldom", 2, "full", "")
	b := w.signedIn("claire@example.org")
	since := " since " + w.clock.Now().In(w.zone("Europe/Paris")).Format("15:04") + "."
	b.get("/").is(200).says(
		"website fails to sign in", "12 times"+since, "/requests?credential=website&amp;which=sign-ins",
		"Unknown clients fail to sign in", "4 times"+since, "/requests?credential=%28unknown%29&amp;which=siteless",
	).saysNot("full fails to sign in")
	b.get("/requests").is(200).saysNot("known-0", "stranger-0")
	b.get("/requests?which=sign-ins").is(200).says("known-11", "seldom-1", "says it is").saysNot("stranger-0")
	b.get("/requests?credential=website&which=sign-ins").is(200).says("known-11").saysNot("seldom-1")
	b.get("/requests?which=siteless").is(200).says("known-11", "stranger-3", "a-shop", "of no site")
	b.get("/requests?credential=%28unknown%29&which=siteless").is(200).says("stranger-3").saysNot("known-11")
	b.get("/requests/known-0").is(200).says("Says it is", "Others by website", "before it was known who sent it")
	b.get("/requests/stranger-0").is(200).says("Says it is", "a-shop")

	reader := w.signedIn(w.operator(operator.Reader, 1))
	reader.get("/").is(200).says("website fails to sign in").saysNot("Unknown clients")
	reader.get("/requests?which=sign-ins").is(200).says("known-11").saysNot("of no site")
	reader.get("/requests?which=siteless").is(403)
}

func TestTheValueOfARefusalIsShownOnThePageOfTheRequest(t *testing.T) {
	w := newWorld(t)
	w.must(w.requests.Add(t.Context(), []trace.Request{{
		ID: "refused", Site: 1, At: w.clock.Now(), Operation: "product.create", Method: "POST", Credential: "full", Status: 422, OneIn: 1,
		Answered: `{"error":{"code":"validation_error","details":[{"field":"kind","code":"criteria_value_unknown","value":"SOLDD","message":"kind is not one of the accepted codes","accepted_values":["RENT","SALE"],"accepted_count":5},` +
			`{"field":"name","code":"too_long"}]}}`,
	}}))
	w.signedIn("claire@example.org").get("/requests/refused").is(200).says("What was refused", ">SOLDD<", "kind is not one of the accepted codes", "RENT, SALE, and 3 more", "not shown")
}
