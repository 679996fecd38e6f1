package main

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// Whoever starts a sandbox twice finds the first one's data where it was.
func TestASandboxThatCannotListenTouchesNoDatabase(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	database := filepath.Join(t.TempDir(), "sandbox.db")
	if err := run(t.Context(), []string{"sandbox", "--listen", taken.Addr().String(), "--database", database}); err == nil {
		t.Error("it starts")
	}
	if _, err := os.Stat(database); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the database: %v", err)
	}
}
