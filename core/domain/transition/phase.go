package transition

import "time"

// Phase is a status that the clock gives to a record, and from when on.
type Phase struct {
	Status string
	From   time.Time
}

// Equal reports whether two phases are the same at the same moment.
func (p Phase) Equal(q Phase) bool { return p.Status == q.Status && p.From.Equal(q.From) }

// Ahead lists what the clock makes of a record, the next first. due is when it
// next does something, the zero time for never, and at the record as it is then.
func Ahead[T any](it T, due func(T) time.Time, at func(T, time.Time) T, status func(T) string) []Phase {
	var ahead []Phase
	for next := due(it); !next.IsZero(); next = due(it) {
		it = at(it, next)
		ahead = append(ahead, Phase{status(it), next.UTC()})
	}
	return ahead
}

// StatusAt returns the status at a moment of a record that has one now, and others
// ahead.
func StatusAt(status string, ahead []Phase, now time.Time) string {
	for _, p := range ahead {
		if now.Before(p.From) {
			break
		}
		status = p.Status
	}
	return status
}
