package alert_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

var start = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func condition(subject string) alert.Condition {
	return alert.Condition{Key: alert.Key{Cause: "webhook-suspended", Site: 1, Subject: subject}, Severity: alert.Warning}
}

// history is what happened to one condition in each minute.
type history struct {
	there, silent, told, over []bool
	standing                  []alert.Standing
}

// live draws what happens to one condition in some minutes, silences among it, and steps through it.
func live(r *rapid.T, silences bool) history {
	h := history{there: runs(r, "there")}
	var until time.Time
	untilOver := false
	for minute, there := range h.there {
		now := start.Add(time.Duration(minute) * time.Minute)
		if silences && len(h.standing) > 0 && rapid.IntRange(0, 9).Draw(r, "silence") == 0 {
			board := alert.Board{Standing: h.standing}
			end := time.Time{}
			if rapid.Bool().Draw(r, "bounded") {
				end = now.Add(time.Duration(rapid.IntRange(0, 90).Draw(r, "minutes")) * time.Minute)
			}
			if board, stands := board.Silence(condition("a").Key, end); stands {
				h.standing, until, untilOver = board.Standing, end, end.IsZero()
			}
		}
		var found []alert.Condition
		if there {
			found = append(found, condition("a"))
		}
		var tell []alert.Told
		h.standing, tell = alert.Step(h.standing, found, now)
		if len(tell) > 1 {
			r.Fatalf("%d things are told of one condition at once", len(tell))
		}
		untilOver = untilOver && there
		h.silent = append(h.silent, untilOver || now.Before(until))
		h.told = append(h.told, len(tell) == 1 && tell[0].Over.IsZero())
		h.over = append(h.over, len(tell) == 1 && !tell[0].Over.IsZero())
	}
	return h
}

// runs draws when something is there, in runs of minutes.
func runs(r *rapid.T, what string) (all []bool) {
	is := false
	for range rapid.IntRange(1, 12).Draw(r, "runs") {
		is = !is
		for range rapid.IntRange(1, 70).Draw(r, what) {
			all = append(all, is)
		}
	}
	return all
}

func TestAConditionThatLastsIsToldOnceAndIsOverOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h, last := live(r, false), false
		for i := range h.there {
			switch {
			case h.told[i] && last:
				r.Fatalf("told twice: minute %d", i)
			case h.told[i] && !h.there[i]:
				r.Fatalf("told while it is not there: minute %d", i)
			case h.over[i] && (!last || h.there[i]):
				r.Fatalf("over before it was told, twice, or while it stands: minute %d", i)
			}
			last = (last || h.told[i]) && !h.over[i]
			if !h.there[i] && last {
				r.Fatalf("nobody hears that it is over: minute %d", i)
			}
			quiet := int(alert.Quiet / time.Minute)
			if i >= quiet && !last && !slices.Contains(h.there[i-quiet:i+1], false) {
				r.Fatalf("it has lasted, and nobody was told: minute %d", i)
			}
		}
	})
}

func TestAConditionThatComesAndGoesIsNotToldAgainWithinTheQuietTime(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h, before := live(r, false), -1000
		for i, told := range h.told {
			if !told {
				continue
			}
			if time.Duration(i-before)*time.Minute < alert.Quiet {
				r.Fatalf("told at minute %d and again at %d", before, i)
			}
			before = i
		}
	})
}

func TestASilenceTellsNothingAndAfterwardsWhatStillStands(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h, told := live(r, true), false
		for i := range h.there {
			if h.silent[i] && (h.told[i] || h.over[i]) {
				r.Fatalf("told within a silence: minute %d", i)
			}
			if h.over[i] && !told {
				r.Fatalf("over before it was told: minute %d", i)
			}
			told = (told || h.told[i]) && !h.over[i]
			if i > 0 && h.silent[i-1] && !h.silent[i] && h.there[i] && h.there[i-1] && !h.told[i] {
				r.Fatalf("the silence is over, it still stands, and nobody is told: minute %d", i)
			}
		}
	})
}

func TestNothingIsKeptOfWhatIsLongOver(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := live(r, true)
		end := start.Add(time.Duration(len(h.there))*time.Minute + 2*time.Hour)
		for range 3 {
			h.standing, _ = alert.Step(h.standing, nil, end)
		}
		if len(h.standing) != 0 {
			r.Fatalf("%+v", h.standing)
		}
	})
}

func TestOthersAreLeftAlone(t *testing.T) {
	standing, tell := alert.Step(nil, []alert.Condition{condition("b"), condition("a")}, start)
	if len(standing) != 2 || len(tell) != 2 || tell[0].Subject != "a" {
		t.Fatalf("%+v, %+v", standing, tell)
	}
	standing, tell = alert.Step(standing, []alert.Condition{condition("b")}, start.Add(time.Minute))
	if len(tell) != 1 || tell[0].Subject != "a" || !tell[0].Since.Equal(start) || !tell[0].Over.Equal(start.Add(time.Minute)) || len(standing) != 2 {
		t.Errorf("%+v, %+v", standing, tell)
	}
	if _, found := (alert.Board{Standing: standing}).Silence(condition("a").Key, start); found {
		t.Error("what is over can be silenced")
	}
}

func TestAChannelGathersAsLongAsItsDigestSays(t *testing.T) {
	for digest, want := range map[alert.Digest]string{alert.AtOnce: "28 12:00", alert.Hourly: "28 13:00", alert.Daily: "29 06:00"} {
		c := alert.Channel{Digest: digest}.Awaits(start)
		if got := c.State.Due.Format("02 15:04"); got != want {
			t.Errorf("%s: due %s, want %s", digest, got, want)
		}
		if later := c.Awaits(start.Add(2 * time.Hour)); later.State != c.State {
			t.Errorf("%s: what comes later puts it off", digest)
		}
	}
	early := start.Add(-8 * time.Hour)
	if got := (alert.Channel{Digest: alert.Daily}).Awaits(early).State.Due; !got.Equal(start.Add(-6 * time.Hour)) {
		t.Errorf("a daily digest of the same day is due %s", got)
	}
}

func TestAMessageThatIsNotTakenStaysTheSameAndIsTriedMoreAndMoreSeldom(t *testing.T) {
	c, now := alert.Channel{}.Awaits(start), start
	waiting := []alert.Notice{{ID: 1}, {ID: 2}}
	var gaps []string
	for try := range 9 {
		waiting = append(waiting, alert.Notice{ID: alert.NoticeID(3 + try)})
		c = c.Begins(waiting, fmt.Sprint("message ", try), now)
		if c.State.Message != "message 0" || c.State.Upto != 3 {
			t.Fatalf("%+v", c.State)
		}
		c = c.Failed("no", now)
		gaps = append(gaps, c.State.Due.Sub(now).String())
		now = c.State.Due
	}
	if got := strings.Join(gaps, " "); got != "1m0s 2m0s 4m0s 8m0s 16m0s 32m0s 1h0m0s 1h0m0s 1h0m0s" {
		t.Error(got)
	}
	if c = c.Took(true, now); !c.State.Due.Equal(now) || c.State.Message != "" || c.State.Problem != "" {
		t.Errorf("%+v", c.State)
	}
	if c = c.Took(false, now); !c.State.Due.IsZero() {
		t.Errorf("%+v", c.State)
	}
}

func TestAChangedChannelTellsWhatWaitsAsItsDigestNowSays(t *testing.T) {
	c := alert.Channel{Digest: alert.Daily}.Awaits(start)
	if c.Digest = alert.AtOnce; !c.Changed(start).State.Due.Equal(start) {
		t.Errorf("%+v", c.Changed(start).State)
	}
	if got := (alert.Channel{Digest: alert.AtOnce}).Changed(start); !got.State.Due.IsZero() {
		t.Errorf("nothing waits, and it is due: %+v", got.State)
	}
	c = c.Begins([]alert.Notice{{ID: 1}}, "m", start)
	if got := c.Changed(start); got != c {
		t.Errorf("what is being sent is sent again: %+v", got.State)
	}
	if got := c.Failed("no", start).Changed(start).State; got.Problem != "" || !got.Due.Equal(start) || got.Message != "m" {
		t.Errorf("what was not taken waits: %+v", got)
	}
}

func TestAChannelIsToldWhatIsSevereEnough(t *testing.T) {
	for least, want := range map[alert.Severity]string{alert.Warning: "true true", alert.Critical: "false true"} {
		c := alert.Channel{Least: least}
		if got := fmt.Sprint(c.Wants(alert.Warning), " ", c.Wants(alert.Critical)); got != want {
			t.Errorf("%s: %s", least, got)
		}
	}
}

func TestAMessageSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	words, mend := fault.Verbatim("Webhook 1 is suspended"), fault.Verbatim("Resume it.")
	stands := alert.Line{Told: alert.Told{Condition: condition("1"), Since: start}, Words: words, Mend: mend, Page: "https://crm.example.org/console/webhooks/1"}
	over := stands
	over.Over = start.Add(time.Hour)
	m := alert.Message{ID: "x", Lines: []alert.Line{stands}}
	if got := m.Subject(); got != "Vitrine: Webhook 1 is suspended" {
		t.Error(got)
	}
	m.Lines = append(m.Lines, over)
	if got := m.Subject(); got != "Vitrine: 2 alerts, of which 1 are over" {
		t.Error(got)
	}
	m.Language = fault.French
	want := `Webhook 1 is suspended
Depuis : 2026-11-28 12:00 UTC
À faire : Resume it.
https://crm.example.org/console/webhooks/1

terminé : Webhook 1 is suspended
Du 2026-11-28 12:00 UTC au 2026-11-28 13:00 UTC
https://crm.example.org/console/webhooks/1
`
	if got := m.Text(); got != want {
		t.Error(got)
	}
}
