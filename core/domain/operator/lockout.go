package operator

import "time"

// MaxFailures is how many times somebody may fail to sign in within a
// FailureWindow, for one account and from one address.
const (
	MaxFailures   = 10
	FailureWindow = time.Minute
)

// maxFailing bounds for how many names failures are remembered at the same time.
const maxFailing = 10_000

// Lockout counts failures to sign in by name: that of an account, or an address. It
// is not safe for concurrent use. The zero value counts none.
type Lockout struct {
	failures map[string][]time.Time
}

// Try counts an attempt as a failure, until Succeeded says otherwise: attempts that
// are made side by side all count. It reports whether it may be made at all; one
// that may not is not counted.
func (l *Lockout) Try(now time.Time, names ...string) bool {
	if l.failures == nil {
		l.failures = map[string][]time.Time{}
	}
	for _, name := range names {
		if len(l.recent(name, now)) >= MaxFailures {
			return false
		}
	}
	if len(l.failures)+len(names) > maxFailing {
		l.sweep(now)
	}
	for _, name := range names {
		l.failures[name] = append(l.recent(name, now), now)
	}
	return true
}

// Succeeded takes back the attempt that was made at the given moment.
func (l *Lockout) Succeeded(tried time.Time, names ...string) {
	for _, name := range names {
		for i, at := range l.failures[name] {
			if at.Equal(tried) {
				l.failures[name] = append(l.failures[name][:i:i], l.failures[name][i+1:]...)
				break
			}
		}
	}
}

// recent are the failures of a name that still count, and forgets the others.
func (l *Lockout) recent(name string, now time.Time) []time.Time {
	known := l.failures[name]
	for len(known) > 0 && !now.Before(known[0].Add(FailureWindow)) {
		known = known[1:]
	}
	if len(known) == 0 {
		delete(l.failures, name)
		return nil
	}
	l.failures[name] = known
	return known
}

// sweep forgets what does not count any more, and everything if that is not enough.
func (l *Lockout) sweep(now time.Time) {
	for name := range l.failures {
		l.recent(name, now)
	}
	if len(l.failures) >= maxFailing {
		clear(l.failures)
	}
}
