package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// task is something that operators come to the console for, from the overview of a site on. No address is typed.
type task struct {
	// name is what docs/console.md calls it.
	name string
	// clicks and typed are how many clicks it takes, and how many fields that are filled in. A choice from a list is
	// two clicks, a file that is chosen one field.
	clicks, typed int
	do            func(*steps)
}

// tasks are carried out one after the other. The last ones are about a webhook that fails meanwhile.
func tasks() []task {
	return []task{
		{"Find a request by its id", 0, 1, findRequest},
		{"See why a client is refused", 2, 0, seeRefusal},
		{"Resend a delivery that was rejected", 3, 0, resend},
		{"Rotate the secret of a client", 3, 0, rotate},
		{"Make a credential for a website", 4, 2, makeClient},
		{"See who changed a price, from what to what", 0, 1, seePrice},
		{"Find a person by e-mail, and export what is kept", 3, 1, export},
		{"Import a file: a dry run, then for real", 3, 1, importFile},
		{"Undo a wrong import: a dry run, then for real", 4, 0, undoImport},
		{"Save the filter of a list, and return by it", 5, 2, saveFilter},
		{"Add a user to an agency", 4, 3, addUser},
		{"See what is wrong at any site", 3, 0, seeWhatIsWrong},
		{"Silence an alert for an hour", 2, 0, silence},
		{"Reactivate a webhook, and have it get what it missed", 2, 0, reactivate},
	}
}

// doTasks carries out all tasks in a language, and notes which did not work, or take other steps than they are said to.
func (f *findings) doTasks(ctx context.Context, b *browser.Browser, box *sandbox, language string) error {
	v := view(1280, language)
	v.Name = "task in " + language
	if err := box.fail(ctx); err != nil {
		return err
	}
	for _, one := range tasks() {
		if err := b.As(v); err != nil {
			return err
		}
		if _, err := b.Open(box.url(console + "?site=1")); err != nil {
			return err
		}
		s := &steps{ctx: ctx, b: b, box: box, found: f, view: v}
		if one.do(s); s.err != nil {
			f.Add(v, box.url(console), "%s: %v", one.name, s.err)
		} else if s.clicks != one.clicks || s.typed != one.typed {
			f.Add(v, box.url(console), "%s: it took %d clicks and %d fields, not %d and %d", one.name, s.clicks, s.typed, one.clicks, one.typed)
		}
		f.tasks++
	}
	return b.As(view(1280, "en"))
}

// steps are what somebody does in the pages for a task, until a step does not work.
type steps struct {
	ctx           context.Context
	b             *browser.Browser
	box           *sandbox
	found         *findings
	view          browser.View
	clicks, typed int
	err           error
}

// then does something unless a step before it has failed.
func (s *steps) then(do func() error) {
	if s.err == nil {
		s.err = do()
	}
}

// leave does what leads to another page, and looks at that page, as it is and at the width of a phone.
func (s *steps) leave(actions ...chromedp.Action[chromedp.Void]) {
	s.then(func() error {
		if _, err := browser.Evaluate[bool](s.b, `window.left = true`); err != nil {
			return err
		}
		if err := s.b.Do(actions...); err != nil {
			return err
		}
		return browser.Until(s.ctx, s.b, `window.left === undefined && document.readyState === "complete"`)
	})
	s.then(s.look)
}

func (s *steps) look() error {
	narrow := s.view
	narrow.Name, narrow.Width = s.view.Name+" on a phone", 320
	for _, v := range []browser.View{narrow, s.view} {
		if err := s.b.As(v); err != nil {
			return err
		}
		at, err := browser.Evaluate[string](s.b, `location.href`)
		if err == nil {
			err = s.found.Check(s.b, v, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow clicks on what leads to another page.
func (s *steps) follow(selector string) {
	s.clicks++
	s.leave(chromedp.Click(chromedp.CSS(selector)))
}

// choose takes an entry of a list that leads to another page at once.
func (s *steps) choose(selector, value string) {
	s.clicks += 2
	s.leave(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const list = document.querySelector(%q); list.value = %q; list.dispatchEvent(new Event("change", {bubbles: true})) }`, selector, value)))
}

// fill types into a field.
func (s *steps) fill(selector, text string) {
	s.typed++
	s.then(func() error { return s.b.Do(chromedp.SendKeys(chromedp.CSS(selector), text)) })
}

// enter types into a field and presses Enter, which leads to another page.
func (s *steps) enter(selector, text string) {
	s.typed++
	s.leave(chromedp.SendKeys(chromedp.CSS(selector), text+"\r"))
}

// menu clicks on a page of the menu.
func (s *steps) menu(page string) { s.follow(`nav.side .menu a[href="` + console + page + `"]`) }

// until waits until an expression is so in the page.
func (s *steps) until(expression string) {
	s.then(func() error { return browser.Until(s.ctx, s.b, expression) })
}

// has waits until the page has what a selector is for.
func (s *steps) has(selector string) {
	s.until(fmt.Sprintf("document.querySelector(%q) !== null", selector))
}

// says waits until the page says something.
func (s *steps) says(text string) {
	s.until(fmt.Sprintf(`document.querySelector("main").innerText.includes(%q)`, text))
}

// named returns a name that no task in another language gives.
func (s *steps) named(name string) string { return name + "-" + s.view.Language }

// secret returns what the page shows once.
func (s *steps) secret() (text string) {
	s.has("#secret")
	s.then(func() (err error) {
		text, err = browser.Evaluate[string](s.b, `document.getElementById("secret").textContent.trim()`)
		return err
	})
	return text
}

// asks has a client with a secret of its own ask for something.
func (s *steps) asks(id, secret string) {
	s.then(func() error {
		return rig.NewClient(id, secret, time.Minute).Do(s.ctx, s.box.server.Address, 1, http.MethodPost, "/products/search", rig.Object{"count": 1}, nil)
	})
}

func findRequest(s *steps) {
	s.enter("#jump", s.box.refused)
	s.says("criteria_value_unrecognised")
}

func seeRefusal(s *steps) {
	s.follow(`main a[href*="credential=sandbox-network"][href*="status=4"]`)
	s.follow(`tbody a[href*="/requests/"]`)
	s.says("criteria_value_unrecognised")
	s.says("Chateau")
}

func resend(s *steps) {
	s.follow(`main a[href$="` + s.box.webhook("picky")[len(s.box.url("")):] + `"]`)
	s.follow(`nav.tabs a[href*="status=rejected"]`)
	before := s.box.count("picky")
	s.follow(`form[action*="/resend"] button`)
	s.has(`.notice.ok[role="status"]`)
	s.then(func() error {
		if !rig.Until(s.ctx, 15*time.Second, 50*time.Millisecond, func() bool { return s.box.count("picky") > before }) {
			return errors.New("the receiver was sent nothing again")
		}
		return nil
	})
}

func rotate(s *steps) {
	const id = "sandbox-group"
	s.menu("credentials")
	s.follow(`main a[href="` + console + `credentials/` + id + `"]`)
	s.follow(`form[action*="/rotate"] button`)
	fresh := s.secret()
	s.asks(id, fresh)
	s.asks(id, s.box.groupSecret) // the former one is good for a day
	if s.err == nil {
		s.box.groupSecret = fresh
	}
}

func makeClient(s *steps) {
	id := s.named("agency-website")
	s.menu("credentials")
	s.follow(`main a[href="` + console + `credentials/new"]`)
	s.follow(`button[name="preset"][value="website"]`)
	s.fill(`input[name="id"]`, id)
	s.fill(`input[name="name"]`, "The website of the agency in Lyon")
	s.follow(`main form .buttons button.primary`)
	s.asks(id, s.secret())
}

func seePrice(s *steps) {
	from := s.box.price.Add(1000)
	to := s.box.price.Add(1000)
	for _, price := range []int64{from, to} {
		s.then(func() error { return s.box.reprice(s.ctx, 3, price) })
	}
	s.enter("#jump", "11-1003")
	s.until(fmt.Sprintf(`[...document.querySelectorAll("#history tr")].some((row) => {
		const digits = (selector) => [...row.querySelectorAll(selector)].map((one) => one.innerText.replace(/\D/g, ""));
		return digits("del").includes("%d") && digits("ins").includes("%d") && row.innerText.includes("sandbox-network");
	})`, from, to))
}

func export(s *steps) {
	const person = "arnaud.chavassieux@example.org"
	folder := filepath.Join(s.box.folder, s.named("export"))
	s.then(func() error { return errors.Join(os.Mkdir(folder, 0o700), s.b.SaveTo(folder)) })
	s.menu("privacy")
	s.enter(`input[name="email"]`, person)
	s.follow(`tbody a[href*="/privacy/"]`)
	s.clicks++
	s.then(func() error { return s.b.Do(chromedp.Click(chromedp.CSS(`form[action*="/export"] button`))) })
	s.then(func() error {
		if !rig.Until(s.ctx, 15*time.Second, 100*time.Millisecond, func() bool { return isExport(folder, person) }) {
			return errors.New("no export was downloaded")
		}
		return nil
	})
}

// isExport reports whether a folder has a file of JSON in which a text is.
func isExport(folder, text string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) != 1 {
		return false
	}
	content, err := os.ReadFile(files[0])
	return err == nil && json.Valid(content) && strings.Contains(string(content), text)
}

func importFile(s *steps) {
	file, prefix := filepath.Join(s.box.folder, s.named("listings")+".csv"), strings.ToUpper(s.named("im"))
	s.then(func() error { return os.WriteFile(file, table(prefix, 3), 0o600) })
	s.menu("imports")
	s.typed++
	s.then(func() error {
		return s.b.Do(chromedp.SetUploadFiles(chromedp.CSS(`input[name="file"]`), []string{file}))
	})
	s.follow(`main form .buttons button.primary`)
	s.has(`form[action*="/carry-out"] button`)
	s.follow(`form[action*="/carry-out"] button`)
	s.has(`tbody a[href*="/products/"]`)
	s.says(prefix + "-1")
}

// undoImport undoes what importFile imported.
func undoImport(s *steps) {
	s.menu("imports")
	s.follow(`main tbody tr:first-child a[href*="/imports/"]`)
	s.follow(`form[action*="/undo"] button`)
	s.has(`form[action*="/carry-out"] button`)
	s.follow(`form[action*="/carry-out"] button`)
	s.has(`.title .state.ok`)
	s.says(strings.ToUpper(s.named("im")) + "-1")
}

func saveFilter(s *steps) {
	s.menu("products")
	s.enter(`main input[name="q"]`, map[string]string{"en": "lyon", "fr": "nantes"}[s.view.Language])
	s.clicks++
	s.then(func() error { return s.b.Do(chromedp.Click(chromedp.CSS(`main details:has(#filter-name) summary`))) })
	s.then(s.look)
	s.fill(`#filter-name`, s.named("mine"))
	s.follow(`main form:has(#filter-name) button`)
	s.menu("products")
	s.follow(`main nav.facet a[href*="q="]`)
	s.has(`main nav.facet a[aria-current="true"]`)
	s.says(s.named("mine"))
}

func addUser(s *steps) {
	s.menu("site")
	s.follow(`nav.tabs a[href="` + console + `site/users"]`)
	s.follow(`main a[href="` + console + `site/users/new"]`)
	s.fill(`input[name="firstname"]`, "Camille")
	s.fill(`input[name="lastname"]`, s.named("Martin"))
	s.fill(`input[name="email"]`, s.named("camille.martin")+"@belvedere.example")
	s.follow(`main form .buttons button.primary`)
	s.says(s.named("Martin"))
}

func seeWhatIsWrong(s *steps) {
	s.then(func() error {
		return s.box.office.until(s.ctx, "alerts", fmt.Sprintf("/webhooks/%d", s.box.webhooks["broken"]))
	})
	s.choose("#site", "all")
	s.follow(fmt.Sprintf(`main td a[href*="/webhooks/%d"]`, s.box.webhooks["broken"]))
	s.has(`.notice.bad form[action*="/resume"]`)
}

func silence(s *steps) {
	s.menu("alerts")
	s.follow(`main button[name="hours"][value="1"]`)
	s.has(`button[name="hours"][value="none"]`)
}

func reactivate(s *steps) {
	s.follow(fmt.Sprintf(`.notice.bad a.button[href$="/webhooks/%d"]`, s.box.webhooks["broken"]))
	s.box.mended.Store(true)
	s.follow(`.notice.bad form[action*="/resume"] button`)
	s.has(`.title .state.ok`)
	s.then(func() error {
		if !rig.Until(s.ctx, 30*time.Second, 50*time.Millisecond, func() bool { return s.box.lacks() == 0 }) {
			return fmt.Errorf("%d of the products that it missed never arrive", s.box.lacks())
		}
		return nil
	})
}
