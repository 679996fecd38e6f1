package http1

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOnlySoManyConnectionsAreKept(t *testing.T) {
	peers := []*script{play(t, plain, ok, ok, ok), play(t, plain, ok, ok, ok), play(t, plain, ok, ok, ok)}
	c := client(t)
	for _, peer := range peers {
		var begun, all sync.WaitGroup
		begun.Add(4)
		dial := c.Dial
		c.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			begun.Done()
			begun.Wait() // so that no connection is ready for another's request
			return dial(ctx, network, address)
		}
		for range 4 {
			all.Go(func() {
				if _, err := c.Post(t.Context(), to(t, "http://"+peer.address)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		c.Dial = dial
		if n := len(c.pool.idle[peerOf(parsed(t, "http://"+peer.address))]); n != c.PerHost {
			t.Errorf("%d connections to one host are kept", n)
		}
	}
	if n := c.pool.all.Len(); n != c.InAll {
		t.Errorf("%d connections are kept", n)
	}
	// The longest idle one gave way.
	kept := []int{}
	for _, peer := range peers {
		kept = append(kept, len(c.pool.idle[peerOf(parsed(t, "http://"+peer.address))]))
	}
	if diff := cmp.Diff([]int{0, 1, 2}, kept); diff != "" {
		t.Error(diff)
	}
	c.Close()
	for _, peer := range peers {
		for range 4 {
			<-peer.gone
		}
	}
}

func TestIdleConnectionsAreClosedInTime(t *testing.T) {
	peer := play(t, plain, ok, ok)
	c := client(t)
	c.Idle = 20 * time.Millisecond
	if _, err := c.Post(t.Context(), to(t, "http://"+peer.address)); err != nil {
		t.Fatal(err)
	}
	<-peer.gone
	c.pool.mu.Lock()
	defer c.pool.mu.Unlock()
	if len(c.pool.idle) > 0 || c.pool.all.Len() > 0 || c.pool.sweep != nil {
		t.Error("something is left of it")
	}
}
