// Command mirrorcheck looks at every kind of page of the website of a mirror in a real browser, as people with little sight, little
// screen or no JavaScript see them, holds pages to their budgets on a slow phone, does what visitors do, and says what is
// wrong; `make mirror-check` runs it. It draws the pictures of the documentation.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func main() { rig.Main("mirror-check", run, nil) }

func run(ctx context.Context, args []string) (err error) {
	o, err := browser.Parse(flag.NewFlagSet("mirror-check", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	s, err := start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	tab, err := browser.Start(ctx, o)
	if err != nil {
		return err
	}
	defer tab.End()
	return s.check(ctx, tab, o.Pictures)
}

// stand is a sandbox, and a website of it.
type stand struct {
	folder          string
	sandbox, mirror *rig.Process
}

func start(ctx context.Context) (*stand, error) {
	folder, err := os.MkdirTemp("", "mirror-check-")
	if err != nil {
		return nil, err
	}
	s := &stand{folder: folder}
	for _, program := range []string{"vitrine", "vitrine-mirror"} {
		if err == nil {
			err = rig.BuildProgram(ctx, program, filepath.Join(folder, program))
		}
	}
	if err == nil {
		options := rig.ServerOptions(filepath.Join(folder, "vitrine.db"), filepath.Join(folder, "photos"))
		s.sandbox, err = rig.NewProcess(filepath.Join(folder, "sandbox.log"), append([]string{filepath.Join(folder, "vitrine"), "sandbox", "--log-level=warn"}, options...)...)
	}
	if err == nil {
		err = s.sandbox.Start(ctx)
	}
	if err == nil {
		s.mirror, err = s.newMirror(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.end())
	}
	return s, nil
}

// newMirror starts a mirror. Its public address is the one that it listens on.
func (s *stand) newMirror(ctx context.Context) (*rig.Process, error) {
	m, err := rig.NewProcess(filepath.Join(s.folder, "mirror.log"), filepath.Join(s.folder, "vitrine-mirror"), "serve", "--url=http://"+s.sandbox.Address,
		"--client-id=sandbox-website", "--client-secret=sandbox-website-secret", "--site=1", "--allow-http", "--database="+filepath.Join(s.folder, "mirror.db"))
	if err != nil {
		return nil, err
	}
	m.Ready = "/healthz"
	m.Add("--public-url=http://" + m.Address)
	return m, m.Start(ctx)
}

func (s *stand) end() (err error) {
	for _, p := range []*rig.Process{s.mirror, s.sandbox} {
		if p != nil {
			err = errors.Join(err, p.Stop())
		}
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

func (s *stand) url(path string) string { return "http://" + s.mirror.Address + path }

// page is one of each kind.
type page struct {
	name, path string
	status     int64
}

// pages returns one page of each kind. The listing is one of the newest that can be visited, with the most photographs.
func (s *stand) pages(b *browser.Browser) ([]page, error) {
	if _, err := b.Open(s.url("/")); err != nil {
		return nil, err
	}
	found, err := browser.Evaluate[map[string]string](b, `(async () => {
		const listings = [];
		for (const link of document.querySelectorAll("[data-listing] a")) {
			const text = await (await fetch(link.href)).text();
			listings.push([text.split("data-pswp-width").length + (text.includes("/visite") ? 100 : 0) + (text.includes("class=\"scale\"") ? 50 : 0), new URL(link.href).pathname]);
		}
		listings.sort((a, b) => b[0] - a[0]);
		return { listing: listings[0][1], agency: new URL(document.querySelector("footer [href^='/agences/']").href).pathname };
	})()`)
	if err != nil {
		return nil, err
	}
	return []page{
		{"home", "/", http.StatusOK}, {"results", "/annonces", http.StatusOK}, {"chosen", "/annonces?ville=Lyon&tri=prix", http.StatusOK}, {"none", "/annonces?ville=Nulle+part", http.StatusOK},
		{"listing", found["listing"], http.StatusOK}, {"map", "/carte", http.StatusOK}, {"agency", found["agency"], http.StatusOK},
		{"legal", "/mentions-legales", http.StatusOK}, {"privacy", "/confidentialite", http.StatusOK}, {"missing", "/annonces/rien-999999", http.StatusNotFound},
	}, nil
}

// check looks at every page in every view, measures, does what visitors do, and draws the pictures if there is a folder for them.
func (s *stand) check(ctx context.Context, b *browser.Browser, pictures string) error {
	started := time.Now()
	views := browser.Views()
	if err := b.As(views[0]); err != nil {
		return err
	}
	pages, err := s.pages(b)
	if err != nil {
		return err
	}
	found := &browser.Findings{}
	for _, v := range views {
		for _, p := range pages {
			if err := found.Look(b, v, s.url(p.path), p.name, p.status); err != nil {
				return err
			}
		}
	}
	for _, one := range visits {
		if err := b.As(views[0]); err != nil {
			return err
		}
		if err := one.do(ctx, s, b, pages); err != nil {
			found.Add(views[0], "/", "%s: %v", one.name, err)
		}
		for _, complaint := range b.Complaints() {
			found.Add(views[0], "/", "%s: %s", one.name, complaint)
		}
	}
	if err := s.measure(b, pages, found); err != nil {
		return err
	}
	if pictures != "" {
		if err := s.draw(b, pages, pictures); err != nil {
			return err
		}
	}
	found.Print(os.Stdout)
	fmt.Printf("%d pages, looked at %d times, each time with axe; %d visits; took %s\n", len(pages), found.Seen, len(visits), time.Since(started).Round(time.Second))
	if n := len(found.Wrong); n > 0 {
		return fmt.Errorf("%d things are wrong with the pages", n)
	}
	return nil
}

// draw makes the pictures of the documentation.
func (s *stand) draw(b *browser.Browser, pages []page, folder string) error {
	path := map[string]string{}
	for _, p := range pages {
		path[p.name] = p.path
	}
	for _, p := range []struct {
		file, path, scheme string
		width, height      int
	}{
		{"site-home", path["home"], "light", 1280, 1330}, {"site-listing", path["listing"], "light", 1280, 1330}, {"site-map-dark", path["map"], "dark", 1280, 860}, {"site-listing-phone", path["listing"], "light", 390, 844},
	} {
		if err := b.As(browser.View{Name: p.file, Scheme: p.scheme, Width: p.width * 2, Height: p.height * 2, Zoom: 2, Scripts: true}); err != nil {
			return err
		}
		if err := b.Show(s.url(p.path)); err != nil {
			return err
		}
		if _, err := browser.Evaluate[bool](b, `Promise.all([...document.images].map(image => { image.loading = "eager"; return image.decode().catch(() => {}); })).then(() => true)`); err != nil {
			return err
		}
		if err := b.Shot(filepath.Join(folder, p.file+".webp"), false); err != nil {
			return err
		}
	}
	return nil
}
