package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// packedOnce is the archive of a program that some build wrote at some time.
func packedOnce(t *testing.T, p platform, written time.Time) (file string) {
	t.Helper()
	folder := t.TempDir()
	binary := filepath.Join(folder, p.binary("vitrine"))
	if err := os.WriteFile(binary, []byte("a program"), 0o700); err != nil { //nolint:gosec // a program is executable
		t.Fatal(err)
	}
	if err := os.Chtimes(binary, written, written); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(folder, here().name(p)+p.archive())
	if err := pack(here(), p, binary, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestArchivesOfTheSameAreTheSame(t *testing.T) {
	for _, p := range []platform{{"linux", "arm64"}, {"windows", "amd64"}} {
		var archives [2][]byte
		for i := range archives {
			content, err := os.ReadFile(packedOnce(t, p, time.Unix(int64(1_700_000_000+i), 0)))
			if err != nil {
				t.Fatal(err)
			}
			archives[i] = content
		}
		if !bytes.Equal(archives[0], archives[1]) {
			t.Errorf("%v: two archives of the same differ", p)
		}
	}
}

func TestWindowsGetsAZipWithoutAUnit(t *testing.T) {
	archive, err := zip.OpenReader(packedOnce(t, platform{"windows", "amd64"}, time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
		if !file.Modified.Equal(here().date) {
			t.Errorf("%s is of %v", file.Name, file.Modified)
		}
	}
	const folder = "vitrine_v9.8.7_windows_amd64/"
	if want := []string{folder + "vitrine.exe", folder + "LICENSE", folder + "NOTICE", folder + "installing.md"}; !slices.Equal(names, want) {
		t.Errorf("it holds %v", names)
	}
}
