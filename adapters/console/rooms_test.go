package console_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A room is small enough to be read.
func TestRoomsHaveAtMost3000Lines(t *testing.T) {
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	lines := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		room := filepath.Dir(file)
		if lines[room] += bytes.Count(text, []byte("\n")); lines[room] > 3000 {
			t.Errorf("%s has more than 3,000 lines", room)
		}
	}
}
