package kernel_test

import (
	"context"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// follower is a port.Standby that remembers which head was asked for.
type follower struct {
	port.Store
	level bool
	asked []port.Head
}

func (f *follower) ViewAt(ctx context.Context, _ site.ID, head port.Head, fn func(port.Tx) error) bool {
	f.asked = append(f.asked, head)
	err := f.View(ctx, fn) // a standby that falls out may have run it
	return f.level && err == nil
}

// TestAStandbyIsAskedForWhatTheCallerHasSeen: and the store, when the standby cannot tell.
func TestAStandbyIsAskedForWhatTheCallerHasSeen(t *testing.T) {
	k := newKernel(t)
	standby := &follower{Store: k.Store, level: true}
	k.Standby = standby
	c := k.caller(1)
	headless := c
	headless.Site.Head = port.Head{}
	runs := 0
	count := func(kernel.Unit) error { runs++; return nil }
	for _, step := range []struct {
		caller      kernel.Caller
		level       bool
		asked, runs int
	}{
		{c, true, 1, 1},
		{c, false, 2, 3},
		{kernel.Caller{}, true, 2, 4}, // who has seen nothing, has to see everything
		{headless, true, 2, 5},
	} {
		standby.level = step.level
		if err := kernel.ViewAtHead(t.Context(), k.Kernel, step.caller, count); err != nil {
			t.Fatal(err)
		}
		if len(standby.asked) != step.asked || runs != step.runs {
			t.Errorf("level %t: the standby was asked %d times, and the view ran %d times; want %+v", step.level, len(standby.asked), runs, step)
		}
	}
	if standby.asked[0] != c.Site.Head || standby.asked[0] == (port.Head{}) {
		t.Errorf("asked for %+v, the caller has seen %+v", standby.asked[0], c.Site.Head)
	}
	if err := kernel.View(t.Context(), k.Kernel, c, count); err != nil || len(standby.asked) != 2 {
		t.Errorf("%v, asked %d times", err, len(standby.asked))
	}
}
