package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// findBrowser returns the Chromium that is installed.
func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium: install it, on Debian with apt-get install chromium, or name it with -browser")
}

// view is how somebody sees the console.
type view struct {
	name          string
	scheme        string // light or dark
	width, height int
	// zoom is how much the page is enlarged: the same window shows as much less.
	zoom float64
	// scripts reports whether JavaScript runs.
	scripts bool
}

// browser is one tab of a browser, signed in or not.
type browser struct {
	ctx   context.Context
	close []context.CancelFunc
	axe   string
	shots string
	// scripts reports whether the scripts of pages run.
	scripts bool

	mu    sync.Mutex
	heard []string
	// address is what was opened last.
	address string
}

// pageWithin is how long a page may take.
const pageWithin = 30 * time.Second

func startBrowser(ctx context.Context, program, axe, shots string) (*browser, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("force-color-profile", "srgb"))
	allocator, endAllocator := chromedp.NewExecAllocator(ctx, options...)
	tab, endTab := chromedp.NewContext(allocator)
	b := &browser{ctx: tab, close: []context.CancelFunc{endTab, endAllocator}, axe: axe, shots: shots}
	err := chromedp.Listen(tab, b.listen)
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{runtime.Enable, log.Enable, audits.Enable} {
		if err == nil {
			_, err = chromedp.Call(tab, domain, cdp.Empty{})
		}
	}
	if err != nil {
		b.end()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return b, nil
}

func (b *browser) end() {
	for _, end := range b.close {
		end()
	}
}

// listen notes what a page complains of. A document that is answered with an error
// is the business of who opened it.
func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			text := "console:"
			for _, arg := range e.Args {
				text += " " + arg.Description + string(arg.Value)
			}
			b.heard = append(b.heard, text)
		}
	case *runtime.EventExceptionThrown:
		b.heard = append(b.heard, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError && e.Entry.URL != b.address {
			b.heard = append(b.heard, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *audits.EventIssueAdded:
		if d := e.Issue.Details; d != nil && d.ContentSecurityPolicyIssueDetails != nil {
			csp := d.ContentSecurityPolicyIssueDetails
			b.heard = append(b.heard, fmt.Sprintf("content security policy: %s %s", csp.ViolatedDirective, csp.BlockedURL))
		}
	}
}

// as changes how the browser shows pages from now on.
func (b *browser) as(v view) error {
	scale := max(v.zoom, 1)
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(float64(v.width) / scale), Height: int64(float64(v.height) / scale), DeviceScaleFactor: scale, Mobile: v.width < 600,
	})
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.scheme}},
		})
	}
	b.scripts = v.scripts
	return err
}

// mayRun reports whether scripts run from now on.
func (b *browser) mayRun(ctx context.Context, scripts bool) error {
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
	return err
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// open loads a page and reports the status it was answered with. What the browser
// complains of from then on is heard. Scripts of the page run only if the view says
// so; those of the check run in any case, once it is loaded.
func (b *browser) open(url string) (status int64, err error) {
	b.mu.Lock()
	b.heard, b.address = nil, url
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	if err := b.mayRun(ctx, b.scripts); err != nil {
		return 0, err
	}
	response, err := chromedp.Run(ctx, chromedp.NavigateResponse(url))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", url, err)
	}
	return response.Status, b.mayRun(ctx, true)
}

// complaints returns what the browser complained of since the page was opened.
func (b *browser) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.heard)
}

// violation is a rule of accessibility that a page breaks.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		Target  []any  `json:"target"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// accessible runs the checks of axe: WCAG 2.2 up to AA, and best practice.
func (b *browser) accessible() ([]violation, error) {
	const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	if err := b.do(chromedp.Evaluate[chromedp.Void](b.axe)); err != nil {
		return nil, err
	}
	return evaluate[[]violation](b, `axe.run({runOnly: {type: "tag", values: `+rules+`}}).then(r => r.violations)`)
}

// evaluate returns what an expression comes to in the page.
func evaluate[T any](b *browser, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// show opens a page that there is.
func (b *browser) show(address string) error {
	status, err := b.open(address)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s is answered %d", address, status)
	}
	return err
}

// shot is a picture of what is seen, or of the whole page.
func (b *browser) shot(file string, whole bool) error {
	quality := int64(85)
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: &quality}
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	if whole {
		metrics, err := chromedp.Call(ctx, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		params.CaptureBeyondViewport = &whole
		params.Clip = &page.Viewport{Width: metrics.CSSContentSize.Width, Height: metrics.CSSContentSize.Height, Scale: 1}
	}
	picture, err := chromedp.Call(ctx, page.CaptureScreenshot, params)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // pictures are for everybody
		return err
	}
	return os.WriteFile(file, picture.Data, 0o644) //nolint:gosec // pictures are for everybody
}
