//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

// Package socket tells what the system knows of a connection.
package socket

import "net"

// Supported reports whether the system tells whether anything has arrived on a
// connection without waiting for it.
const Supported = false

// Quiet reports whether a connection is open and nothing has arrived on it, which is
// not known here.
func Quiet(net.Conn) bool { return false }
