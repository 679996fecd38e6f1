package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// packed is a file of an archive.
type packed struct {
	from, name string
	mode       int64
}

// guides are the pages that go with each program.
var guides = map[string]string{"vitrine": "installing.md", "vitrine-mirror": "mirror.md"}

// contents returns what somebody gets besides the program.
func contents(s source, p platform, binary string) []packed {
	files := []packed{
		{binary, p.binary(s.program), 0o755},
		{filepath.Join(s.folder, "LICENSE"), "LICENSE", 0o644},
		{filepath.Join(s.folder, "NOTICE"), "NOTICE", 0o644},
		{filepath.Join(s.folder, "docs", guides[s.program]), guides[s.program], 0o644},
	}
	if p.os == "linux" && s.program == "vitrine" {
		for _, name := range []string{"vitrine.service", "vitrine.env"} {
			files = append(files, packed{filepath.Join(s.folder, "deploy", name), name, 0o644})
		}
	}
	return files
}

// pack writes the archive for a platform. Its files have the date of the commit, and
// no owner.
func pack(s source, p platform, binary, to string) error {
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	add, finish := tarball(file, s.date)
	if p.archive() == ".zip" {
		add, finish = zipped(file, s.date)
	}
	for _, c := range contents(s, p, binary) {
		c.name = path.Join(s.name(p), c.name)
		if err := add(c); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(finish(), file.Close())
}

func tarball(to io.Writer, at time.Time) (add func(packed) error, finish func() error) {
	squeezed, _ := gzip.NewWriterLevel(to, gzip.BestCompression) // a level that there is
	w := tar.NewWriter(squeezed)
	add = func(c packed) error {
		content, err := os.ReadFile(c.from)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: c.name, Mode: c.mode, Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	}
	return add, func() error { return errors.Join(w.Close(), squeezed.Close()) }
}

func zipped(to io.Writer, at time.Time) (add func(packed) error, finish func() error) {
	w := zip.NewWriter(to)
	return func(c packed) error {
		content, err := os.ReadFile(c.from)
		if err != nil {
			return err
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: c.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		_, err = entry.Write(content)
		return err
	}, w.Close
}

// checksums is the file that sha256sum --check reads.
const checksums = "SHA256SUMS"

func writeChecksums(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, entry := range entries {
		sum, err := checksum(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s  %s\n", sum, entry.Name())
	}
	return os.WriteFile(filepath.Join(folder, checksums), []byte(lines.String()), 0o644)
}

func checksum(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
