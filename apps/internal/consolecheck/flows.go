package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// flow is something that somebody does in the pages.
type flow struct {
	name    string
	scripts bool
	do      func(context.Context, *browser.Browser, *sandbox) error
}

// flows are done one after the other, each from the overview.
func flows() []flow {
	return []flow{
		{"a first call is sent from the front page", true, beginHere},
		{"an operation is found, a token obtained, and the operation tried", true, tryOperation},
		{"operations are found without scripts", false, findWithoutScripts},
		{"a request is found by its id", true, lookUp},
		{"what is open and where the focus is survive a refresh", true, stayOpen},
		{"a credential is made, and asks for a token", false, makeCredential},
		{"a suspended webhook is put right", false, putRight},
	}
}

// tryFlows does them all in a language, and notes which did not work.
func (f *findings) tryFlows(ctx context.Context, b *browser.Browser, box *sandbox, language string) error {
	for _, one := range flows() {
		v := view(1280, language)
		v.Name, v.Scripts = "flow in "+language, one.scripts
		if err := b.As(v); err != nil {
			return err
		}
		if _, err := b.Open(box.url(console)); err != nil {
			return err
		}
		if err := one.do(ctx, b, box); err != nil {
			f.Add(v, box.url(console), "%s: %v", one.name, err)
		}
		for _, complaint := range b.Complaints() {
			f.Add(v, box.url(console), "%s: %s", one.name, complaint)
		}
		f.flows++
	}
	return b.As(view(1280, "en"))
}

func lookUp(ctx context.Context, b *browser.Browser, box *sandbox) error {
	// A key that is pressed through the browser is also typed, whatever the page does
	// about it; so this one is not.
	if _, err := browser.Evaluate[bool](b, `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true}))`); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.activeElement?.id === "jump"`); err != nil {
		return err
	}
	if err := b.Do(chromedp.KeyEvent(box.refused + "\r")); err != nil {
		return err
	}
	return browser.Until(ctx, b, `location.pathname.endsWith("/requests/`+box.refused+`") && document.querySelector("main").innerText.includes("criteria_value_unrecognised")`)
}

func stayOpen(ctx context.Context, b *browser.Browser, box *sandbox) error {
	if _, err := b.Open(box.webhook("good")); err != nil {
		return err
	}
	if err := b.Do(chromedp.Click(chromedp.CSS("a.open"))); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector("a.open[aria-expanded=true]") !== null`); err != nil {
		return err
	}
	rows, err := browser.Evaluate[string](b, `document.querySelector(".tabs a:nth-child(2)").focus(), document.querySelector("tbody tr").id`)
	if err != nil {
		return err
	}
	if err := box.reprice(ctx, 3, box.price.Add(1000)); err != nil {
		return err
	}
	return browser.Until(ctx, b, `document.querySelector("tbody tr").id !== "`+rows+`"`+
		` && document.querySelector("a.open[aria-expanded=true]") !== null`+
		` && document.activeElement === document.querySelector(".tabs a:nth-child(2)")`)
}

func makeCredential(ctx context.Context, b *browser.Browser, box *sandbox) error {
	id := "made-by-hand-" + b.View.Language
	if _, err := b.Open(box.url(console + "credentials/new?preset=website")); err != nil {
		return err
	}
	if err := b.Do(
		chromedp.SendKeys(chromedp.CSS(`input[name="id"]`), id),
		chromedp.SendKeys(chromedp.CSS(`input[name="name"]`), "A website"),
	); err != nil {
		return err
	}
	// A site is ticked, or there is but one; then the form is sent by its button.
	if _, err := browser.Evaluate[bool](b, `[...document.querySelectorAll("input[name=sites]")].slice(0, 1).every(i => i.checked = true)`); err != nil {
		return err
	}
	if err := b.Do(chromedp.Click(chromedp.CSS("main form .buttons button.primary"))); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.getElementById("secret") !== null`); err != nil {
		return err
	}
	secret, err := browser.Evaluate[string](b, `document.getElementById("secret").textContent`)
	if err != nil {
		return err
	}
	client := rig.NewClient(id, strings.TrimSpace(secret), time.Minute)
	return client.Do(ctx, box.server.Address, 1, http.MethodPost, "/products/search", rig.Object{"count": 1}, nil)
}

func putRight(ctx context.Context, b *browser.Browser, box *sandbox) error {
	if err := box.fail(ctx); err != nil {
		return err
	}
	if _, err := b.Open(box.url(console)); err != nil {
		return err
	}
	box.mended.Store(true)
	if err := b.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`.notice.bad a.button[href$="/webhooks/%d"]`, box.webhooks["broken"])))); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector(".notice.bad form button.primary") !== null`); err != nil {
		return err
	}
	if err := b.Do(chromedp.Click(chromedp.CSS(".notice.bad form button.primary"))); err != nil {
		return err
	}
	if err := browser.Until(ctx, b, `document.querySelector(".title .state.ok") !== null`); err != nil {
		return err
	}
	if !rig.Until(ctx, 15*time.Second, 50*time.Millisecond, func() bool { return box.lacks() == 0 }) {
		return errors.New("the receiver was not sent all of what it missed")
	}
	return nil
}
