// Package sources looks for the files of import sources: in folders, and at addresses.
package sources

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	// maxFile is the most bytes a file may have.
	maxFile = 512 << 20
	// settle is how long a file must not change to count as written.
	settle = 5 * time.Second
)

// Options say where files may be looked for, and how they are opened.
type Options struct {
	// Root is the folder below which the folders of sources are; empty allows none.
	Root string
	// Client reaches permitted addresses only, within a time that a large file may take. Insecure permits
	// http.
	Client   *http.Client
	Insecure bool
	// Open opens a file of listings of a source. Pictures are read from the folder beside, if it is not empty.
	Open func(name string, of operator.SourceSettings, beside string) (transfer.ImportFile, error)
	// Settle is how long a file must not change to count as written; 0 is 5 s.
	Settle time.Duration
}

// Files implements transfer.SourceFiles.
type Files struct{ options Options }

// New returns what looks for files.
func New(o Options) *Files {
	if o.Settle == 0 {
		o.Settle = settle
	}
	return &Files{o}
}

// Look implements transfer.SourceFiles.
func (f *Files) Look(ctx context.Context, of operator.ImportSource) (*transfer.SourceFile, error) {
	if of.Settings.URL != "" {
		return f.fetch(ctx, of)
	}
	return f.inFolder(ctx, of)
}

// extensions are those of files of listings.
var extensions = []string{".csv", ".xml", ".zip", ".xlsx", ".json"}

// inFolder returns the file that a source takes over next: of a full source the latest, of an
// incremental one the first that it did not take over.
func (f *Files) inFolder(ctx context.Context, of operator.ImportSource) (*transfer.SourceFile, error) {
	if f.options.Root == "" {
		return nil, fault.Textf("this server has no folder for sources: see --import-folder")
	}
	root, err := os.OpenRoot(f.options.Root)
	if err != nil {
		return nil, fault.Textf("the folder of all sources cannot be read")
	}
	defer root.Close()
	folder, err := root.OpenRoot(filepath.FromSlash(path.Clean(of.Settings.Folder)))
	if err != nil {
		return nil, fault.Textf("the folder cannot be read")
	}
	defer folder.Close()
	before, err := filesIn(folder)
	if err != nil {
		return nil, err
	}
	wanted := candidates(before, of)
	if len(wanted) == 0 {
		return nil, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(f.options.Settle):
	}
	after, err := filesIn(folder)
	if err != nil {
		return nil, err
	}
	// Later files must not be taken over before one that is being written.
	next := wanted[0]
	if !slices.Contains(after, next) {
		return nil, nil
	}
	made, err := f.copied(ctx, folder, next, of.Settings)
	if err == nil {
		made.More = len(wanted) > 1 && of.Settings.Mode != operator.SourceFull
	}
	return made, err
}

// filesIn lists the files of a folder that may have listings, the oldest first.
func filesIn(folder *os.Root) ([]operator.TakenFile, error) {
	opened, err := folder.Open(".")
	if err != nil {
		return nil, fault.Textf("the folder cannot be read")
	}
	defer opened.Close()
	entries, err := opened.ReadDir(-1)
	if err != nil {
		return nil, fault.Textf("the folder cannot be read")
	}
	var found []operator.TakenFile
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") || !slices.Contains(extensions, strings.ToLower(path.Ext(e.Name()))) {
			continue
		}
		found = append(found, operator.TakenFile{Name: e.Name(), Size: info.Size(), Modified: info.ModTime().UTC().Truncate(time.Microsecond)})
	}
	slices.SortFunc(found, func(a, b operator.TakenFile) int {
		if n := a.Modified.Compare(b.Modified); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	return found, nil
}

// candidates returns the files that a source has yet to take over, in the order in which it does.
func candidates(all []operator.TakenFile, of operator.ImportSource) []operator.TakenFile {
	taken := of.State.Taken
	isTaken := func(f operator.TakenFile) bool {
		return slices.ContainsFunc(taken, func(t operator.TakenFile) bool {
			return t.Name == f.Name && t.Size == f.Size && t.Modified.Equal(f.Modified)
		})
	}
	latest := all[max(len(all)-1, 0):]
	if of.State.Asked && (of.Settings.Mode == operator.SourceFull || !slices.ContainsFunc(all, func(f operator.TakenFile) bool { return !isTaken(f) })) {
		return latest
	}
	if of.Settings.Mode == operator.SourceFull {
		all = latest
	}
	if len(taken) == operator.MaxTakenFiles { // those before them are not remembered
		oldest := slices.MinFunc(taken, func(a, b operator.TakenFile) int { return a.Modified.Compare(b.Modified) })
		all = slices.DeleteFunc(slices.Clone(all), func(f operator.TakenFile) bool { return f.Modified.Before(oldest.Modified) })
	}
	return slices.DeleteFunc(slices.Clone(all), isTaken)
}

// copied returns a file of which a copy was made: it is read more than once, and may be replaced
// meanwhile.
func (f *Files) copied(ctx context.Context, folder *os.Root, next operator.TakenFile, of operator.SourceSettings) (*transfer.SourceFile, error) {
	opened, err := folder.Open(next.Name)
	if err != nil {
		return nil, fault.Textf("the file %s cannot be read", next.Name)
	}
	defer opened.Close()
	made, err := f.keep(ctx, opened, next, of, filepath.Join(f.options.Root, filepath.FromSlash(of.Folder)))
	if err != nil {
		return nil, err
	}
	if now, err := opened.Stat(); err != nil || now.Size() != next.Size || made.Size != next.Size {
		return nil, errors.Join(fault.Textf("the file %s changed while it was read", next.Name), made.Close())
	}
	return made, nil
}

// keep keeps a content in a folder of its own until the file is closed. Pictures are in the folder beside,
// if it is not empty.
func (f *Files) keep(ctx context.Context, content io.Reader, file operator.TakenFile, of operator.SourceSettings, beside string) (made *transfer.SourceFile, err error) {
	folder, err := os.MkdirTemp("", "vitrine-source-*")
	if err != nil {
		return nil, fault.Textf("the server has no room for the file")
	}
	remove := func() error { return os.RemoveAll(folder) }
	defer func() {
		if err != nil {
			err = errors.Join(err, remove())
		}
	}()
	name := filepath.Join(folder, "listings"+strings.ToLower(path.Ext(file.Name)))
	to, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fault.Textf("the server has no room for the file")
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, hash), io.LimitReader(content, maxFile+1))
	switch closing := to.Close(); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.Textf("the file did not come to its end")
	case closing != nil:
		return nil, fault.Textf("the server has no room for the file")
	case n > maxFile:
		return nil, fault.Textf("the file has more than %d MiB", maxFile>>20)
	}
	file.Size, file.Hash = n, hex.EncodeToString(hash.Sum(nil))
	return &transfer.SourceFile{TakenFile: file, Close: remove, Open: func(context.Context) (transfer.ImportFile, error) {
		return f.options.Open(name, of, beside)
	}}, nil
}
