package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/chromedp/chromedp"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
)

// lookAtPublic looks at what anybody may open: the front page, the reference, guides, and the
// pages of operations.
func (f *findings) lookAtPublic(b *browser.Browser, box *sandbox, all []browser.View) error {
	operations, err := someOperations(b, box)
	if err != nil {
		return err
	}
	pages := slices.Concat([]string{box.url("/"), box.url("/docs"), box.url("/docs?q=price"), box.url("/docs/guides/quickstart"), box.url("/docs/guides/fr/error-codes")}, operations)
	if err := f.size(b, pages); err != nil {
		return err
	}
	for _, v := range all {
		for _, p := range pages {
			if err := f.look(b, v, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// someOperations are pages of operations, one for each form in which requests are
// filled in: by method, kind of body, and how clients say who they are.
func someOperations(b *browser.Browser, box *sandbox) ([]string, error) {
	if _, err := b.Open(box.url("/docs")); err != nil {
		return nil, err
	}
	return browser.Evaluate[[]string](b, `(async () => {
		const forms = new Map();
		for (const link of document.querySelectorAll("main [data-entry]:has(.where) > a")) {
			const text = await (await fetch(link.href)).text();
			const form = text.match(/<form [^>]*data-try[^>]*>/)?.[0] ?? "";
			const kind = ["method", "needs", "media"].map((name) => form.match(`+"new RegExp(`data-${name}=\"([^\"]*)\"`)"+`)?.[1]).join(" ");
			if (!forms.has(kind)) forms.set(kind, link.href);
		}
		return [...forms.values()];
	})()`)
}

// firstCall returns the page of the last call to begin with, which sends it.
func firstCall(b *browser.Browser, box *sandbox) (string, error) {
	if _, err := b.Open(box.url("/")); err != nil {
		return "", err
	}
	return browser.Evaluate[string](b, `[...document.querySelectorAll('a[href$="#send"]')].at(-1).href`)
}

// answered is so when a request was sent from the page, and succeeded.
var answered = fmt.Sprintf(`document.querySelector("[data-answer]:not([hidden]) .state")?.textContent.startsWith("%d")`, http.StatusOK)

func beginHere(ctx context.Context, b *browser.Browser, box *sandbox) error {
	if _, err := b.Open(box.url("/")); err != nil {
		return err
	}
	if _, err := browser.Evaluate[bool](b, `sessionStorage.clear(), true`); err != nil {
		return err
	}
	if err := b.Do(chromedp.Click(chromedp.CSS(`a[href$="#send"]`))); err != nil {
		return err
	}
	return browser.Until(ctx, b, answered)
}

func tryOperation(ctx context.Context, b *browser.Browser, box *sandbox) error {
	if _, err := b.Open(box.url("/docs")); err != nil {
		return err
	}
	if _, err := browser.Evaluate[bool](b, `sessionStorage.clear(), true`); err != nil {
		return err
	}
	if _, err := b.Open(box.url("/docs")); err != nil {
		return err
	}
	if err := b.Do(chromedp.SendKeys(chromedp.CSS("#site"), "\r")); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector("main [data-signed]").textContent.startsWith("sandbox-network, site 1")`); err != nil {
		return err
	}
	if err := b.Do(chromedp.SendKeys(chromedp.CSS("#find"), "last_modified search/count products")); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `[...document.querySelectorAll("main [data-entry]:not([hidden])")].filter((entry) => entry.querySelector(".where")).length === 1 && document.querySelector("[data-found]").textContent.endsWith(" found")`); err != nil {
		return err
	}
	if err := b.Do(chromedp.KeyEvent("\r")); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector("[data-try] button") !== null && document.querySelector("[data-signed-out]").hidden`); err != nil {
		return err
	}
	if err := b.Do(chromedp.Click(chromedp.CSS("[data-try] button"))); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, answered); err != nil {
		return err
	}
	broken, err := b.Accessible()
	if err == nil && len(broken) > 0 {
		err = fmt.Errorf("with an answer the page breaks %v", broken)
	}
	return err
}

func findWithoutScripts(ctx context.Context, b *browser.Browser, box *sandbox) error {
	if _, err := b.Open(box.url("/docs")); err != nil {
		return err
	}
	if err := b.Do(chromedp.SendKeys(chromedp.CSS("#find"), "has_visit360\r")); err != nil {
		return err
	}
	return browser.Until(ctx, b, `location.search === "?q=has_visit360" && document.querySelectorAll("main [data-entry]:not([hidden])").length > 0`+
		` && document.querySelectorAll("main [data-entry][hidden]").length > 100`)
}
