package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"

	adapter "github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/apps/internal/browser"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
)

// console is the path of the console in the sandbox.
const console = "/console/"

// budgets of a page.
const (
	maxPage   = 24 << 10  // bytes of the document, compressed; the reference has a line for each operation
	maxAssets = 120 << 10 // bytes of everything else, as sent
	maxPaint  = 500.0     // milliseconds to the first contentful paint
)

// phone is the width below which a view is one of a phone.
const phone = 600

// maxBars is how many pixels the bars above a page may take on a phone.
const maxBars = 100.0

// view returns a view of the console with scripts in the light scheme.
func view(width int, language string) browser.View {
	return browser.View{Name: fmt.Sprintf("%s %d", language, width), Scheme: "light", Width: width, Height: 860, Scripts: true, Language: language}
}

// views returns those in which the console is looked at. In the first two one page of each kind is, in the others one page
// of each path.
func views() []browser.View {
	dark, narrow, plain, zoomed := view(1280, "en"), view(320, "en"), view(1280, "en"), view(1280, "en")
	dark.Scheme, narrow.Scheme, plain.Scripts, zoomed.Zoom = "dark", "dark", false, 2
	dark.Name, narrow.Name, plain.Name, zoomed.Name = "en 1280 dark", "en 320 dark", "en 1280 without scripts", "en 1280 at 200 %"
	return []browser.View{view(1280, "en"), view(320, "en"), view(1280, "fr"), view(320, "fr"), view(390, "en"), view(768, "en"), dark, narrow, plain, zoomed}
}

// check looks at every page in every view unless it is told to try the flows only, draws the pictures if there is
// a folder for them, and then tries the flows and tasks, which change something.
func check(ctx context.Context, b *browser.Browser, box *sandbox, pictures string, onlyFlows bool) (*findings, error) {
	found := &findings{}
	if err := b.As(views()[0]); err != nil {
		return nil, err
	}
	if pictures != "" {
		if err := errors.Join(signIn(b, box), draw(ctx, b, box, pictures)); err != nil {
			return nil, err
		}
	}
	if err := box.furnish(ctx); err != nil {
		return nil, err
	}
	if !onlyFlows {
		if err := found.lookAtAll(b, box); err != nil {
			return nil, err
		}
	}
	if pictures != "" {
		if err := errors.Join(signIn(b, box), gallery(b, box, pictures)); err != nil {
			return nil, err
		}
	}
	for _, language := range []string{"en", "fr"} {
		if err := signIn(b, box); err != nil { // anew, so that no task is asked for the password again
			return nil, err
		}
		if err := found.tryFlows(ctx, b, box, language); err != nil {
			return nil, err
		}
		if err := found.doTasks(ctx, b, box, language); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// lookAtAll looks at every page, signed out and signed in.
func (f *findings) lookAtAll(b *browser.Browser, box *sandbox) error {
	if err := f.lookAtPublic(b, box, browser.Views()); err != nil {
		return err
	}
	// Without a session there are two pages of the console.
	if err := b.SignOut(); err != nil {
		return err
	}
	for _, v := range views() {
		for _, p := range []string{box.url(console + "sign-in"), box.invitation} {
			if err := f.look(b, v, p); err != nil {
				return err
			}
		}
	}
	if err := signIn(b, box); err != nil {
		return err
	}
	pages, err := crawl(b, box)
	if err != nil {
		return err
	}
	// The site stays as it was chosen last.
	pages = slices.Concat([]string{box.url(console + "?site=1")}, pages, box.everywhere())
	f.missing(pages)
	if err := f.size(b, pages); err != nil {
		return err
	}
	always := slices.Concat(box.everywhere(), box.seeds())
	for i, v := range views() {
		looked := map[string]bool{}
		for _, p := range pages {
			if i > 1 && looked[path(p)] && !slices.Contains(always, p) {
				continue
			}
			looked[path(p)] = true
			if err := f.look(b, v, p); err != nil {
				return err
			}
		}
	}
	return nil
}

var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// missing adds the pages of the console that are not among those that are looked at.
func (f *findings) missing(pages []string) {
	for _, one := range adapter.Pages() {
		is := func(address string) bool {
			return path(address) == strings.TrimSuffix(console, "/")+parameter.ReplaceAllString(one, "*")
		}
		if !slices.ContainsFunc(pages, is) {
			f.Add(views()[0], one, "no link leads to this page")
		}
	}
}

// signIn types into the form and presses Enter, in a view without scripts, and chooses site 1.
func signIn(b *browser.Browser, box *sandbox) error {
	v := view(1280, "en")
	v.Scripts = false
	if err := b.As(v); err != nil {
		return err
	}
	if _, err := b.Open(box.url(console + "sign-in")); err != nil {
		return err
	}
	err := b.Do(
		chromedp.SendKeys(chromedp.CSS(`input[type="email"]`), demo.OperatorEmail),
		chromedp.SendKeys(chromedp.CSS(`input[type="password"]`), demo.OperatorPassword+"\r"),
		chromedp.WaitVisible(chromedp.CSS("nav")),
	)
	if err != nil {
		return fmt.Errorf("signing in: %w", err)
	}
	if _, err := b.Open(box.url(console + "?site=1")); err != nil {
		return err
	}
	return b.As(view(1280, "en"))
}

// maxPages bounds the kinds of page that are looked at, in case links never end.
const maxPages = 200

// maxSorts bounds the kinds of page of one path, because filters combine.
const maxSorts = 3

// crawl follows the links of the console at site 1, and returns one page of each kind, and the seeds.
func crawl(b *browser.Browser, box *sandbox) ([]string, error) {
	first := box.url(console)
	queue := slices.Concat([]string{first}, box.seeds())
	kinds := map[string]string{}
	for _, one := range queue {
		kinds[one] = one
		kinds[kind(one)] = one
	}
	sorts := map[string]int{}
	for len(queue) > 0 && len(kinds) < maxPages {
		at := queue[0]
		queue = queue[1:]
		if _, err := b.Open(at); err != nil {
			return nil, err
		}
		links, err := browser.Evaluate[[]string](b, `[...document.querySelectorAll("a[href]:not([download])")].map(a => new URL(a.getAttribute("href"), location.href).href)`)
		if err != nil {
			return nil, err
		}
		for _, link := range links {
			link = atSite(link)
			if !strings.HasPrefix(link, first) || kinds[kind(link)] != "" || isFile(link) || sorts[path(link)] >= maxSorts {
				continue
			}
			kinds[kind(link)] = link
			sorts[path(link)]++
			queue = append(queue, link)
		}
	}
	return slices.Compact(slices.Sorted(maps.Values(kinds))), nil
}

// atSite returns a link without the choice of site 1, and "" for one of another site.
func atSite(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	query := u.Query()
	if !slices.Contains([]string{"", "1"}, query.Get("site")) || query.Has("language") {
		return ""
	}
	query.Del("site")
	u.RawQuery, u.Fragment = query.Encode(), ""
	return u.String()
}

// isFile reports whether a browser downloads what a link leads to.
func isFile(link string) bool {
	u, err := url.Parse(link)
	return err != nil || filepath.Ext(u.Path) != ""
}

var names = regexp.MustCompile(`^([0-9]+|[0-9a-f]{8}-[0-9a-f-]{27}|sandbox-[a-z]+|[A-Z].*|.*[@_].*)$`)

// kind returns the address of a page without the record that it shows: the path without
// names of records, and the names of the parameters.
func kind(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return path(address) + "?" + strings.Join(slices.Sorted(maps.Keys(u.Query())), "&")
}

// path returns the words of the path of an address, without the names of records.
func path(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	words := strings.Split(u.Path, "/")
	for i, word := range words {
		if names.MatchString(word) {
			words[i] = "*"
		}
	}
	return strings.Join(words, "/")
}

// findings are what is wrong, and the figures that are measured.
type findings struct {
	browser.Findings
	// pages is the number of pages.
	pages int
	// flows is the number of flows that were tried, each in both languages.
	flows int
	// tasks is the number of tasks that were carried out.
	tasks        int
	page, assets int
	largest      string
	paint        float64
	slowest      string
	paints       int
}

// look opens a page in a view and notes what is wrong with it.
func (f *findings) look(b *browser.Browser, v browser.View, address string) error {
	if err := f.Look(b, v, address, pictureOf(address), http.StatusOK); err != nil {
		return err
	}
	if v.Scripts {
		f.painted(b, address)
	}
	shown, err := browser.Evaluate[struct {
		Language string
		Bars     float64
	}](b, `({Language: document.documentElement.lang, Bars: document.querySelector("header.top") ? document.querySelector("main").getBoundingClientRect().top + scrollY : 0})`)
	if err != nil {
		return err
	}
	if v.Language != "" && shown.Language != v.Language {
		f.Add(v, address, "is in %s", shown.Language)
	}
	if v.Language != "" && v.Width < phone && shown.Bars > maxBars {
		f.Add(v, address, "its bars take %.0f pixels", shown.Bars)
	}
	return nil
}

var noLetters = regexp.MustCompile(`[^a-z0-9]+`)

// pictureOf returns the name of the picture of a page: the words of its path, and the names of its parameters.
func pictureOf(address string) string {
	at, parameters, _ := strings.Cut(kind(address), "?")
	if u, err := url.Parse(address); err == nil {
		at = u.Path
	}
	return strings.Trim(noLetters.ReplaceAllString(strings.ToLower(at), "-")+"+"+noLetters.ReplaceAllString(strings.ToLower(parameters), "-"), "-+")
}

// painted notes the time to the first contentful paint. Its budget is wide, because it
// depends on the machine.
func (f *findings) painted(b *browser.Browser, address string) {
	ms, err := browser.Evaluate[float64](b, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`)
	if err == nil && ms > 0 {
		f.paints++
		if ms > f.paint {
			f.paint, f.slowest = ms, address
		}
	}
}

// size notes the size of the largest page, and of all assets together.
func (f *findings) size(b *browser.Browser, pages []string) error {
	f.pages += len(pages)
	assets, total := map[string]int{}, 0
	for _, address := range pages {
		if _, err := b.Open(address); err != nil {
			return err
		}
		html, err := browser.Evaluate[string](b, `fetch(location.href).then(r => r.text())`)
		if err != nil {
			return err
		}
		n, err := compressed(html)
		if err != nil {
			return err
		}
		if n > f.page {
			f.page, f.largest = n, address
		}
		loaded, err := browser.Evaluate[map[string]int](b, `Object.fromEntries(performance.getEntriesByType("resource").map(r => [r.name, r.encodedBodySize]))`)
		if err != nil {
			return err
		}
		for name, n := range loaded {
			if strings.Contains(name, "/assets/") {
				assets[name] = max(assets[name], n)
			}
		}
	}
	for _, n := range assets {
		total += n
	}
	f.assets = max(f.assets, total)
	return nil
}

func compressed(text string) (int, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.DefaultCompression)
	if err != nil {
		return 0, err
	}
	if _, err = io.WriteString(w, text); err == nil {
		err = w.Close()
	}
	return out.Len(), err
}

// over returns the budgets that are exceeded.
func (f *findings) over() (over []string) {
	for _, budget := range []struct {
		what   string
		is, at float64
	}{
		{"bytes of " + f.largest, float64(f.page), maxPage},
		{"bytes of assets", float64(f.assets), maxAssets},
		{"ms to the first paint of " + f.slowest, f.paint, maxPaint},
	} {
		if budget.is > budget.at {
			over = append(over, fmt.Sprintf("%s: %.0f, at most %.0f", budget.what, budget.is, budget.at))
		}
	}
	return over
}

// print prints what is wrong, and the figures.
func (f *findings) print(out io.Writer) {
	f.Print(out)
	for _, line := range f.over() {
		fmt.Fprintln(out, "over budget:", line)
	}
	fmt.Fprintf(out, "%d pages, looked at %d times, each time with axe; %d flows, %d tasks\n", f.pages, f.Seen, f.flows, f.tasks)
	fmt.Fprintf(out, "largest page %d bytes compressed, assets %d bytes, first paint at most %.0f ms (of %d)\n", f.page, f.assets, f.paint, f.paints)
}

func (f *findings) err() error {
	if n := len(f.Wrong) + len(f.over()); n > 0 {
		return fmt.Errorf("%d things are wrong with the pages", n)
	}
	if f.Seen > 0 && f.pages < 2 || f.flows < 2*len(flows()) || f.tasks < 2*len(tasks()) {
		return errors.New("not everything was looked at")
	}
	return nil
}
