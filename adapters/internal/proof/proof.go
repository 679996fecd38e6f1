// Package proof tells tests how much to try.
package proof

import "os"

// Whole reports whether tests try everything, as make proof has them: also what other tests
// of every run stand for.
func Whole() bool {
	return os.Getenv("VITRINE_PROOF") != "" //nolint:forbidigo // the Makefile says it there
}
