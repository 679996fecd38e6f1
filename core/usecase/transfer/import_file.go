package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	// MaxImportFile is the most bytes a file may have; what is larger is imported from the
	// command line.
	MaxImportFile = 512 << 20
	// chunk is how much of a file is kept under one key, and how much of it is in memory
	// at a time.
	chunk = 4 << 20
)

var chunkKeys = regexp.MustCompile(`^(imports/(\d+)/\d+)/\d{4}$`)

func fileKey(of site.ID, id operator.ImportRunID) string { return fmt.Sprintf("imports/%d/%d", of, id) }

func chunkKey(file string, n int) string { return fmt.Sprintf("%s/%04d", file, n) }

// keepFile keeps a file, and returns its size. What is wrong with it is about the field
// file. After an error nothing is kept that SweepFiles does not find.
func keepFile(ctx context.Context, blobs port.Blobs, file string, content io.Reader) (size int64, err error) {
	buffer := make([]byte, chunk)
	for n := 0; ; n++ {
		read, err := io.ReadFull(content, buffer)
		size += int64(read)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return size, kernel.Invalid("file", fault.CodeInvalidFormat, "the file did not arrive whole; send it again")
		}
		switch {
		case size == 0:
			return 0, kernel.Invalid("file", fault.CodeRequired, "choose a file that is not empty")
		case size > MaxImportFile:
			return size, kernel.Invalid("file", fault.CodeFileTooLarge, "the file has more than %d MiB; import it from the command line", MaxImportFile>>20)
		case read == 0:
			return size, nil
		}
		if err := blobs.Put(ctx, chunkKey(file, n), buffer[:read]); err != nil {
			return size, err
		}
		if read < chunk {
			return size, nil
		}
	}
}

// forgetFile removes a file, and nothing of an undo, which has none. What it cannot remove is left to SweepFiles.
func forgetFile(ctx context.Context, blobs port.Blobs, file string, size int64) {
	if size == 0 {
		return
	}
	for n := range int(size/chunk) + 1 {
		_ = blobs.Delete(ctx, chunkKey(file, n))
	}
}

// kept reads a file that is kept.
type kept struct {
	ctx   context.Context
	blobs port.Blobs
	file  string
	// left is how many bytes are yet to be read, from the chunk n on.
	left    int64
	n       int
	present io.ReadCloser
}

// Read implements io.Reader.
func (k *kept) Read(p []byte) (int, error) {
	for {
		if k.left == 0 {
			return 0, io.EOF
		}
		if k.present == nil {
			opened, err := k.blobs.Open(k.ctx, chunkKey(k.file, k.n))
			if err != nil {
				return 0, err
			}
			k.present = opened
		}
		n, err := k.present.Read(p)
		k.left -= int64(n)
		if errors.Is(err, io.EOF) {
			err = k.next()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (k *kept) next() error {
	err := k.Close()
	k.n++
	return err
}

// Close ends reading.
func (k *kept) Close() error {
	if k.present == nil {
		return nil
	}
	err := k.present.Close()
	k.present = nil
	return err
}

// SweepFiles removes files that were put before the given age and that no run has use
// for, and returns how many parts of files it removed. The age must be longer than any
// upload takes.
func (s *Imports) SweepFiles(ctx context.Context, age time.Duration) (removed int, err error) {
	if s.k.Blobs == nil {
		return 0, nil
	}
	wanted := map[site.ID]map[string]bool{}
	before := s.k.Moment().Add(-age)
	for blob, err := range s.k.Blobs.All(ctx) {
		if err != nil {
			return removed, err
		}
		parts := chunkKeys.FindStringSubmatch(blob.Key)
		if parts == nil || !blob.Modified.Before(before) {
			continue
		}
		number, _ := strconv.ParseInt(parts[2], 10, 64)
		of := site.ID(number)
		if wanted[of] == nil {
			if wanted[of], err = kernel.Reads(s.k, newImportUnit, importUnit.wantedFiles)(ctx, kernel.Caller{}, of); err != nil {
				return removed, err
			}
		}
		if wanted[of][parts[1]] {
			continue
		}
		if err := s.k.Blobs.Delete(ctx, blob.Key); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// wantedFiles returns the keys of the files that runs of a site still have use for.
func (u importUnit) wantedFiles(of site.ID) (map[string]bool, error) {
	wanted := map[string]bool{}
	for before := operator.ImportRunID(0); ; {
		runs, err := u.Imports().List(of, before, runsPerPage)
		for _, r := range runs {
			if before = r.ID; r.At(u.Now).HasFile(u.Now) {
				wanted[r.File] = true
			}
		}
		if err != nil || len(runs) < runsPerPage {
			return wanted, err
		}
	}
}
