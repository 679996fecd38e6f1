package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Bounds of what a report tells of what was not understood, so that a file of
// nonsense has a short one. What was refused is named whatever it is.
const (
	maxMissed  = 500
	maxExample = 60
)

// report counts what an import did.
type report struct {
	// total is how many listings the file has, listings how many are done with.
	total, listings, pictures, unseen int
	actions                           map[transfer.ImportAction]int
	refusals                          []string
	// unread are listings of which the price, type or place could not be read.
	unread []string
	// unreadOnWeb: new ones of them are on the web.
	unreadOnWeb bool
	// damaged are the places besides the listings that cannot be read.
	damaged []string
	missed  map[missed]*examples
	// unlisted is how often something was not understood that has no place in missed.
	unlisted int
}

// missed is a kind of thing that was not understood.
type missed struct{ source, why string }

// examples is how often it came, and with what the first time.
type examples struct {
	count int
	first string
}

func newReport(total int) *report {
	return &report{total: total, actions: map[transfer.ImportAction]int{}, missed: map[missed]*examples{}}
}

// add counts what became of a listing. One that was not finished counts for what
// was stored of it, and not as a listing that is done.
func (r *report) add(done transfer.ImportedListing, finished bool) {
	if finished {
		r.listings++
	}
	if done.Action != "" {
		r.actions[done.Action]++
	}
	r.pictures += done.Pictures
	r.unseen += done.PicturesUnseen
	if done.Action == transfer.ImportRefused {
		r.refusals = append(r.refusals, describe(done))
	}
	if len(done.Unread) > 0 {
		r.unread = append(r.unread, describe(done))
	}
	for _, n := range done.NotUnderstood {
		kind := missed{n.Source, n.Why}
		switch known := r.missed[kind]; {
		case known != nil:
			known.count++
		case len(r.missed) < maxMissed:
			r.missed[kind] = &examples{1, short(n.Value)}
		default:
			r.unlisted++
		}
	}
}

// left is an error if anything of the file was left aside.
func (r *report) left() error {
	refused := r.actions[transfer.ImportRefused]
	switch {
	case len(r.damaged) > 0:
		return fmt.Errorf("%d of %d listings were refused, and the file is damaged in %d other places", refused, r.total, len(r.damaged))
	case refused > 0:
		return fmt.Errorf("%d of %d listings were refused", refused, r.total)
	}
	return nil
}

func short(value string) string {
	if runes := []rune(value); len(runes) > maxExample {
		return string(runes[:maxExample]) + "…"
	}
	return value
}

// describe returns what became of a listing on one line.
func describe(done transfer.ImportedListing) string {
	l := done.Listing
	line := fmt.Sprintf("%-9s %q", done.Action, l.Reference)
	if l.Source != "" {
		line += " (" + l.Source + ")"
	}
	if len(done.Changes) > 0 {
		line += ": " + strings.Join(done.Changes, ", ")
	}
	if done.Why != "" {
		line += ": " + done.Why
	}
	if len(done.Unread) > 0 {
		line += ": " + strings.Join(done.Unread, ", ") + " could not be read"
	}
	if done.Pictures > 0 {
		line += fmt.Sprintf(" (+%d pictures)", done.Pictures)
	}
	return line
}

// counted says how many of something there are.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// where says whether new listings that could not be read are on the web.
func (r *report) where() string {
	if r.unreadOnWeb {
		return ""
	}
	return "; new ones of them are not on the web until somebody looks at them"
}

func (r *report) print(out io.Writer, dryRun bool) {
	if dryRun {
		fmt.Fprintln(out, "\nA dry run: nothing was written.")
	}
	of := ""
	if r.listings < r.total {
		of = fmt.Sprintf("%d of ", r.listings)
	}
	withdrawn := ""
	if n := r.actions[transfer.ImportWithdrawn]; n > 0 {
		withdrawn = fmt.Sprintf("%d withdrawn, ", n)
	}
	fmt.Fprintf(out, "%s%s: %d created, %d changed, %d unchanged, %s%d refused; %s added\n",
		of, counted(r.total, "listing", "listings"), r.actions[transfer.ImportCreated], r.actions[transfer.ImportChanged], r.actions[transfer.ImportUnchanged],
		withdrawn, r.actions[transfer.ImportRefused], counted(r.pictures, "picture", "pictures"))
	if r.unseen > 0 {
		fmt.Fprintf(out, "%s, which a dry run does not look at\n", counted(r.unseen, "picture is behind a URL", "pictures are behind URLs"))
	}
	if len(r.unread) > 0 {
		fmt.Fprintf(out, "%s a price, type or place that could not be read%s\n", counted(len(r.unread), "listing has", "listings have"), r.where())
	}
	if len(r.unread) > 0 && !dryRun {
		fmt.Fprintln(out, "\nTo look at:\n  "+strings.Join(r.unread, "\n  "))
	}
	if len(r.refusals) > 0 && !dryRun {
		fmt.Fprintln(out, "\nRefused:\n  "+strings.Join(r.refusals, "\n  "))
	}
	if len(r.damaged) > 0 {
		fmt.Fprintln(out, "\nDamaged beside the listings:\n  "+strings.Join(r.damaged, "\n  "))
	}
	if len(r.missed) == 0 {
		return
	}
	fmt.Fprintln(out, "\nNot understood, and left out:")
	kinds := slices.SortedFunc(maps.Keys(r.missed), func(a, b missed) int {
		return cmp.Or(r.missed[b].count-r.missed[a].count, strings.Compare(a.source, b.source), strings.Compare(a.why, b.why))
	})
	for _, kind := range kinds {
		found := r.missed[kind]
		fmt.Fprintf(out, "  %6d × %s: %s, such as %q\n", found.count, kind.source, kind.why, found.first)
	}
	if r.unlisted > 0 {
		fmt.Fprintf(out, "  %6d × something else\n", r.unlisted)
	}
}
