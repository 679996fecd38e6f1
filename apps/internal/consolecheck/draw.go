package main

import (
	"fmt"
	"path/filepath"
)

// picture is one of the documentation.
type picture struct {
	file, path    string
	scheme        string
	width, height int
}

// draw makes the pictures of the documentation.
func draw(b *browser, box *sandbox, folder string) error {
	request := "requests/" + box.refused
	for _, p := range []picture{
		{"console-overview", "", "light", 1280, 860},
		{"console-webhook", "webhooks/2", "light", 1280, 860},
		{"console-request-dark", request, "dark", 1280, 860},
		{"console-request-phone", request, "light", 390, 844},
	} {
		v := view{name: p.file, scheme: p.scheme, width: p.width * 2, height: p.height * 2, zoom: 2, scripts: true}
		if err := b.as(v); err != nil {
			return err
		}
		status, err := b.open(box.url(console + p.path))
		if err != nil {
			return err
		}
		if status != 200 {
			return fmt.Errorf("%s is answered %d", p.path, status)
		}
		if err := b.shot(filepath.Join(folder, p.file+".webp"), false); err != nil {
			return err
		}
	}
	return nil
}
