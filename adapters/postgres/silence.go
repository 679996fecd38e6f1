package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// silence is what the connections of a pool know together about their server: that it takes
// what is sent, and answers nothing. Without it everybody who waits for a connection would
// find out anew, one after the other, and wait far longer than for one answer.
type silence struct {
	// try makes a connection and ends it.
	try func(context.Context) error

	mu             sync.Mutex
	trying, silent bool
}

// errSilent is what nobody waits for any more.
var errSilent = fmt.Errorf("%w: it does not answer", errUnreachable)

// suspect has the server tried in the background, because an answer is overdue.
func (s *silence) suspect() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tryNow()
}

// isSuspected reports whether the server is silent, or may be.
func (s *silence) isSuspected() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trying || s.silent
}

// check fails while the server is silent. Then it is also tried again.
func (s *silence) check() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.silent {
		return nil
	}
	s.tryNow()
	return errSilent
}

// tryNow tries the server unless that is under way, holding the lock.
func (s *silence) tryNow() {
	if s.trying {
		return
	}
	s.trying = true
	go func() {
		err := s.try(context.Background())
		s.mu.Lock()
		defer s.mu.Unlock()
		var network net.Error
		s.trying, s.silent = false, errors.As(err, &network) && network.Timeout()
	}()
}
