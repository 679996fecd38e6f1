package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Unknown is the total of work whose end nobody knows.
const Unknown = -1

// Lines: steps is how many lines tell of work whose total is known; stride is how much of
// other work has a line of its own.
const (
	steps  = 20
	stride = 10_000
)

// Counter is told how much is done.
type Counter interface {
	Add(n int)
	End()
}

// Silent is a Counter that shows nothing.
type Silent struct{}

// Add implements Counter.
func (Silent) Add(int) {}

// End implements Counter.
func (Silent) End() {}

// Progress shows how far a long work is: a bar on a terminal, lines elsewhere. It is
// safe for concurrent use.
type Progress struct {
	mu          sync.Mutex
	out         io.Writer
	what        string
	total, done int
	bar         *progressbar.ProgressBar // nil where nothing can be drawn over
}

// between is how long a drawing stays, so that it takes no time from the work.
const between = 100 * time.Millisecond

// NewProgress begins to show work: what is done, such as "importing", and how often.
func NewProgress(out *os.File, what string, total int) *Progress {
	p := &Progress{out: out, what: what, total: total}
	if Is(out) {
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionSetDescription(what), progressbar.OptionSetPredictTime(total != Unknown), progressbar.OptionThrottle(between))
	}
	return p
}

// Add tells of more that is done.
func (p *Progress) Add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(p.done + n)
}

// Set tells how much is done.
func (p *Progress) Set(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(done)
}

// End reports that there is no more to tell, however the work went.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Clear() // a bar that cannot be drawn is no reason to stop
		p.line()
	}
}

func (p *Progress) set(done int) {
	before := p.done
	p.done = done
	each := stride
	if p.total != Unknown {
		each = max(p.total/steps, 1)
	}
	switch {
	case p.bar != nil:
		_ = p.bar.Set(done)
	case done/each == before/each && (done != p.total || before == done):
	default:
		p.line()
	}
}

func (p *Progress) line() {
	if p.total == Unknown {
		fmt.Fprintf(p.out, "%s: %d\n", p.what, p.done)
	} else {
		fmt.Fprintf(p.out, "%s: %d of %d\n", p.what, p.done, p.total)
	}
}
