package exchange

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Uploads opens files that were sent: each waits on the disk, in a folder of its own,
// as long as it is open. It implements transfer.ImportFiles.
type Uploads struct{ Web *Web }

// upload is a file in a folder of its own.
type upload struct {
	*File
	folder string
}

// Open implements transfer.ImportFiles.
func (u Uploads) Open(ctx context.Context, content io.Reader, format string) (transfer.ImportFile, error) {
	folder, err := os.MkdirTemp("", "vitrine-import-*")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(folder, "listings")
	if err = write(ctx, name, content); err == nil {
		var file *File
		if file, err = Open(name, Format(format), u.Web); err == nil {
			return upload{file, folder}, nil
		}
	}
	return nil, errors.Join(err, os.RemoveAll(folder))
}

func write(ctx context.Context, name string, content io.Reader) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close(), ctx.Err())
}

// Close closes the file and removes it.
func (u upload) Close() error { return errors.Join(u.File.Close(), os.RemoveAll(u.folder)) }
