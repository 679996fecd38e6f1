//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package http1

import "net"

// Supported reports whether connections can be kept: the system tells whether
// anything has arrived on one without waiting for it.
const Supported = false

func quiet(net.Conn) bool { return false }
