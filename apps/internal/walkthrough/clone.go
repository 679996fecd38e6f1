package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/git"
)

// clone makes a clone of the repository, with what is changed in it and not committed
// yet: the pages that are tried are those that somebody just wrote.
func clone(ctx context.Context, source, into string) error {
	if _, err := git.Run(ctx, source, "clone", "--quiet", source, into); err != nil {
		return err
	}
	changed, err := git.Run(ctx, source, "ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.Trim(changed, "\x00"), "\x00") {
		if err := bring(filepath.Join(source, name), filepath.Join(into, name)); err != nil {
			return err
		}
	}
	return nil
}

// bring makes a file as another one is, which may not be there any more.
func bring(from, to string) error {
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return os.RemoveAll(to)
	}
	if err != nil || info.IsDir() {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, content, info.Mode())
}
