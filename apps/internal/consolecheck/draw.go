package main

import (
	"context"
	"path/filepath"
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
func draw(ctx context.Context, b *browser, box *sandbox, folder string) error {
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
		v := view{name: p.file, scheme: p.scheme, width: p.width * 2, height: p.height * 2, zoom: 2, scripts: true}
		if err := b.as(v); err != nil {
			return err
		}
		if err := b.show(p.path); err != nil {
			return err
		}
		if p.shows != "" {
			if err := until(ctx, b, p.shows); err != nil {
				return err
			}
		}
		if err := b.shot(filepath.Join(folder, p.file+".webp"), false); err != nil {
			return err
		}
	}
	return gallery(b, box, folder)
}
