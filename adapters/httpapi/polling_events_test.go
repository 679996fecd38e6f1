package httpapi

import (
	"testing"
	"time"
)

func TestS8_TheLedgerIsLeftAloneForAMinute(t *testing.T) {
	now := time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)
	var p poll
	if p.rest(now) > 0 {
		t.Error("nothing was read yet")
	}
	p.restFrom(now)
	if wait := p.rest(now.Add(20 * time.Second)); wait != 40*time.Second {
		t.Errorf("20 seconds later %s are left, want 40 s", wait)
	}
	if p.rest(now.Add(time.Minute)) > 0 {
		t.Error("after a minute the ledger may be read again")
	}
}
