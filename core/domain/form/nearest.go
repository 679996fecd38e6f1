package form

// maxCompared is how much of a name is compared, in bytes.
const maxCompared = 64

// Nearest returns the one of some names that takes the fewest letters to be put in, left out
// or exchanged to become another one, and how many those are; the first of equal ones.
func Nearest(name string, among []string) (nearest string, away int) {
	for i, other := range among {
		if d := distance(name[:min(len(name), maxCompared)], other); i == 0 || d < away {
			nearest, away = other, d
		}
	}
	return nearest, away
}

// distance returns that of Levenshtein, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			exchanged := before
			if a[i] != b[j] {
				exchanged++
			}
			before = row[j+1]
			row[j+1] = min(exchanged, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
