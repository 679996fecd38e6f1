// Package httpapi serves the table of operations of package siteapi over HTTP
// and JSON.
//
// A request goes straight down and straight back up: request id, recovery, log
// and metrics (observe.go), route (route.go), identify and gate (gate.go),
// decode (decode.go), the use case, encode (encode.go). No operation has a
// decoder or an encoder of its own: both are planned at start-up from the types
// of its request and answer.
package httpapi
