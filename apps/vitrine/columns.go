package main

import (
	"fmt"
	"strings"
	"time"
)

// numbers are ids as tables show them.
func numbers(ids []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), "[]")
}

// minute returns a time as tables show it, empty if it never came.
func minute(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format("2006-01-02 15:04Z")
}

// ended reports whether something still holds, in a word.
func ended(revoked, disabled bool) string {
	switch {
	case revoked:
		return "revoked"
	case disabled:
		return "disabled"
	}
	return "active"
}
