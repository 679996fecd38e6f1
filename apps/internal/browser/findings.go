package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// Views returns those in which pages are looked at: both schemes, a wide and a narrow window, with and without scripts, and enlarged.
func Views() []View {
	var all []View
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1280, 320} {
			for _, scripts := range []bool{true, false} {
				name := fmt.Sprintf("%s %d", scheme, width)
				if !scripts {
					name += " without scripts"
				}
				all = append(all, View{Name: name, Scheme: scheme, Width: width, Height: 860, Scripts: scripts})
			}
		}
	}
	return append(all, View{Name: "light 1280 at 200 %", Scheme: "light", Width: 1280, Height: 860, Zoom: 2, Scripts: true})
}

// Findings are what is wrong with pages.
type Findings struct {
	Wrong []Wrong
	// Seen is how often a page was looked at.
	Seen int
}

// Wrong is something that is wrong with a page in a view.
type Wrong struct{ What, Page, View string }

// Add adds something that is wrong.
func (f *Findings) Add(v View, address, format string, args ...any) {
	if u, err := url.Parse(address); err == nil {
		address = u.RequestURI()
	}
	f.Wrong = append(f.Wrong, Wrong{fmt.Sprintf(format, args...), address, v.Name})
}

// Look opens a page in a view and adds what is wrong with it: another status than is wanted, scrolling sideways, rules of
// accessibility, errors, and what the content security policy refuses. name is that of its picture.
func (f *Findings) Look(b *Browser, v View, address, name string, want int64) error {
	if err := b.As(v); err != nil {
		return err
	}
	status, err := b.Open(address)
	if err != nil {
		return err
	}
	f.Seen++
	if status != want {
		f.Add(v, address, "answered %d", status)
	}
	if err := f.Check(b, v, address); err != nil {
		return err
	}
	if b.shots == "" {
		return nil
	}
	return b.Shot(filepath.Join(b.shots, name+" "+v.Name+".webp"), true)
}

// Check adds what is wrong with the page that is shown: scrolling sideways, rules of accessibility, errors, and what the
// content security policy refuses.
func (f *Findings) Check(b *Browser, v View, address string) error {
	beyond, err := Evaluate[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
	if err != nil {
		return err
	}
	if beyond > 0 {
		f.Add(v, address, "scrolls sideways by %d", beyond)
	}
	broken, err := b.Accessible()
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	for _, one := range broken {
		if len(one.Nodes) > 0 {
			node := one.Nodes[0]
			f.Add(v, address, "axe %s (%s) at %d places, first %v: %s", one.ID, one.Help, len(one.Nodes), node.Target, strings.Join(strings.Fields(node.Summary), " "))
		}
	}
	for _, complaint := range b.Complaints() {
		f.Add(v, address, "%s", complaint)
	}
	return nil
}

// Print prints each thing that is wrong once, with the pages and views.
func (f *Findings) Print(out io.Writer) {
	where := map[string][]Wrong{}
	for _, w := range f.Wrong {
		where[w.What] = append(where[w.What], w)
	}
	for _, what := range slices.Sorted(maps.Keys(where)) {
		pages, seen := map[string]bool{}, map[string]bool{}
		for _, w := range where[what] {
			pages[w.Page], seen[w.View] = true, true
		}
		_, _ = fmt.Fprintf(out, "%s\n  on %s\n  in %s\n", what, some(pages), some(seen)) // a terminal takes it
	}
}

// some returns the first few names of a set.
func some(set map[string]bool) string {
	const few = 4
	names := slices.Sorted(maps.Keys(set))
	if more := len(names) - few; more > 0 {
		names = append(names[:few], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// Until waits until an expression is so in the page.
func Until(ctx context.Context, b *Browser, expression string) error {
	var failed error
	if rig.Until(ctx, 15*time.Second, 100*time.Millisecond, func() (is bool) {
		is, failed = Evaluate[bool](b, expression)
		return is
	}) {
		return nil
	}
	at, _ := Evaluate[string](b, `location.pathname + location.search + ": " + document.querySelector("main")?.innerText.slice(0, 300)`)
	return errors.Join(fmt.Errorf("it does not come to be that %s, at %s", expression, at), failed)
}
