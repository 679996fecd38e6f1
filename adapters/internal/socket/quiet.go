//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

// Package socket tells what the system knows of a connection.
package socket

import (
	"errors"
	"net"
	"syscall"
)

// Supported reports whether the system tells whether anything has arrived on a
// connection without waiting for it.
const Supported = true

// Quiet reports whether a connection is open and nothing has arrived on it. A
// peer that has hung up, or says something unasked, is not sent anything.
func Quiet(c net.Conn) bool {
	with, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := with.SyscallConn()
	if err != nil {
		return false
	}
	var found error
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, found = syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err == nil && errors.Is(found, syscall.EAGAIN)
}
