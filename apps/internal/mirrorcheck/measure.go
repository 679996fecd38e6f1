package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"text/tabwriter"

	"github.com/klauspost/compress/gzip"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
)

// budgets are what a page may weigh in bytes, compressed, and what it may take on a phone of 2020.
var budgets = []struct {
	name, page string
	most       float64
	unit       string
	is         func(*stand, *browser.Browser, string) (float64, error)
}{
	{"results", "results", 14 << 10, "bytes", (*stand).weight},
	{"listing", "listing", 18 << 10, "bytes", (*stand).weight},
	{"style", "home", 8 << 10, "bytes", (*stand).styles},
	{"own scripts", "map", 6 << 10, "bytes", (*stand).scripts},
	{"largest paint of the front page", "home", 2000, "ms", paint},
	{"largest paint of results", "results", 2000, "ms", paint},
	{"largest paint of a listing", "listing", 2000, "ms", paint},
	{"shift of the front page", "home", 0.02, "", shift},
	{"shift of results", "results", 0.02, "", shift},
	{"shift of a listing", "listing", 0.02, "", shift},
	{"blocking of a listing", "listing", 100, "ms", blocking},
	{"blocking of the map", "map", 100, "ms", blocking},
}

// measure holds the pages to their budgets, and prints the figures.
func (s *stand) measure(b *browser.Browser, pages []page, found *browser.Findings) error {
	phone := browser.View{Name: "a phone of 2020", Scheme: "light", Width: 412, Height: 823, Scripts: true}
	if err := b.As(phone); err != nil {
		return err
	}
	if err := b.Slow(slowDown, 1_600_000); err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, one := range budgets {
		is := math.Inf(1)
		for range attempts {
			now, err := one.is(s, b, pathOf(pages, one.page))
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			is = min(is, now)
		}
		_, _ = fmt.Fprintf(out, "%s\t%.4g %s\tat most %.4g\n", one.name, is, one.unit, one.most) // Flush tells of errors
		if is > one.most {
			found.Add(phone, pathOf(pages, one.page), "%s: %.4g %s, at most %.4g", one.name, is, one.unit, one.most)
		}
	}
	if err := b.Slow(1, 0); err != nil {
		return err
	}
	return out.Flush()
}

// attempts are how often each figure is taken; what else a machine does only ever adds to it, so the least counts.
const attempts = 5

// slowDown is how much slower a phone of 2020 is than this machine.
const slowDown = 4

// read returns what an address answers.
func (s *stand) read(path string) ([]byte, error) {
	answer, err := http.Get(s.url(path))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

// compressed returns how many bytes some texts are on the wire.
func compressed(texts ...[]byte) (total float64, err error) {
	for _, text := range texts {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err = w.Write(text); err == nil {
			err = w.Close()
		}
		if err != nil {
			return 0, err
		}
		total += float64(out.Len())
	}
	return total, nil
}

func (s *stand) weight(_ *browser.Browser, path string) (float64, error) {
	text, err := s.read(path)
	if err != nil {
		return 0, err
	}
	return compressed(text)
}

func (s *stand) styles(_ *browser.Browser, _ string) (float64, error) {
	return s.weight(nil, "/assets/-/style.css")
}

func (s *stand) scripts(_ *browser.Browser, _ string) (float64, error) {
	var texts [][]byte
	for _, name := range []string{"gallery.js", "map.js"} {
		text, err := s.read("/assets/-/" + name)
		if err != nil {
			return 0, err
		}
		texts = append(texts, text)
	}
	return compressed(texts...)
}

// observed opens a page anew and returns a figure of what the browser observed of it.
func observed(s *stand, b *browser.Browser, path, kind, figure string) (float64, error) {
	if err := b.Forget(); err != nil {
		return 0, err
	}
	if _, err := b.Open(s.url(path)); err != nil {
		return 0, err
	}
	return browser.Evaluate[float64](b, fmt.Sprintf(`new Promise(answer => {
		const all = [];
		new PerformanceObserver(list => all.push(...list.getEntries())).observe({ type: %q, buffered: true });
		setTimeout(() => answer((%s)(all)), 1000);
	})`, kind, figure))
}

func paint(s *stand, b *browser.Browser, path string) (float64, error) {
	return observed(s, b, path, "largest-contentful-paint", `all => all.at(-1)?.startTime ?? 1e9`)
}

func shift(s *stand, b *browser.Browser, path string) (float64, error) {
	return observed(s, b, path, "layout-shift", `all => all.filter(e => !e.hadRecentInput).reduce((sum, e) => sum + e.value, 0)`)
}

func blocking(s *stand, b *browser.Browser, path string) (float64, error) {
	return observed(s, b, path, "longtask", `all => all.reduce((sum, e) => sum + Math.max(0, e.duration - 50), 0)`)
}
