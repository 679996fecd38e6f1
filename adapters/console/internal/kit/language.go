package kit

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/internal/language"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Text is words of the console, written in English. Pages show them in the language of
// whoever looks. What people wrote, such as names, is never a Text.
type Text string

// Language is one in which pages are shown. The zero value is English.
type Language struct {
	// API is the same one for the messages of use cases.
	API fault.Language
	// words has the texts in a language other than English.
	words map[Text]Text
}

// Tag names the language as documents do.
func (l Language) Tag() string { return tags[l.API] }

// tags are the languages that the console is shown in.
var tags = []string{fault.English: "en", fault.French: "fr"}

// Show returns a text in the language.
func (l Language) Show(t Text) string {
	if said, known := l.words[t]; known {
		return string(said)
	}
	return string(t)
}

// Say fills a format in the language. Texts among what it is filled with are shown in the
// language too.
func (l Language) Say(format Text, args ...any) string {
	said := slices.Clone(args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case Text:
			said[i] = l.Show(arg)
		case fault.Text:
			said[i] = arg.In(l.API)
		}
	}
	return fmt.Sprintf(l.Show(format), said...)
}

// Read returns a text of a use case that was kept in English in the language.
func (l Language) Read(kept string) string {
	if l.API == fault.English {
		return kept
	}
	return fault.Read(kept).In(l.API)
}

// languageCookie keeps the language that somebody chose in place of that of the browser.
const languageCookie = "vitrine-language"

// LanguageOf returns the language that somebody chose, or else that the browser prefers.
func (c *Console) LanguageOf(r *http.Request) Language {
	if i := slices.Index(tags, c.Cookie(r, languageCookie)); i >= 0 {
		return c.Languages[i]
	}
	return c.Languages[language.Preferred(r.Header.Values("Accept-Language"))]
}

// languageQuery chooses a language, on any page.
const languageQuery = "language"

// choosing keeps the language that the query of a page names, and shows the page without it. An address that
// browsers would take for one of another server is none of a page.
func (c *Console) choosing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		isPage := strings.HasPrefix(r.URL.Path, c.Prefix+"/") && !strings.HasPrefix(r.URL.Path, "//")
		if r.Method != http.MethodGet || !query.Has(languageQuery) || !isPage {
			next.ServeHTTP(w, r)
			return
		}
		if tag := query.Get(languageQuery); slices.Contains(tags, tag) {
			c.SetCookie(w, r, languageCookie, tag)
		}
		query.Del(languageQuery)
		to := *r.URL
		to.RawQuery = query.Encode()
		http.Redirect(w, r, to.RequestURI(), http.StatusSeeOther)
	})
}

// others returns the languages that a page can be shown in besides its own.
func (c *Console) others(r *http.Request, shown Language) []Choice {
	names := []string{fault.English: "English", fault.French: "Français"}
	to, query := Link(c.Prefix), url.Values{}
	if r.Method == http.MethodGet {
		to, query = r.URL.Path, r.URL.Query()
	}
	var list []Choice
	for i, tag := range tags {
		if fault.Language(i) == shown.API {
			continue
		}
		query.Set(languageQuery, tag)
		list = append(list, Choice{Value: tag, Label: names[i], Hint: to + "?" + query.Encode()})
	}
	return list
}

// shownBy is the name of the function by which templates show values.
const shownBy = "shown"

// shown returns a value of a page as the language has it: only a Text differs.
func (l Language) shown(value any) any {
	if t, is := value.(Text); is {
		return l.Show(t)
	}
	return value
}
