package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// calendarOf reads a calendar by hand: its lines as they were before they were
// folded, once they are as RFC 5545 has them.
func calendarOf(t *testing.T, text string) (unfolded []string) {
	t.Helper()
	if !strings.HasSuffix(text, "\r\n") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		t.Fatalf("the lines do not end as they should: %q", text)
	}
	var open []string
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 {
			t.Errorf("a line is too long: %q", line)
		}
		if more, folded := strings.CutPrefix(line, " "); folded {
			unfolded[len(unfolded)-1] += more
			continue
		}
		unfolded = append(unfolded, line)
	}
	for _, line := range unfolded {
		name, value, whole := strings.Cut(line, ":")
		switch {
		case !whole:
			t.Errorf("%q is no content line", line)
		case name == "BEGIN":
			open = append(open, value)
		case name == "END" && (len(open) == 0 || open[len(open)-1] != value):
			t.Errorf("%q ends what did not begin: %q", line, open)
		case name == "END":
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 || unfolded[0] != "BEGIN:VCALENDAR" {
		t.Errorf("the calendar is not closed: %q", open)
	}
	return unfolded
}

// feedOf makes a feed for user 101.
func (p planner) feedOf(detail string) answer {
	p.t.Helper()
	return p.post("/agenda/feeds/101", object{"detail": detail}).is(201)
}

func TestFeed_WhatACalendarProgramReads(t *testing.T) {
	log := new(journal)
	planning(t, func(t *testing.T, p planner) {
		home := p.home(nil)
		mine := p.event(meeting(28*time.Hour, object{
			"title": "Signature; chez Me Roy, étage 2", "description": "Ligne un\nligne deux", "location": "Lyon", "reminders": list{30}, "product_ids": list{home},
			"customer_ids": list{p.person("Secrète")},
		}))
		p.event(meeting(50*time.Hour, object{"user_ids": list{102}, "title": "À quelqu'un d'autre"}))
		gone := p.event(meeting(76*time.Hour, object{"title": "Annulé", "visibility": "PRIVE"}))
		p.patch(eventPath(gone), object{"status": "ANNULE"}).is(204)
		p.event(meeting(24*time.Hour, object{"title": "Chaque semaine", "rrule": "FREQ=WEEKLY;COUNT=4", "timezone": "Europe/Paris"}))
		made := p.feedOf("FULL")
		url, busy := made.text("data.url"), made.text("data.free_busy_url")
		if !strings.HasPrefix(url, p.w.url+"/calendars/101/") || !strings.HasSuffix(url, ".ics") || !strings.HasSuffix(busy, ".ifb") {
			t.Fatalf("%s", made)
		}

		got := p.w.plain(t, "GET", url)
		text := got.body
		tag := got.header.Get("ETag")
		if got.status != http.StatusOK || got.header.Get("Content-Type") != "text/calendar; charset=utf-8" || got.header.Get("Cache-Control") != "private, max-age=300" ||
			!strings.HasPrefix(tag, `"`) {
			t.Errorf("%d %v", got.status, got.header)
		}
		lines := calendarOf(t, text)
		for _, want := range []string{
			"VERSION:2.0", "METHOD:PUBLISH", "CALSCALE:GREGORIAN", `SUMMARY:Signature\; chez Me Roy\, étage 2`, `DESCRIPTION:Ligne un\nligne deux`, "LOCATION:Lyon", "TRIGGER:-PT30M",
			"STATUS:CANCELLED", "CLASS:PRIVATE", "SUMMARY:Annulé", "RRULE:FREQ=WEEKLY;COUNT=4", "DTSTART;TZID=Europe/Paris:20260505T100000", "BEGIN:VTIMEZONE",
			"REFRESH-INTERVAL;VALUE=DURATION:PT15M",
		} {
			if !slices.Contains(lines, want) {
				t.Errorf("the calendar has no line %q:\n%s", want, text)
			}
		}
		for _, never := range []string{"ATTENDEE", "Secrète", "quelqu'un d'autre"} {
			if strings.Contains(text, never) {
				t.Errorf("the calendar has %q:\n%s", never, text)
			}
		}

		// What was read before is not sent again, until something changes.
		for _, known := range []string{tag, `"other", ` + tag, "*"} {
			if again := p.w.plain(t, "GET", url, "If-None-Match", known); again.status != http.StatusNotModified || again.body != "" || again.header.Get("ETag") != tag {
				t.Errorf("If-None-Match: %s is %d %v", known, again.status, again.header)
			}
		}
		if head := p.w.plain(t, "HEAD", url); head.status != http.StatusOK || head.body != "" || head.header.Get("ETag") != tag || head.length != int64(len(text)) {
			t.Errorf("HEAD is %d %v", head.status, head.header)
		}
		p.patch(eventPath(mine), object{"title": "Signature"}).is(204)
		if changed := p.w.plain(t, "GET", url, "If-None-Match", tag); changed.status != http.StatusOK || changed.header.Get("ETag") == tag {
			t.Errorf("a changed calendar is %d", changed.status)
		}
		if post := p.w.plain(t, "POST", url); post.status != http.StatusMethodNotAllowed {
			t.Errorf("POST is %d", post.status)
		}
		p.feedsEnd(t, url, busy)
		if token := strings.TrimSuffix(url[strings.LastIndex(url, "/")+1:], ".ics"); log.tells(token) {
			t.Error("the token is in the log")
		}
	}, logging(log))
}

// feedsEnd tries addresses that are wrong, and ends a feed by a new one, and that.
func (p planner) feedsEnd(t *testing.T, url, busy string) {
	t.Helper()
	absent := func(address string) {
		t.Helper()
		if got := p.w.plain(t, "GET", address); got.status != http.StatusNotFound || strings.Contains(got.body, "VCALENDAR") {
			t.Errorf("%s is %d", address, got.status)
		}
	}
	absent(strings.Replace(url, "/101/", "/102/", 1))
	absent(strings.Replace(url, "/101/", "/x/", 1))
	absent(strings.TrimSuffix(url, ".ics"))
	absent(strings.TrimSuffix(url, ".ics")[:len(url)-6] + ".ics")
	absent(p.w.url + "/calendars/101/.ics")
	if got := p.w.plain(t, "GET", strings.Replace(url, "/calendars/", "/api/v2/site/calendars/", 1)); got.status == http.StatusOK {
		t.Error("there are calendars below the API")
	}
	second := p.feedOf("BUSY").text("data.url")
	absent(url)
	absent(busy)
	p.delete("/agenda/feeds/101").is(204)
	absent(second)
	p.delete("/agenda/feeds/101").refused(404, "not_found")
	p.delete("/agenda/feeds/99999").refused(404, "not_found")
	p.send("POST", "/agenda/feeds/99999", "{").refused(404, "not_found")
	p.send("POST", "/agenda/feeds/101", object{"detail": "MORE"}).is(422)
	p.site.send("POST", "/agenda/feeds/101", object{}).refused(403, "pack_missing")
}

func TestFeed_BusyTellsNothingElse(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home := p.home(object{"user_id": 101})
		p.event(meeting(28*time.Hour, object{
			"title": "Zanarititre", "description": "Zanaritexte", "location": "Zanarilieu", "meeting_url": "https://zanari.example.org", "latitude": 45.123, "longitude": 4.123,
			"reminders": list{15},
		}))
		p.event(meeting(48*time.Hour, object{"type": "CONGE", "title": "Zanariconge"}))
		p.post("/agenda/permanences", object{"agency_id": 11, "user_id": 101, "type": "TELEPHONE", "start_at": at(30 * time.Hour), "end_at": at(31 * time.Hour), "comment": "Zanariduty"}).is(201)
		p.site.post(product(home, "/booking-holds"), object{"start_at": at(24 * time.Hour)}).is(201)
		made := p.feedOf("BUSY")
		text := p.w.plain(t, "GET", made.text("data.url")).body
		if lines := calendarOf(t, text); !slices.Contains(lines, "SUMMARY:Occupé") {
			t.Errorf("nothing is busy:\n%s", text)
		}
		for _, secret := range []string{"anari", "LOCATION", "GEO", "45.123", "CATEGORIES"} {
			if strings.Contains(text, secret) {
				t.Errorf("the calendar has %q:\n%s", secret, text)
			}
		}
		got := p.w.plain(t, "GET", made.text("data.free_busy_url"))
		text = got.body
		lines := calendarOf(t, text)
		if got.header.Get("Content-Type") != "text/calendar; charset=utf-8" || !slices.Contains(lines, "BEGIN:VFREEBUSY") || strings.Contains(text, "anari") {
			t.Errorf("%v:\n%s", got.header, text)
		}
		for kind, start := range map[string]string{"FBTYPE=BUSY": "20260505T120000Z", "FBTYPE=BUSY-UNAVAILABLE": "20260506T080000Z", "FBTYPE=BUSY-TENTATIVE": "20260505T080000Z"} {
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.HasPrefix(line, "FREEBUSY;"+kind+":") && strings.Contains(line, start)
			}) {
				t.Errorf("there is no %s at %s:\n%s", kind, start, text)
			}
		}
		if again := p.w.plain(t, "GET", made.text("data.free_busy_url"), "If-None-Match", got.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("asked again it is %d", again.status)
		}
	})
}
