package postgres_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// way is between a store and its server. It can swallow what either side sends, as a
// network does that is cut somewhere in the middle.
type way struct {
	listener net.Listener
	target   atomic.Pointer[string]
	silent   atomic.Bool
	// loses is the answer that does not arrive.
	loses atomic.Pointer[loss]
	made  atomic.Int64 // connections
	// known are connections that were there before, on which it is counted what is asked.
	known, saidBefore atomic.Int64
	mu                sync.Mutex
	open              []net.Conn
}

// loss is of the first connection on which a text is said: nothing that comes back arrives
// any more but what comes instead, and then it is closed.
type loss struct {
	text    string
	instead []byte
}

// through puts a way before the server at a URL.
func through(t *testing.T, databaseURL string) (*way, string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &way{listener: listener}
	w.target.Store(&u.Host)
	t.Cleanup(func() {
		_ = listener.Close()
		w.cut()
	})
	go w.serve()
	there := *u
	there.Host = listener.Addr().String()
	return w, there.String()
}

// cut ends the connections there are.
func (w *way) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		_ = c.Close()
	}
	w.open = nil
}

// turn leads connections elsewhere: those there are, too, if they are cut.
func (w *way) turn(host string) { w.target.Store(&host) }

func (w *way) serve() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		number := w.made.Add(1)
		far, err := new(net.Dialer).DialContext(context.Background(), "tcp", *w.target.Load())
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		w.open = append(w.open, near, far)
		w.mu.Unlock()
		lost := new(atomic.Pointer[loss])
		go w.carry(near, far, func(said []byte) bool {
			if number <= w.known.Load() && said[0] != 'X' { // which says goodbye
				w.saidBefore.Add(1)
			}
			if loses := w.loses.Load(); loses != nil && bytes.Contains(said, []byte(loses.text)) && w.loses.CompareAndSwap(loses, nil) {
				lost.Store(loses)
			}
			return true
		})
		go w.carry(far, near, func([]byte) bool {
			loses := lost.Load()
			if loses != nil {
				_, _ = near.Write(loses.instead)
			}
			return loses == nil
		})
	}
}

// carry carries what one side says as long as it arrives.
func (w *way) carry(from, to net.Conn, arrives func(said []byte) bool) {
	defer from.Close()
	defer to.Close()
	for buffer := make([]byte, 1<<14); ; {
		n, err := from.Read(buffer)
		if n > 0 && !arrives(buffer[:n]) {
			return
		}
		if n > 0 && !w.silent.Load() {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// TestNobodyWaitsForASilentServer: packets are taken and nothing comes back. Everybody
// learns so in time, and everything works as soon as it does again.
func TestNobodyWaitsForASilentServer(t *testing.T) {
	t.Parallel()
	way, through := through(t, pgtest.URL(t))
	const patience = time.Second
	s := openURL(t, through, postgres.Patience(patience))
	put := func(id site.ID) error {
		return s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) })
	}
	if err := put(1); err != nil {
		t.Fatal(err)
	}
	way.silent.Store(true)
	for name, do := range map[string]func() error{
		"Head": func() error { _, err := s.Head(t.Context(), 1); return err },
		"View": func() error {
			return s.View(t.Context(), func(tx port.Tx) error { _, err := tx.Sites().Get(1); return err })
		},
		"Update":   func() error { return put(2) },
		"Writable": func() error { return s.Writable(t.Context()) },
	} {
		if err := do(); !errors.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v, want fault.Unavailable", name, err)
		}
	}
	way.silent.Store(false)
	until(t, "a write once it answers again", func() bool { return put(2) == nil })
	if _, err := s.Head(t.Context(), 2); err != nil {
		t.Error(err)
	}
}

// TestAWriteWhoseAnswerIsLostIsNotDoneAgain: a server that stored something and was cut off
// before it could say so, or said what the driver does not understand, is not asked to store
// it again, and nobody is told that it did not.
func TestAWriteWhoseAnswerIsLostIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	t.Run("cut off", func(t *testing.T) { t.Parallel(); loseAnAnswer(t, nil) })
	t.Run("not understood", func(t *testing.T) { t.Parallel(); loseAnAnswer(t, []byte{'x', 0, 0, 0, 4}) })
}

// loseAnAnswer has something else arrive instead of the answer to a write.
func loseAnAnswer(t *testing.T, instead []byte) {
	way, through := through(t, pgtest.URL(t))
	s := openURL(t, through, postgres.Connections(2))
	if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: 1}) }); err != nil {
		t.Fatal(err)
	}
	runs := 0
	write := func(reference string) error {
		return s.Update(t.Context(), func(tx port.Tx) error {
			runs++
			ids, err := tx.NextIDs(port.ProductIDs, 1)
			if err != nil {
				return err
			}
			e, err := tx.Ledger().Append(1, time.Unix(1, 0), []event.Event{{Type: event.ProductCreate, Resource: ids[0], Agency: 1}})
			if err != nil {
				return err
			}
			return tx.Products().Add(product.Product{ID: product.ID(ids[0]), Site: 1, Agency: 1, Reference: fmt.Sprint(reference, " ", runs), Version: e.Seq, Added: e.At})
		})
	}
	create := func(reference string) error {
		if _, err := s.Head(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		return write(reference)
	}
	const before = 5
	for n := range before {
		if err := create(fmt.Sprint("before ", n)); err != nil {
			t.Fatal(err)
		}
	}
	const lost = "the answer to this is lost"
	way.loses.Store(&loss{lost, instead})
	if err := create(lost); !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "may or may not have happened") {
		t.Errorf("%v, want that nobody knows", err)
	}
	if head, err := s.Head(t.Context(), 1); err != nil || head.Seq != before+1 {
		t.Errorf("the head is at %d, %v, want %d", head.Seq, err, before+1)
	}
	// A connection that ended while nobody used it is no reason to tell anybody.
	for n := range 3 {
		if err := create(fmt.Sprint("after ", n)); err != nil {
			t.Fatal(err)
		}
	}
	way.cut()
	if err := write("after connections have ended"); err != nil {
		t.Errorf("after connections have ended: %v", err)
	}
}

// TestThoseWhoWaitForAConnectionLearnTogetherThatTheServerIsSilent: a few connections are
// for many requests. Not each of them tries anew to reach a server that answers nobody, and
// so they do not wait for each other.
func TestThoseWhoWaitForAConnectionLearnTogetherThatTheServerIsSilent(t *testing.T) {
	t.Parallel()
	way, through := through(t, pgtest.URL(t))
	s := openURL(t, through, postgres.Patience(2*time.Second), postgres.Connections(2))
	way.silent.Store(true)
	before := way.made.Load()
	const requests = 40
	var all sync.WaitGroup
	for range requests {
		all.Go(func() {
			if _, err := s.Head(t.Context(), 1); !errors.Is(err, fault.Unavailable) {
				t.Errorf("%v, want fault.Unavailable", err)
			}
		})
	}
	all.Wait()
	if made := way.made.Load() - before; made > requests/2 {
		t.Errorf("%d requests tried %d times to reach the server", requests, made)
	}
	way.silent.Store(false)
	until(t, "it is reached again", func() bool { return s.Writable(t.Context()) == nil })
}

// TestACommitIsNotCancelled: a client that leaves while its commit is under way changes
// nothing about it.
func TestACommitIsNotCancelled(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	s := openURL(t, databaseURL)
	raw := rawly(t, databaseURL)
	// A trigger that fires at the commit takes its time, as a standby does.
	for _, statement := range []string{
		`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END'`,
		`CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON site DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slowly()`,
	} {
		if _, err := raw.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	err := s.Update(ctx, func(tx port.Tx) error {
		time.AfterFunc(200*time.Millisecond, leave)
		return tx.Sites().Put(site.Site{ID: 1})
	})
	if err != nil {
		t.Errorf("a commit whose client leaves: %v", err)
	}
	if _, err := s.Head(t.Context(), 1); err != nil {
		t.Errorf("what it stored: %v", err)
	}
	// Who leaves before the commit stores nothing.
	ctx, leave = context.WithCancel(t.Context())
	err = s.Update(ctx, func(tx port.Tx) error {
		defer leave()
		return tx.Sites().Put(site.Site{ID: 2})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
	if _, err := s.Head(t.Context(), 2); !errors.Is(err, fault.NotFound) {
		t.Errorf("%v, want fault.NotFound", err)
	}
}

// TestTablesThatOthersUseAreKnown: whoever empties them asks first.
func TestTablesThatOthersUseAreKnown(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	if err := postgres.CheckAlone(t.Context(), databaseURL); err != nil {
		t.Errorf("an empty schema: %v", err)
	}
	s := openURL(t, databaseURL)
	if err := postgres.CheckAlone(t.Context(), databaseURL); !errors.Is(err, postgres.ErrInUse) {
		t.Errorf("%v, want ErrInUse", err)
	}
	if err := postgres.CheckAlone(t.Context(), pgtest.URL(t)); err != nil {
		t.Errorf("another schema: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := postgres.CheckAlone(t.Context(), databaseURL); err != nil {
		t.Errorf("when they have left: %v", err)
	}
}

func rawly(t *testing.T, databaseURL string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
