package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
)

// visit is something that a visitor does.
type visit struct {
	name string
	do   func(context.Context, *stand, *browser.Browser, []page) error
}

var visits = []visit{
	{"a search by town finds listings of it", search},
	{"photographs open over the page, and close", openPhotographs},
	{"a town on the map leads to its listings", openTown},
	{"photographs come from the site, and each loads", loadPhotographs},
	{"a form that is sent empty says what is missing", sendNothing},
	{"a message is sent without scripts", sendMessage},
	{"a visit is booked, and cancelled", bookVisit},
}

func pathOf(pages []page, name string) string {
	for _, p := range pages {
		if p.name == name {
			return p.path
		}
	}
	return "/"
}

func search(ctx context.Context, s *stand, b *browser.Browser, _ []page) error {
	if _, err := b.Open(s.url("/")); err != nil {
		return err
	}
	if _, err := browser.Evaluate[bool](b, `document.querySelector("[name=ville]").value = "Annecy", document.querySelector("form.search button").click(), true`); err != nil {
		return err
	}
	return browser.Until(ctx, b, `location.search.includes("ville=Annecy") && [...document.querySelectorAll(".card p")].length > 0 && [...document.querySelectorAll(".card p")].every(p => p.textContent.includes("Annecy"))`)
}

func openPhotographs(ctx context.Context, s *stand, b *browser.Browser, pages []page) error {
	if _, err := b.Open(s.url(pathOf(pages, "listing"))); err != nil {
		return err
	}
	if err := b.Do(chromedp.Click(chromedp.CSS(".shots a"))); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector(".pswp--open .pswp__img") !== null`); err != nil {
		return err
	}
	// The page behind fades out first.
	if err := errors.Join(b.Do(chromedp.Sleep(time.Second)), whole(b, "with a photograph open the page")); err != nil {
		return err
	}
	if err := b.Do(chromedp.KeyEvent("\x1b")); err != nil {
		return err
	}
	return browser.Until(ctx, b, `document.querySelector(".pswp") === null`)
}

func openTown(ctx context.Context, s *stand, b *browser.Browser, _ []page) error {
	if _, err := b.Open(s.url("/carte")); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelectorAll("#map .town").length > 1 && document.querySelector("#map img.leaflet-image-layer").complete`); err != nil {
		return err
	}
	// A marker of several towns is taken apart by a click.
	for range 4 {
		if _, err := browser.Evaluate[bool](b, `document.querySelector("#map .town")?.click(), true`); err != nil {
			return err
		}
		if err := b.Do(chromedp.Sleep(time.Second)); err != nil {
			return err
		}
	}
	return browser.Until(ctx, b, `location.pathname === "/annonces" && location.search.startsWith("?ville=") && document.querySelectorAll("[data-listing]").length > 0`)
}

func loadPhotographs(_ context.Context, s *stand, b *browser.Browser, pages []page) error {
	var wrong error
	for _, name := range []string{"home", "listing", "agency"} {
		if _, err := b.Open(s.url(pathOf(pages, name))); err != nil {
			return err
		}
		broken, err := browser.Evaluate[[]string](b, `Promise.all([...document.images].map(async image => {
			image.loading = "eager";
			try { await image.decode() } catch { return image.currentSrc || image.src }
			return image.naturalWidth ? "" : image.src;
		})).then(all => all.filter(Boolean))`)
		if err != nil {
			return err
		}
		for _, one := range broken {
			wrong = errors.Join(wrong, fmt.Errorf("%s does not load", one))
		}
		others, err := browser.Evaluate[[]string](b, `performance.getEntriesByType("resource").map(r => r.name)`)
		if err != nil {
			return err
		}
		for _, one := range others {
			if u, err := url.Parse(one); err == nil && u.Host != s.mirror.Address && u.Scheme != "data" {
				wrong = errors.Join(wrong, fmt.Errorf("%s loads %s", name, one))
			}
		}
	}
	return wrong
}

// formDelay is how long a form must have been shown.
const formDelay = 3200 * time.Millisecond

// bookable opens the first listing of the results that can be booked or written about.
func bookable(b *browser.Browser, s *stand, form string) (string, error) {
	if _, err := b.Open(s.url("/annonces")); err != nil {
		return "", err
	}
	path, err := browser.Evaluate[string](b, fmt.Sprintf(`(async () => {
		for (const link of document.querySelectorAll("[data-listing] a")) {
			if ((await (await fetch(link.href)).text()).includes(%q)) return new URL(link.href).pathname;
		}
		return "";
	})()`, form))
	if err == nil && path == "" {
		err = fmt.Errorf("no listing has %s", form)
	}
	return path, err
}

// whole checks the page that is shown for rules of accessibility.
func whole(b *browser.Browser, page string) error {
	broken, err := b.Accessible()
	if err == nil && len(broken) > 0 {
		err = fmt.Errorf("%s breaks %v", page, broken)
	}
	return err
}

// fill types into a form of a page that is shown, and sends it.
func fill(b *browser.Browser, form, more string) error {
	_, err := browser.Evaluate[bool](b, fmt.Sprintf(`(() => {
		const form = document.querySelector("form[action$='/%s']");
		form.noValidate = true;
		%s
		form.querySelector("button:not([type=button])").click();
		return true;
	})()`, form, more))
	return err
}

const person = `form.elements.name.value = "Camille Vannier"; form.elements.email.value = "camille@example.org"; form.elements.consent.checked = true;`

func sendNothing(ctx context.Context, s *stand, b *browser.Browser, _ []page) error {
	path, err := bookable(b, s, "/contact")
	if err != nil {
		return err
	}
	if _, err := b.Open(s.url(path)); err != nil {
		return err
	}
	if err := errors.Join(b.Do(chromedp.Sleep(formDelay)), fill(b, "contact", "")); err != nil {
		return err
	}
	// The page is answered with 422, which a browser notes as an error of its own.
	if err := browser.Until(ctx, b, `document.querySelectorAll("[aria-invalid]").length > 1`); err != nil {
		return err
	}
	err = whole(b, "a form with errors")
	_, opened := b.Open(s.url("/"))
	return errors.Join(err, opened)
}

func sendMessage(ctx context.Context, s *stand, b *browser.Browser, _ []page) error {
	path, err := bookable(b, s, "/contact")
	if err != nil {
		return err
	}
	if err := b.As(browser.Views()[1]); err != nil {
		return err
	}
	if _, err := b.Open(s.url(path)); err != nil {
		return err
	}
	if err := errors.Join(b.Do(chromedp.Sleep(formDelay)), fill(b, "contact", person+`form.elements.message.value = "Bonjour";`)); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector("h1")?.textContent.includes("Merci")`); err != nil {
		return err
	}
	return whole(b, "the page of thanks")
}

func bookVisit(ctx context.Context, s *stand, b *browser.Browser, _ []page) error {
	path, err := bookable(b, s, "/visite")
	if err != nil {
		return err
	}
	if _, err := b.Open(s.url(path)); err != nil {
		return err
	}
	if err := errors.Join(b.Do(chromedp.Sleep(formDelay)), fill(b, "visite", person+`form.querySelector("[name=start_at]").checked = true;`)); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `location.pathname.startsWith("/rendez-vous/")`); err != nil {
		return err
	}
	if err := whole(b, "the page of a booking"); err != nil {
		return err
	}
	if err := fill(b, "annuler", ""); err != nil {
		return err
	}
	return browser.Until(ctx, b, `document.querySelector(".when.off") !== null`)
}
