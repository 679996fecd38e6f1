package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// prefers has the browser ask for pages in a language, as Accept-Language.
func (b *browser) prefers(language string) *browser {
	b.client.Transport = asking{language}
	return b
}

// asking is a transport that adds the header.
type asking struct{ language string }

// RoundTrip implements http.RoundTripper.
func (a asking) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Accept-Language", a.language)
	return http.DefaultTransport.RoundTrip(r)
}

func TestEveryPhraseOfTemplatesHasItsFrench(t *testing.T) {
	_, wrong, err := console.French()
	if err != nil || len(wrong) > 0 {
		t.Errorf("%q, %v", wrong, err)
	}
}

// The browser says which language somebody prefers, and a link on each page chooses another one for good.
func TestPagesAreInTheLanguageThatIsPreferredOrChosen(t *testing.T) {
	w := newWorld(t)
	b := w.browser().prefers("fr-FR, fr;q=0.9, en;q=0.8")
	b.get("/sign-in").is(200).says(`<html lang="fr">`, "Se connecter", "Mot de passe").saysNot("Password")
	b.post("/sign-in", "email", "claire@example.org", "password", "wrong wrong wrong").is(401).says("ou le mot de passe est incorrect").saysNot("the password")
	b.post("/sign-in", "email", "claire@example.org", "password", goodPassword).is(200).says(`<html lang="fr">`, "Vue d&#39;ensemble", "administrateur")
	english := b.get("/audit?operation=operator.sign-in&language=en").is(200).isAt("/audit?operation=operator.sign-in").says(`<html lang="en">`, "Audit log", `hreflang="fr"`)
	english.saysNot("Journal d")
	b.get("/people").says(`<html lang="en">`)
	b.get("/people?language=fr").isAt("/people").says(`<html lang="fr">`, "Personnes")
	b.get("/people?language=de").isAt("/people").says(`<html lang="fr">`)
	w.browser().prefers("de, en;q=0.1").get("/sign-in").says(`<html lang="en">`)
	// Nobody is led to another server by a link that chooses a language.
	away := strings.TrimSuffix(w.url, "/console") + "//other.example.org/console/sign-in?language=fr"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, away, nil)
	w.must(err)
	answer, err := http.DefaultTransport.RoundTrip(r)
	w.must(err)
	defer answer.Body.Close()
	if to := answer.Header.Get("Location"); strings.HasPrefix(to, "//") || strings.Contains(to, "://") || len(answer.Cookies()) > 0 {
		t.Errorf("a link leads to %s, with the cookies %v", to, answer.Cookies())
	}
}

// What is wrong with a form is said at its field in French, and what was done is told in French.
func TestFormsAnswerInFrench(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org").prefers("fr")
	b.post("/credentials/new?site=1", "id", "", "name", "x", "sites", "1").is(422).says("Nouveau compte", "l&#39;id a de 1 à 100 caractères").saysNot("This was not done")
	b.post("/operators/invite?site=1", "name", "Zoé", "email", "zoe@example.org", "role", "reader", "sites", "1").is(200).
		says("Le lien pour Zoé est valable 72 heures et ne sert qu&#39;une fois.", "lecteur").saysNot("The link")
	b.get("/nowhere").is(404).says("Cette page n&#39;existe pas")
}

// TestNoWordOfTheConsoleIsLeftInEnglish walks pages in French, as each role: what they say is no text that
// has a French one. What people wrote is on the pages of this world, too, and is none of these.
func TestNoWordOfTheConsoleIsLeftInEnglish(t *testing.T) {
	show, _, err := console.French()
	if err != nil {
		t.Fatal(err)
	}
	w := threeSites(t)
	operators := []string{"claire@example.org", w.operator(operator.Reader), w.operator(operator.Privacy, 1)}
	for _, email := range operators {
		b := w.newlySignedIn(email).prefers("fr")
		seen, next := map[string]bool{}, []string{"/"}
		for len(next) > 0 && len(seen) < 250 {
			path := next[0]
			if next = next[1:]; seen[shape.ReplaceAllString(path, "#")] {
				continue
			}
			seen[shape.ReplaceAllString(path, "#")] = true
			page := b.get(path)
			if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
				continue
			}
			root, err := html.Parse(strings.NewReader(page.text))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range readable(root) {
				if french := show(text); french != text {
					t.Errorf("%s says %q, and not %q", path, text, french)
				}
			}
			for n := range root.Descendants() {
				if to := hrefOf(n); strings.HasPrefix(to, "/console/") && !strings.Contains(to, "language=") && !strings.Contains(to, "/assets/") {
					next = append(next, strings.TrimPrefix(to, "/console"))
				}
			}
		}
		if len(seen) < 5 {
			t.Errorf("%s saw only %d pages", email, len(seen))
		}
	}
}

// shape replaces what pages of the same kind differ by.
var shape = regexp.MustCompile(`[0-9a-f-]{36}|\d+|\?.*`)

// hrefOf returns where a link leads; empty for other nodes.
func hrefOf(n *html.Node) string {
	if i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" }); n.Data == "a" && i >= 0 {
		if at, err := url.Parse(n.Attr[i].Val); err == nil {
			return at.RequestURI()
		}
	}
	return ""
}

// readable returns what people read of a page: texts, but of code and of what is sent, and some attributes.
func readable(root *html.Node) (all []string) {
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && !isData(n.Parent):
			all = append(all, strings.TrimSpace(n.Data))
		case n.Type == html.ElementNode:
			for _, a := range n.Attr {
				if slices.Contains([]string{"aria-label", "title", "placeholder"}, a.Key) {
					all = append(all, a.Val)
				}
			}
		}
	}
	return all
}

// isData reports whether an element has what people or programs wrote: code, ids of clients, names of the
// API that are chosen from, values before and after a change, and what is marked to be in a language.
func isData(n *html.Node) bool {
	if slices.Contains([]string{"code", "pre", "option", "ins", "del", "h1"}, n.Data) || strings.Contains(hrefOf(n), "/credentials/") {
		return true
	}
	for ; n != nil; n = n.Parent {
		for _, a := range n.Attr {
			if a.Key == "lang" && n.Data != "html" || a.Key == "class" && slices.ContainsFunc(strings.Fields(a.Val), func(c string) bool { return c == "mono" || c == "choice" }) {
				return true
			}
		}
	}
	return false
}
