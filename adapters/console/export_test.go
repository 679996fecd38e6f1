package console

import (
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Line is a line of the table of pages, as tests see it.
type Line struct {
	Path                 string
	Shows, Does, Clients bool
}

// Lines are the pages.
func Lines() []Line {
	var lines []Line
	for _, r := range rooms() {
		for _, p := range r.Pages {
			lines = append(lines, Line{p.Path, p.Show != nil || p.File != nil, p.Do != nil || p.Asks, p.Clients})
		}
	}
	return lines
}

// French returns what shows a text in French, and what is wrong: phrases of templates without French or
// that no template has, and texts that two rooms say differently.
func French() (show func(string) string, wrong []string, err error) {
	prepared, err := prepare()
	if err != nil {
		return nil, nil, err
	}
	untold, unused, err := kittest.Phrases(rooms())
	if err != nil {
		return nil, nil, err
	}
	said := map[kit.Text]kit.Text{}
	for _, r := range rooms() {
		for english, french := range r.French {
			if before := said[english]; before != "" && before != french {
				wrong = append(wrong, string(english)+": two rooms say it differently")
			}
			said[english] = french
		}
	}
	in := prepared.Languages[fault.French]
	return func(text string) string { return in.Show(kit.Text(text)) }, slices.Concat(wrong, untold, unused), nil
}
