// Package alert has what operators are told without looking: conditions that want somebody's
// attention, how long they stand, what channels were told of them, and the channels. It
// performs no I/O and reads no clock.
package alert

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Cause is what a condition comes from.
type Cause string

// Severity says how soon somebody should look.
type Severity string

// The severities.
const (
	Warning  Severity = "warning"
	Critical Severity = "critical"
)

// Severities lists the severities, the least first.
func Severities() []Severity { return []Severity{Warning, Critical} }

// Compare orders severities, the least first.
func (s Severity) Compare(other Severity) int {
	return cmp.Compare(slices.Index(Severities(), s), slices.Index(Severities(), other))
}

// Key identifies a condition: what is wrong with whom.
type Key struct {
	Cause Cause
	// Site is 0 where the condition is about no single site.
	Site site.ID
	// Subject is who it is about among those of the cause at the site, such as the id of a webhook.
	Subject string
}

// Compare orders keys by site, cause and subject.
func (k Key) Compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Site, other.Site), strings.Compare(string(k.Cause), string(other.Cause)), strings.Compare(k.Subject, other.Subject))
}

// Condition is something that is wrong now.
type Condition struct {
	Key
	Severity Severity
	// Args are what the words of the cause are filled with.
	Args []string
}

// Quiet is how long nothing is told of a condition again after it was told, whatever it does.
const Quiet = 30 * time.Minute

// Standing is a condition that stands, or that channels have yet to hear more of.
type Standing struct {
	Condition
	// Since is when it was found.
	Since time.Time
	// Over is when it was found no more; zero while it stands.
	Over time.Time
	// Told reports that channels were told that it stands, and not yet that it is over.
	Told bool
	// LastTold is when they were last told that it stands.
	LastTold time.Time
	// SilentUntil is until when nothing is told of it; SilentUntilOver is as long as it stands.
	SilentUntil     time.Time
	SilentUntilOver bool
}

// Stands reports whether the condition was there when it was last looked for.
func (s Standing) Stands() bool { return s.Over.IsZero() }

// Silent reports whether nothing is told of the condition now.
func (s Standing) Silent(now time.Time) bool {
	return s.SilentUntilOver || now.Before(s.SilentUntil)
}

// Told is one thing to tell: that a condition stands, or is over.
type Told struct {
	Condition
	// Since is when it was found, Over when it was found no more; zero while it stands.
	Since, Over time.Time
}

// Step returns what stands after a look that found some conditions, by key, and what is to be told:
// of each condition once that it stands, and once that it is over if it was told before. One that comes
// back within Quiet is told again only if it still stands then. Of a silent one nothing is told; when
// the silence ends before the condition, it is told that it still stands.
func Step(standing []Standing, found []Condition, now time.Time) (next []Standing, tell []Told) {
	byKey := map[Key]Standing{}
	for _, s := range standing {
		byKey[s.Key] = s
	}
	there := map[Key]bool{}
	for _, c := range found {
		s, known := byKey[c.Key]
		if !known || !s.Stands() {
			s.Since, s.Over = now, time.Time{}
		}
		s.Condition, there[c.Key] = c, true
		byKey[c.Key] = s
	}
	for key, s := range byKey {
		s, words := s.step(there[key], now)
		if words {
			tell = append(tell, Told{s.Condition, s.Since, s.Over})
		}
		if s.Stands() || s.Told || s.Silent(now) || now.Sub(s.LastTold) < Quiet {
			next = append(next, s)
		}
	}
	slices.SortFunc(next, func(a, b Standing) int { return a.Compare(b.Key) })
	slices.SortFunc(tell, func(a, b Told) int { return a.Compare(b.Key) })
	return next, tell
}

// step returns the condition after a look, and whether to tell of it.
func (s Standing) step(stands bool, now time.Time) (Standing, bool) {
	if !stands {
		if s.Stands() {
			s.Over = now
		}
		s.SilentUntilOver = false
	}
	if s.Silent(now) {
		return s, false
	}
	if !s.SilentUntil.IsZero() {
		s.SilentUntil = time.Time{}
		if stands {
			s.Told, s.LastTold = false, time.Time{}
		}
	}
	switch {
	case stands && !s.Told && now.Sub(s.LastTold) >= Quiet:
		s.Told, s.LastTold = true, now
		return s, true
	case !stands && s.Told:
		s.Told = false
		return s, true
	}
	return s, false
}

// Board is what stands in an installation.
type Board struct {
	ID BoardID
	// Due is when conditions are looked for next.
	Due      time.Time
	Standing []Standing
	Backup   Backup
	// Last is the last number that was given to a channel or a notice.
	Last int64
}

// Backup is what is known of the backups of an installation.
type Backup struct {
	// Last is when one was made last; zero where none ever was.
	Last time.Time
	// Problem is why the one that was tried last failed; empty where it did not.
	Problem string
}

// Number gives the next number to a channel or a notice.
func (b *Board) Number() int64 {
	b.Last++
	return b.Last
}

// BoardID identifies a board; there is one.
type BoardID int64

// TheBoard is the id of the board of an installation.
const TheBoard BoardID = 1

// Silence returns the board with a silence about a condition: until a moment, or where that is zero
// until it is over. It is false where no such condition stands. A moment that is past ends a silence.
func (b Board) Silence(k Key, until time.Time) (Board, bool) {
	i := slices.IndexFunc(b.Standing, func(s Standing) bool { return s.Key == k && s.Stands() })
	if i < 0 {
		return b, false
	}
	b.Standing = slices.Clone(b.Standing)
	b.Standing[i].SilentUntil, b.Standing[i].SilentUntilOver = until, until.IsZero()
	return b, true
}
