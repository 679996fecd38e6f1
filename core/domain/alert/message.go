package alert

import (
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Line is one notice in words.
type Line struct {
	Told
	// Words say what is wrong, Mend what to do about it.
	Words, Mend fault.Text
	// Page is where the console shows it; empty where it is not known.
	Page string
}

// Message is what a channel is sent at once.
type Message struct {
	// ID is the same whenever the message is sent.
	ID       string
	Language fault.Language
	// Test reports that nothing is wrong: somebody tries the channel.
	Test  bool
	Lines []Line
}

// Subject returns the message in a few words.
func (m Message) Subject() string {
	return fault.Textf("Vitrine: %s", m.headline()).In(m.Language)
}

func (m Message) headline() fault.Text {
	if m.Test {
		return fault.Textf("a test of this channel")
	}
	if len(m.Lines) == 1 {
		return m.Lines[0].headline()
	}
	over := 0
	for _, l := range m.Lines {
		if !l.Over.IsZero() {
			over++
		}
	}
	return fault.Textf("%d alerts, of which %d are over", len(m.Lines), over)
}

func (l Line) headline() fault.Text {
	if l.Over.IsZero() {
		return l.Words
	}
	return fault.Textf("over: %s", l.Words)
}

// Text returns the message as plain text.
func (m Message) Text() string {
	var text strings.Builder
	say := func(t fault.Text) { text.WriteString(t.In(m.Language) + "\n") }
	if m.Test {
		say(fault.Textf("Somebody tries whether alerts reach you here. There is nothing to do."))
	}
	for i, l := range m.Lines {
		if i > 0 {
			text.WriteString("\n")
		}
		say(l.headline())
		if l.Over.IsZero() {
			say(fault.Textf("Since: %s", Moment(l.Since)))
			say(fault.Textf("What to do: %s", l.Mend))
		} else {
			say(fault.Textf("From %s until %s", Moment(l.Since), Moment(l.Over)))
		}
		if l.Page != "" {
			text.WriteString(l.Page + "\n")
		}
	}
	return text.String()
}

// Moment returns a moment as people read it.
func Moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
