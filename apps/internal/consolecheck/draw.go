package main

import (
	"context"
	"path/filepath"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
)

// picture is one of the documentation.
type picture struct {
	file, path    string
	scheme        string
	width, height int
	// shows is an expression that is so when there is something to see; empty is at
	// once.
	shows string
}

// draw makes the pictures of the documentation.
func draw(ctx context.Context, b *browser.Browser, box *sandbox, folder string) error {
	request := box.url(console + "requests/" + box.refused)
	first, err := firstCall(b, box)
	if err != nil {
		return err
	}
	for _, p := range []picture{
		{"front-page", box.url("/"), "light", 1280, 860, ""},
		{"docs-operation", first, "light", 1280, 860, answered + " && (scrollTo(0, 0), true)"},
		{"console-overview", box.url(console), "light", 1280, 860, ""},
		{"console-webhook", box.webhook("picky"), "light", 1280, 860, ""},
		{"console-request-dark", request, "dark", 1280, 860, ""},
		{"console-request-phone", request, "light", 390, 844, ""},
	} {
		v := browser.View{Name: p.file, Scheme: p.scheme, Width: p.width * 2, Height: p.height * 2, Zoom: 2, Scripts: true}
		if err := b.As(v); err != nil {
			return err
		}
		if err := b.Show(p.path); err != nil {
			return err
		}
		if p.shows != "" {
			if err := browser.Until(ctx, b, p.shows); err != nil {
				return err
			}
		}
		if err := b.Shot(filepath.Join(folder, p.file+".webp"), false); err != nil {
			return err
		}
	}
	return nil
}
