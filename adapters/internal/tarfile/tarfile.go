// Package tarfile writes and reads tar files of which nothing may be missing, altered or
// added: one digest covers the names and contents of all files, and whoever reads one
// learns whether anything follows its end. Each file in it is held in memory.
package tarfile

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// MaxFile bounds each file.
const MaxFile = 256 << 20

// digest is that of the files so far, with their names and sizes.
type digest struct{ hash hash.Hash }

func (d digest) add(name string, content []byte) {
	fmt.Fprintf(d.hash, "%d:%s%d:", len(name), name, len(content))
	d.hash.Write(content)
}

// Sum returns the digest of the files before, in hexadecimal.
func (d digest) Sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// Writer writes a tar file.
type Writer struct {
	digest
	tar  *tar.Writer
	gzip *gzip.Writer // nil where nothing is compressed
}

// NewWriter begins a tar file. The same files make the same bytes.
func NewWriter(to io.Writer, compressed bool) *Writer {
	w := &Writer{digest: digest{sha256.New()}}
	if compressed {
		w.gzip = gzip.NewWriter(to) // whose header has no clock and no name
		to = w.gzip
	}
	w.tar = tar.NewWriter(to)
	return w
}

// File adds a file.
func (w *Writer) File(name string, content []byte) error {
	if len(content) > MaxFile {
		return fmt.Errorf("%s has %d bytes, and may have %d", name, len(content), MaxFile)
	}
	w.add(name, content)
	if err := w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o600}); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}

// JSON adds a file of one line of JSON.
func (w *Writer) JSON(name string, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.File(name, append(content, '\n'))
}

// Close writes the end of the tar file. It does not close what is written to.
func (w *Writer) Close() error {
	err := w.tar.Close()
	if w.gzip != nil {
		err = errors.Join(err, w.gzip.Close())
	}
	return err
}

// Reader reads a tar file, compressed with gzip or not.
type Reader struct {
	digest
	raw *counted
	tar *tar.Reader
}

// NewReader begins to read. It fails when what is read only looks compressed.
func NewReader(from io.Reader) (*Reader, error) {
	raw, err := unpacked(bufio.NewReaderSize(from, 1<<16))
	if err != nil {
		return nil, err
	}
	r := &Reader{digest: digest{sha256.New()}, raw: &counted{Reader: raw}}
	r.tar = tar.NewReader(r.raw)
	return r, nil
}

// NextUpTo reads a file whole that has no more bytes than most says for its name. At the end of the tar file it fails too: whoever reads one
// knows which file is the last.
func (r *Reader) NextUpTo(most func(name string) int64) (name string, content []byte, err error) {
	header, err := r.tar.Next()
	if err != nil {
		return "", nil, unexpected(err)
	}
	if bound := min(most(header.Name), MaxFile); header.Typeflag != tar.TypeReg || header.Size > bound {
		return "", nil, fmt.Errorf("%q is not a file of at most %d bytes", header.Name, bound)
	}
	if content, err = io.ReadAll(r.tar); err != nil {
		return "", nil, fmt.Errorf("%s: %w", header.Name, unexpected(err))
	}
	r.add(header.Name, content)
	return header.Name, content, nil
}

// End fails unless the tar file ends here, as it should, and nothing follows.
func (r *Reader) End() error {
	const block = 512
	whole := (r.raw.n+block-1)/block*block + 2*block
	if _, err := r.tar.Next(); !errors.Is(err, io.EOF) {
		return errors.New("something follows its end")
	}
	if _, err := io.Copy(io.Discard, r.raw); err != nil || r.raw.n != whole {
		return errors.New("its end is not what it should be")
	}
	return nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// unpacked returns the tar file, decompressed if it is compressed.
func unpacked(r *bufio.Reader) (io.Reader, error) {
	if magic, _ := r.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) { // too short a file is seen by who reads it
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return trailing{z, r}, nil
}

// trailing reads what was compressed and then whatever follows it, which should
// not be there.
type trailing struct {
	*gzip.Reader
	rest *bufio.Reader
}

func (t trailing) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if n == 0 && errors.Is(err, io.EOF) {
		return t.rest.Read(p)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// counted counts what is read.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}
