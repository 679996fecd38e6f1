package operator

import "time"

// How many times somebody may fail to sign in within a FailureWindow.
const (
	// MaxFailures is for one address, for one account from one address, and for one
	// browser that signed in before.
	MaxFailures = 10
	// MaxAccountFailures is for one account from all addresses together, but for such
	// browsers.
	MaxAccountFailures = 100
	FailureWindow      = time.Minute
)

// maxFailing bounds for how many names failures are remembered at the same time.
const maxFailing = 10_000

// Bound is how many failures of a name are too many.
type Bound struct {
	Name string
	Most int
}

// Lockout counts failures to sign in by name: that of an account, an address or a
// browser. It is not safe for concurrent use. The zero value counts none.
type Lockout struct {
	failures map[string][]time.Time
}

// Try counts an attempt as a failure, until Succeeded says otherwise: attempts that
// are made side by side all count. It returns 0 if it may be made, or else after how
// long another one may; one that may not is not counted.
func (l *Lockout) Try(now time.Time, bounds ...Bound) (wait time.Duration) {
	if l.failures == nil {
		l.failures = map[string][]time.Time{}
	}
	for _, b := range bounds {
		if known := l.recent(b.Name, now); len(known) >= b.Most {
			wait = max(wait, known[len(known)-b.Most].Add(FailureWindow).Sub(now))
		}
	}
	if wait > 0 {
		return wait
	}
	if len(l.failures)+len(bounds) > maxFailing {
		l.sweep(now)
	}
	for _, b := range bounds {
		l.failures[b.Name] = append(l.recent(b.Name, now), now)
	}
	return 0
}

// Succeeded takes back the attempt that was made at the given moment.
func (l *Lockout) Succeeded(tried time.Time, bounds ...Bound) {
	for _, b := range bounds {
		name := b.Name
		for i, at := range l.failures[name] {
			if at.Equal(tried) {
				l.failures[name] = append(l.failures[name][:i:i], l.failures[name][i+1:]...)
				break
			}
		}
	}
}

// recent returns the failures of a name that still count, and forgets the others.
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
