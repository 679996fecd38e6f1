package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// release is one release of the contract, in the categories of Keep a
// Changelog.
type release struct {
	Version    string   `json:"version"`
	Date       string   `json:"date"`
	Added      []string `json:"added"`
	Changed    []string `json:"changed"`
	Deprecated []string `json:"deprecated"`
	Removed    []string `json:"removed"`
	Fixed      []string `json:"fixed"`
	Security   []string `json:"security"`
}

// releases returns those of the contract, the latest first.
func releases() []release {
	none := []string{}
	return []release{
		{
			Version: "1.1.0", Date: "2026-09-16",
			Added: []string{
				"Richer customer profiles: phone numbers, mandates, client-area access, color, notary, related contacts.",
				"More search request detail: criteria, key points, search areas.",
				"Customer addresses and phone numbers can be written in the structure in which they are returned.",
			},
			Changed:    []string{"Request and response keys are snake_case everywhere."},
			Deprecated: []string{"camelCase keys: they are still accepted; the snake_case key wins when both are sent."},
			Removed:    none, Fixed: none, Security: none,
		},
		{
			Version: "1.0.0", Date: "2026-06-17",
			Added: []string{
				"First public release: REST, OAuth 2.0, endpoints for Products, Customers, Leads, Transactions, Users, " +
					"Agencies, Configs, Calendar, webhooks, discovery.",
			},
			Changed: none, Deprecated: none, Removed: none, Fixed: none, Security: none,
		},
	}
}

// changelogJSON and changelogMarkdown are the two forms of the changelog.
func changelogJSON() []byte {
	var out bytes.Buffer
	_ = appendJSON(&out, map[string]any{"data": releases()})
	return out.Bytes()
}

func changelogMarkdown() []byte {
	var out strings.Builder
	out.WriteString("# Changelog of the contract\n")
	for _, r := range releases() {
		fmt.Fprintf(&out, "\n## [%s] - %s\n", r.Version, r.Date)
		for _, category := range []struct {
			name  string
			lines []string
		}{
			{"Added", r.Added},
			{"Changed", r.Changed},
			{"Deprecated", r.Deprecated},
			{"Removed", r.Removed},
			{"Fixed", r.Fixed},
			{"Security", r.Security},
		} {
			if len(category.lines) > 0 {
				fmt.Fprintf(&out, "\n### %s\n\n- %s\n", category.name, strings.Join(category.lines, "\n- "))
			}
		}
	}
	return []byte(out.String())
}

// serveChangelog shows the changelog, as Markdown to those who ask for it.
func serveChangelog() http.Handler {
	json, markdown := changelogJSON(), changelogMarkdown()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept")
		if format := r.URL.Query().Get("format"); format == "md" || format == "" && strings.Contains(r.Header.Get("Accept"), "text/markdown") {
			w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
			_, _ = w.Write(markdown)
			return
		}
		send(w, http.StatusOK, json)
	})
}
