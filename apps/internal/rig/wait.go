package rig

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"time"
)

// Wait waits, unless ctx ends first.
func Wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Until looks every so often whether something is so. It reports whether it came
// to be so within a time, before ctx ended.
func Until(ctx context.Context, within, every time.Duration, is func() bool) bool {
	for deadline := time.Now().Add(within); ; Wait(ctx, every) {
		switch {
		case is():
			return true
		case ctx.Err() != nil || time.Now().After(deadline):
			return false
		}
	}
}

// FreeAddress returns one of this machine that nobody listens on at the moment. It is below the
// ports that systems give to programs that ask for any: another program would soon be given it.
func FreeAddress() (address string, err error) {
	for range 100 {
		var l net.Listener
		l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.N(20_000)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", err
}
