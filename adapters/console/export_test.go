package console

// Line is a line of the table of pages, as tests see it.
type Line struct {
	Path        string
	Shows, Does bool
}

// Lines are the pages.
func Lines() []Line {
	var lines []Line
	for _, p := range table() {
		lines = append(lines, Line{p.path, p.show != nil || p.file != nil, p.do != nil || p.asks})
	}
	return lines
}
