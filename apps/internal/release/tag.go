package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	mod "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// modules are what a version is of, each after those that it requires.
var modules = []string{"core", "adapters", "adapters/client", "apps"}

// modulesPath is what the paths of the modules begin with.
const modulesPath = "github.com/vitrine-crm/vitrine/"

// tag makes a version of the commit that is checked out. On a branch the modules
// find each other by replace, which those who require them do not see, and which
// keeps the program from being installed by its name. So the tags are on a commit
// of their own, whose modules require each other at the version.
func tag(ctx context.Context, folder, version string) error {
	if semver.Canonical(version) != version || !slices.Contains([]string{"v0", "v1"}, semver.Major(version)) || mod.IsPseudoVersion(version) {
		return fmt.Errorf("%q is not a version such as v0.1.0", version)
	}
	from, err := sourceIn(ctx, folder)
	if err != nil {
		return err
	}
	if from.modified {
		return errors.New("there are changes that are not committed")
	}
	for _, name := range modules {
		found, err := from.git(ctx, "tag", "--list", name+"/"+version)
		if err != nil {
			return err
		}
		if found != "" {
			return fmt.Errorf("the tag %s is there already", found)
		}
	}
	if err := checkClients(ctx, from); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "vitrine-tag-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if _, err := from.git(ctx, "worktree", "add", "--quiet", "--detach", work); err != nil {
		return err
	}
	err = commitVersion(ctx, source{folder: work}, version)
	_, removed := from.git(context.WithoutCancel(ctx), "worktree", "remove", "--force", work)
	return errors.Join(err, removed)
}

func commitVersion(ctx context.Context, in source, version string) error {
	if err := requireVersion(in.folder, version); err != nil {
		return err
	}
	if _, err := in.git(ctx, "add", "--all"); err != nil {
		return err
	}
	if _, err := in.git(ctx, "commit", "--quiet", "--message", "Require each other at "+version); err != nil {
		return err
	}
	for _, name := range modules {
		if _, err := in.git(ctx, "tag", "--annotate", "--message", name+" "+version, name+"/"+version); err != nil {
			return err
		}
	}
	return nil
}

// requireVersion has the modules of a folder require each other at a version, and
// know the sums of what they require: each builds alone. The go command finds the
// licence of a module that has none in the folder above; here each gets a copy, so
// that the sums are those of what is in it.
func requireVersion(folder, version string) error {
	licence, err := os.ReadFile(filepath.Join(folder, "LICENSE"))
	if err != nil {
		return err
	}
	if err := versionPackage(filepath.Join(folder, clientFolder, "typescript"), version, licence); err != nil {
		return err
	}
	sums := map[string][]string{}
	for _, name := range modules {
		at := filepath.Join(folder, name)
		if err := os.WriteFile(filepath.Join(at, "LICENSE"), licence, 0o644); err != nil {
			return err
		}
		var known []string
		require := func(text []byte) ([]byte, error) {
			file, err := requiring(text, version)
			if err != nil {
				return nil, err
			}
			for _, r := range file.Require {
				known = append(known, sums[r.Mod.Path]...)
			}
			return file.Format()
		}
		if err := rewrite(filepath.Join(at, "go.mod"), require); err != nil {
			return err
		}
		if len(known) > 0 {
			if err := rewrite(filepath.Join(at, "go.sum"), func(text []byte) ([]byte, error) { return knowing(text, known), nil }); err != nil {
				return err
			}
		}
		own, err := sumsOf(at, mod.Version{Path: modulesPath + name, Version: version})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		sums[modulesPath+name] = own
	}
	return nil
}

// versionPackage writes the version and the licence into the npm package in a folder. On a branch it has none.
func versionPackage(folder, version string, licence []byte) error {
	const none = `"version": "0.0.0"`
	for _, name := range []string{"package.json", "package-lock.json"} {
		err := rewrite(filepath.Join(folder, name), func(text []byte) ([]byte, error) {
			if !bytes.Contains(text, []byte(none)) {
				return nil, fmt.Errorf("%s has not %s", name, none)
			}
			return bytes.ReplaceAll(text, []byte(none), []byte(`"version": "`+strings.TrimPrefix(version, "v")+`"`)), nil
		})
		if err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "LICENSE"), licence, 0o644)
}

func rewrite(file string, change func(text []byte) ([]byte, error)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if text, err = change(text); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// requiring returns a go.mod in which modules of the repository are required at a version.
func requiring(text []byte, version string) (*modfile.File, error) {
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range file.Replace {
		if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, err
		}
	}
	for _, r := range file.Require {
		if strings.HasPrefix(r.Mod.Path, modulesPath) {
			if err := file.AddRequire(r.Mod.Path, version); err != nil {
				return nil, err
			}
		}
	}
	file.Cleanup()
	return file, nil
}

// knowing returns a go.sum with more sums, which are all of one place in its order.
func knowing(text []byte, sums []string) []byte {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	sums = slices.Sorted(slices.Values(sums))
	at := slices.IndexFunc(lines, func(line string) bool { return line > sums[0] })
	if at < 0 {
		at = len(lines)
	}
	return []byte(strings.Join(slices.Insert(lines, at, sums...), "\n") + "\n")
}

// sumsOf returns the lines of a go.sum for a module that is in a folder.
func sumsOf(folder string, m mod.Version) ([]string, error) {
	packed, err := os.CreateTemp("", "vitrine-module-*.zip")
	if err != nil {
		return nil, err
	}
	defer os.Remove(packed.Name())
	err = zip.CreateFromDir(packed, m, folder)
	if err = errors.Join(err, packed.Close()); err != nil {
		return nil, err
	}
	whole, err := dirhash.HashZip(packed.Name(), dirhash.Hash1)
	if err != nil {
		return nil, err
	}
	definition, err := dirhash.Hash1([]string{"go.mod"}, func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(folder, name)) })
	if err != nil {
		return nil, err
	}
	return []string{m.Path + " " + m.Version + " " + whole, m.Path + " " + m.Version + "/go.mod " + definition}, nil
}
