package wire

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// failing is a listener whose connections fail.
type failing struct {
	net.Listener
	err error
}

func (f failing) Accept() (net.Conn, error) { return nil, f.err }
func (failing) Addr() net.Addr              { return &net.TCPAddr{Port: 8080} }

// That no connection can be taken is told at once, and not at every try.
func TestHavingNoFilesLeftIsTold(t *testing.T) {
	for err, want := range map[error]int{
		fmt.Errorf("accept: %w", syscall.EMFILE): 1, fmt.Errorf("accept: %w", syscall.ENFILE): 1, net.ErrClosed: 0, errors.New("else"): 0,
	} {
		var log bytes.Buffer
		l := outOfFiles{failing{err: err}, slog.New(slog.NewTextHandler(&log, nil)), new(atomic.Int64)}
		for range 1000 {
			if _, got := l.Accept(); !errors.Is(got, err) {
				t.Fatal(got)
			}
		}
		if got := strings.Count(log.String(), "level=ERROR"); got != want && got != want+1 { // a minute may pass meanwhile
			t.Errorf("%v is told %d times:\n%s", err, got, log.String())
		}
	}
}
