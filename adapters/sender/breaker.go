package sender

import (
	"errors"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

var (
	errFailed  = errors.New("failed")
	errIgnored = errors.New("says nothing")
)

// circuit is a breaker that can also say when to try again.
type circuit struct {
	*gobreaker.TwoStepCircuitBreaker[struct{}]
	open time.Duration

	mu    sync.Mutex
	until time.Time
	// opened is closed, and replaced, whenever it opens.
	opened chan struct{}
}

// newCircuit opens for a while when trip says so; then one request at a time
// may try.
func newCircuit(open time.Duration, trip func(gobreaker.Counts) bool, closed func()) *circuit {
	c := &circuit{open: open, opened: make(chan struct{})}
	c.TwoStepCircuitBreaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests: 1,
		Timeout:     open,
		ReadyToTrip: trip,
		IsExcluded:  func(err error) bool { return errors.Is(err, errIgnored) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			switch to {
			case gobreaker.StateOpen:
				c.mu.Lock()
				c.until = time.Now().Add(open)
				close(c.opened)
				c.opened = make(chan struct{})
				c.mu.Unlock()
			case gobreaker.StateClosed:
				closed()
			case gobreaker.StateHalfOpen:
			}
		},
	})
	return c
}

// maxProbe is how long to wait, at most, for the one request that may try.
const maxProbe = time.Second

// wait returns how long to hold requests back.
func (c *circuit) wait() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	// The breaker lets a request through only after that moment.
	if left := time.Until(c.until) + time.Millisecond; left > 0 {
		return left
	}
	return min(maxProbe, c.open)
}

// opens is closed when it opens next.
func (c *circuit) opens() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened
}

// isOpen reports whether requests are held back.
func (c *circuit) isOpen() bool { return c.State() != gobreaker.StateClosed }
