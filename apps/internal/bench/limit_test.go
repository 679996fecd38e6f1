package main

import (
	"context"
	"errors"
	"net"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// TestMain lets this program be the client, as the bench itself does.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == clientMode {
		rig.Main("bench", nil, map[string]rig.Mode{clientMode: serveJobs})
		return
	}
	os.Exit(m.Run())
}

// silent is the address of a server that reads what it is sent and never answers.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	return listener.Addr().String()
}

func toSilence(t *testing.T) job {
	return job{
		Address: silent(t), Connections: 2, Status: 200, For: time.Minute,
		Requests: [][]byte{wireRequest("GET", "/never", "token", nil)},
	}
}

func TestAJobEndsThoughItsServerNeverAnswers(t *testing.T) {
	j := toSilence(t)
	j.Within = 50 * time.Millisecond
	beside := j
	j.Beside = &beside
	o := j.run()
	if len(o.Times) > 0 || !strings.Contains(o.Failure, "GET /never") || !strings.Contains(o.Failure, "timeout") {
		t.Errorf("it came to %+v", o)
	}
}

func TestARunEndsThoughItsServerNeverAnswers(t *testing.T) {
	b, err := newBench(t.Context(), options{Flags: rig.Flags{Only: regexp.MustCompile("")}, limit: 50 * time.Millisecond, rounds: 1, round: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	err = b.step(t.Context(), "asking", func(ctx context.Context) error {
		_, err := b.turns(ctx, toSilence(t))
		return err
	})
	if err == nil || !strings.HasPrefix(err.Error(), "asking: took longer than 50ms") {
		t.Errorf("it ended with %v", err)
	}
	_ = b.close() // its client was killed
	if _, err := os.Stat(b.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what it made is still there: %v", err)
	}
}

func TestWhatDoesNotEndIsLeftBehind(t *testing.T) {
	hanging := make(chan struct{})
	t.Cleanup(func() { close(hanging) })
	err := bounded(t.Context(), time.Millisecond, time.Millisecond, func(context.Context) error {
		<-hanging
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "took longer than 1ms, and does not end") {
		t.Errorf("it ended with %v", err)
	}
}

func TestWhatEndsInTimeSaysWhatItSaid(t *testing.T) {
	failure := errors.New("failed")
	for _, want := range []error{nil, failure} {
		if got := bounded(t.Context(), time.Minute, time.Minute, func(context.Context) error { return want }); !errors.Is(got, want) {
			t.Errorf("%v instead of %v", got, want)
		}
	}
}
