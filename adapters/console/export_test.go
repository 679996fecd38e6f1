package console

// Line is a line of the table of pages, as tests see it.
type Line struct {
	Path        string
	Shows, Does bool
}

// Lines are the pages.
func Lines() []Line {
	var lines []Line
	for _, r := range rooms() {
		for _, p := range r.Pages {
			lines = append(lines, Line{p.Path, p.Show != nil || p.File != nil, p.Do != nil || p.Asks})
		}
	}
	return lines
}
