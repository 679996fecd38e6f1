package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
)

func TestPagesOfOneKindDifferOnlyByTheirRecord(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:1/console/":                                                 "/console/?",
		"http://127.0.0.1:1/console/webhooks/7":                                       "/console/webhooks/*?",
		"http://127.0.0.1:1/console/webhooks/7?open=12&status=failed":                 "/console/webhooks/*?open&status",
		"http://127.0.0.1:1/console/credentials/sandbox-group":                        "/console/credentials/*?",
		"http://127.0.0.1:1/console/requests/6137d4f1-2b21-401a-9246-be10cf07a826":    "/console/requests/*?",
		"http://127.0.0.1:1/console/requests/readiness":                               "/console/requests/readiness?",
		"http://127.0.0.1:1/console/requests?code=criteria_value_unrecognised&op=any": "/console/requests?code&op",
	} {
		if got := kind(address); got != want {
			t.Errorf("%s is of the kind %s, want %s", address, got, want)
		}
	}
}

func TestDownloadsAreNoPages(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.0.0.1:1/console/requests/readiness.csv":        true,
		"http://127.0.0.1:1/console/requests/readiness":            false,
		"http://127.0.0.1:1/console/requests?credential=a.b":       false,
		"http://127.0.0.1:1/console/imports/7/report.json?page=12": true,
	} {
		if isFile(address) != want {
			t.Errorf("%s: is a file is not %t", address, want)
		}
	}
}

func TestBudgetsAreHeld(t *testing.T) {
	f := findings{pages: 2, flows: 2 * len(flows()), tasks: 2 * len(tasks()), page: maxPage, assets: maxAssets, paint: maxPaint}
	if err := f.err(); err != nil {
		t.Errorf("at its budgets: %v", err)
	}
	for _, over := range []findings{
		{pages: 2, flows: 2 * len(flows()), tasks: 2 * len(tasks()), page: maxPage + 1},
		{pages: 2, flows: 2 * len(flows()), tasks: 2 * len(tasks()), assets: maxAssets + 1},
		{pages: 2, flows: 2 * len(flows()), tasks: 2 * len(tasks()), paint: maxPaint + 1},
		{pages: 2, flows: 2 * len(flows()), tasks: 2 * len(tasks()), Findings: browser.Findings{Wrong: []browser.Wrong{{What: "something"}}}},
		{pages: 1, Findings: browser.Findings{Seen: 1}, flows: 2 * len(flows()), tasks: 2 * len(tasks())},
	} {
		if over.err() == nil {
			t.Errorf("nothing is wrong with %+v", over)
		}
	}
}

func TestTheGalleryShowsEveryPage(t *testing.T) {
	pages := []shown{{path: "/", title: "Vitrine"}, {path: "/console/webhooks/*", title: "Webhook 2 · Vitrine"}}
	text := describe(pages)
	for _, want := range []string{
		"## Vitrine, `/`\n\n![Vitrine](pages/front.webp)\n", "## Webhook 2, `/console/webhooks/*`\n\n![Webhook 2](pages/console-webhooks-one.webp)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
}

// The browser compares the same figures with what it counts.
func TestTheTableOfTasksHasTheirFigures(t *testing.T) {
	page, err := os.ReadFile("../../../docs/console.md")
	if err != nil {
		t.Fatal(err)
	}
	told := regexp.MustCompile(`(?m)^\| ([^|]+) \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(string(page), -1)
	if len(told) != len(tasks()) {
		t.Fatalf("docs/console.md has %d tasks, not %d", len(told), len(tasks()))
	}
	for i, one := range tasks() {
		if row := told[i]; row[1] != one.name || row[2] != strconv.Itoa(one.clicks) || row[3] != strconv.Itoa(one.typed) {
			t.Errorf("docs/console.md says %q where %q takes %d clicks and %d fields", row[0], one.name, one.clicks, one.typed)
		}
	}
}

func TestLinksAreFollowedAtOneSite(t *testing.T) {
	for link, want := range map[string]string{
		"http://127.0.0.1:1/console/requests/a?site=1#top":    "http://127.0.0.1:1/console/requests/a",
		"http://127.0.0.1:1/console/requests?site=1&status=4": "http://127.0.0.1:1/console/requests?status=4",
		"http://127.0.0.1:1/console/requests/a?site=2":        "",
		"http://127.0.0.1:1/console/sites?site=all&sort=web":  "",
		"http://127.0.0.1:1/console/?language=fr":             "",
	} {
		if got := atSite(link); got != want {
			t.Errorf("%s is followed as %q, want %q", link, got, want)
		}
	}
}
