package copy_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/copy"
)

func visitors(t *testing.T, path, key string) *copy.Visitors {
	t.Helper()
	v, err := open(t, path).Visitors([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const key, otherKey = "0123456789abcdef", "fedcba9876543210"

func TestLeadsStayUntilAccepted(t *testing.T) {
	ctx, path, at := t.Context(), filepath.Join(t.TempDir(), "copy.db"), time.Now().UTC().Truncate(time.Microsecond)
	v := visitors(t, path, key)
	for n, want := range []bool{true, false} {
		if is, err := v.KeepLead(ctx, "one", []byte("Jeanne Caron"), at); is != want || err != nil {
			t.Errorf("%d: new %v, %v", n, is, err)
		}
	}
	if err := v.PostponeLead(ctx, "one", 2, at.Add(time.Minute), "503"); err != nil {
		t.Fatal(err)
	}
	// Another version of the program empties the copy, and not what visitors entered.
	execute(t, path, "PRAGMA user_version = 99")
	v = visitors(t, path, key)
	leads, err := v.Leads(ctx, 9)
	if err != nil || len(leads) != 1 || string(leads[0].Body) != "Jeanne Caron" || leads[0].Tries != 2 || !leads[0].Due.Equal(at.Add(time.Minute)) {
		t.Errorf("%+v, %v", leads, err)
	}
	if err := v.AcceptLead(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	if leads, err := v.Leads(ctx, 9); err != nil || len(leads) != 0 {
		t.Errorf("accepted, and still there: %+v, %v", leads, err)
	}
	if is, err := v.KeepLead(ctx, "one", []byte("Jeanne Caron"), at); is || err != nil {
		t.Errorf("what was accepted is new again: %v", err)
	}
	for name, end := range map[string]string{"file": "", "log": "-wal"} {
		if text, err := os.ReadFile(path + end); err != nil || bytes.Contains(text, []byte("Jeanne")) {
			t.Errorf("the %s has a name in it, %v", name, err)
		}
	}
}

func TestLeadsThatAreNotTakenAreSeenForAWeek(t *testing.T) {
	ctx, path, at := t.Context(), filepath.Join(t.TempDir(), "copy.db"), time.Now().UTC()
	v := visitors(t, path, key)
	for id, since := range map[string]time.Time{"refused": at, "waiting": at.Add(-time.Hour), "old": at.Add(-8 * 24 * time.Hour)} {
		if _, err := v.KeepLead(ctx, id, []byte("x"), since); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.RefuseLead(ctx, "refused", "422"); err != nil {
		t.Fatal(err)
	}
	if lost, err := v.Forget(ctx, at); lost != 1 || err != nil {
		t.Errorf("%d lost, %v", lost, err)
	}
	if n, oldest, problems, err := v.Waiting(ctx); n != 2 || at.Sub(oldest).Round(time.Second) != time.Hour || problems["422"] != 1 || len(problems) != 1 || err != nil {
		t.Errorf("%d since %v, %v, %v", n, oldest, problems, err)
	}
	if leads, err := v.Leads(ctx, 9); len(leads) != 1 || leads[0].ID != "waiting" || err != nil {
		t.Errorf("%+v, %v", leads, err)
	}
	// What is sealed under another key is not lost, and not read.
	if leads, err := visitors(t, path, otherKey).Leads(ctx, 9); len(leads) != 1 || leads[0].Body != nil || err != nil {
		t.Errorf("%+v, %v", leads, err)
	}
	if err := v.DropLead(ctx, "waiting"); err != nil {
		t.Fatal(err)
	}
	if leads, err := v.Leads(ctx, 9); len(leads) != 0 || err != nil {
		t.Errorf("%+v, %v", leads, err)
	}
}

func TestBookingsAreForgottenAfterTheirTime(t *testing.T) {
	ctx, at := t.Context(), time.Now()
	v := visitors(t, filepath.Join(t.TempDir(), "copy.db"), key)
	for _, body := range []string{"token", "cancelled"} {
		if err := v.KeepBooking(ctx, "one", []byte(body), at); err != nil {
			t.Fatal(err)
		}
		if got, err := v.Booking(ctx, "one"); string(got) != body || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := v.Forget(ctx, at.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if got, err := v.Booking(ctx, "one"); got != nil || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAKeyHasALength(t *testing.T) {
	if _, err := open(t, filepath.Join(t.TempDir(), "copy.db")).Visitors([]byte("short")); err == nil {
		t.Error("a key of five bytes is taken")
	}
}
