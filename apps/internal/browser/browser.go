// Package browser drives a Chromium, and says what is wrong with the pages that it shows.
package browser

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/audits"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// find returns the Chromium that is installed.
func find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium: install it, on Debian with apt-get install chromium, or name it with -browser")
}

// View is how somebody sees pages.
type View struct {
	Name          string
	Scheme        string // light or dark
	Width, Height int
	// Zoom is how much the page is enlarged: the same window shows as much less.
	Zoom float64
	// Scripts reports whether JavaScript runs.
	Scripts bool
	// Language is the one that the browser prefers, such as fr; empty for that of the browser.
	Language string
}

// Browser is one tab of a browser.
type Browser struct {
	ctx   context.Context
	close []context.CancelFunc
	axe   string
	shots string
	// View is how pages are shown, which As changes.
	View View

	mu    sync.Mutex
	heard []string
	// address is what was opened last.
	address string
}

// pageWithin is how long a page may take.
const pageWithin = 30 * time.Second

// Options are what a check of pages can be told.
type Options struct {
	// Pictures is the folder for the pictures of the documentation; empty draws none.
	Pictures string
	// program is the Chromium, axe the script of the accessibility checks, shots a folder for a
	// picture of every page, or "".
	program, axe, shots string
}

// Parse reads the options of a check, and those that flags has already, and the file of the accessibility checks.
func Parse(flags *flag.FlagSet, args []string) (o Options, err error) {
	flags.StringVar(&o.program, "browser", "", "Chromium `PROGRAM`; by default the one that is installed")
	axe := flags.String("axe", ".cache/axe-4.14.1.min.js", "`FILE` of axe-core, which make downloads")
	flags.StringVar(&o.Pictures, "pictures", "", "`FOLDER` for the pictures of the documentation")
	flags.StringVar(&o.shots, "shots", "", "`FOLDER` for a picture of every page in every view")
	if err = flags.Parse(args); err != nil {
		return o, err
	}
	script, err := os.ReadFile(*axe)
	if err != nil {
		return o, fmt.Errorf("axe-core is missing: %w", err)
	}
	o.axe = string(script)
	if o.program == "" {
		o.program, err = find()
	}
	return o, err
}

// Start starts a browser.
func Start(ctx context.Context, o Options) (*Browser, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(o.program), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("force-color-profile", "srgb"))
	allocator, endAllocator := chromedp.NewExecAllocator(ctx, options...)
	tab, endTab := chromedp.NewContext(allocator)
	b := &Browser{ctx: tab, close: []context.CancelFunc{endTab, endAllocator}, axe: o.axe, shots: o.shots}
	err := chromedp.Listen(tab, b.listen)
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{runtime.Enable, log.Enable, audits.Enable} {
		if err == nil {
			_, err = chromedp.Call(tab, domain, cdp.Empty{})
		}
	}
	if err != nil {
		b.End()
		return nil, fmt.Errorf("starting %s: %w", o.program, err)
	}
	return b, nil
}

// End ends the browser.
func (b *Browser) End() {
	for _, end := range b.close {
		end()
	}
}

// listen notes what a page complains of. A document that is answered with an error
// is the business of who opened it.
func (b *Browser) listen(event any) {
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

// As changes how the browser shows pages from now on.
func (b *Browser) As(v View) error {
	scale := max(v.Zoom, 1)
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(float64(v.Width) / scale), Height: int64(float64(v.Height) / scale), DeviceScaleFactor: scale, Mobile: v.Width < 600,
	})
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.Scheme}},
		})
	}
	if err == nil {
		headers := network.Headers{}
		if v.Language != "" {
			headers["Accept-Language"] = v.Language
		}
		_, err = chromedp.Call(ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers})
	}
	b.View = v
	return err
}

// mayRun reports whether scripts run from now on.
func (b *Browser) mayRun(ctx context.Context, scripts bool) error {
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
	return err
}

// Do does steps.
func (b *Browser) Do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// Open loads a page and reports the status it was answered with. What the browser
// complains of from then on is heard. Scripts of the page run only if the view says
// so; those of the check run in any case, once it is loaded.
func (b *Browser) Open(url string) (status int64, err error) {
	b.mu.Lock()
	b.heard, b.address = nil, url
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	if err := b.mayRun(ctx, b.View.Scripts); err != nil {
		return 0, err
	}
	response, err := chromedp.Run(ctx, chromedp.NavigateResponse(url))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", url, err)
	}
	return response.Status, b.mayRun(ctx, true)
}

// Complaints returns what the browser complained of since the page was opened.
func (b *Browser) Complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.heard)
}

// Violation is a rule of accessibility that a page breaks.
type Violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		Target  []any  `json:"target"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// Accessible runs the checks of axe: WCAG 2.2 up to AA, and best practice.
func (b *Browser) Accessible() ([]Violation, error) {
	const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	if err := b.Do(chromedp.Evaluate[chromedp.Void](b.axe)); err != nil {
		return nil, err
	}
	return Evaluate[[]Violation](b, `axe.run({runOnly: {type: "tag", values: `+rules+`}}).then(r => r.violations)`)
}

// Evaluate returns what an expression comes to in the page.
func Evaluate[T any](b *Browser, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Show opens a page that there is.
func (b *Browser) Show(address string) error {
	status, err := b.Open(address)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s is answered %d", address, status)
	}
	return err
}

// SaveTo has files that pages hand out saved in a folder.
func (b *Browser) SaveTo(folder string) error {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	_, err := chromedp.CallBrowser(ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
	})
	return err
}

// Shot is a picture of what is seen, or of the whole page.
func (b *Browser) Shot(file string, whole bool) error {
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

// conditions are those of a network; -1 is no limit of a throughput, in bytes a second. A latency is in milliseconds.
type conditions struct {
	Offline            bool    `json:"offline"`
	Latency            float64 `json:"latency"`
	DownloadThroughput float64 `json:"downloadThroughput"`
	UploadThroughput   float64 `json:"uploadThroughput"`
}

// emulate is the command that every Chromium has; the library knows only its successor.
var emulate = cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}

// Slow has the browser run so many times slower, and receive so many bits a second after 150 ms; 0 bits are no limit.
func (b *Browser) Slow(times, bits float64) error {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	if _, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times}); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	network := conditions{DownloadThroughput: -1, UploadThroughput: -1}
	if bits > 0 {
		network = conditions{Latency: 150, DownloadThroughput: bits / 8, UploadThroughput: bits / 8}
	}
	_, err := chromedp.Call(ctx, emulate, network)
	return err
}

// SignOut forgets all cookies.
func (b *Browser) SignOut() error {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	_, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{})
	return err
}

// Forget empties the cache.
func (b *Browser) Forget() error {
	ctx, cancel := context.WithTimeout(b.ctx, pageWithin)
	defer cancel()
	_, err := chromedp.Call(ctx, network.ClearBrowserCache, cdp.Empty{})
	return err
}
