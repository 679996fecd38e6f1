package main

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// The pages that are played.
const (
	readme     = "README.md"
	quickstart = "docs/quickstart.md"
	installing = "docs/installing.md"
	backup     = "docs/backup.md"
	firstHour  = "docs/embedding/first-hour.md"
	stores     = "docs/embedding/stores.md"
)

const ownSite = "8. A site of your own"

// person is somebody who does what pages say.
type person struct {
	ctx context.Context //nolint:containedctx // of everything that they do
	// source is the repository; folder is theirs.
	source, folder string
}

// cloned returns where they have a clone.
func (p person) cloned() string { return filepath.Join(p.folder, "vitrine") }

// open starts a shell of theirs in the clone.
func (p person) open(name string, instead ...string) (*shell, error) {
	return open(p.ctx, filepath.Join(p.folder, name), p.cloned(), p.cloned(), instead...)
}

// addresses are free ones, in place of those that pages say.
func addresses(said ...string) (instead []string, err error) {
	for _, address := range said {
		other, err := rig.FreeAddress()
		if err != nil {
			return nil, err
		}
		instead = append(instead, address, other)
	}
	return instead, nil
}

// newcomer clones, starts the sandbox in one terminal, and in another does what the
// README says: to the first listing. Then they do so with the quick start, to a site of
// their own. Both pages are about a sandbox that has just started.
func newcomer(p person) (err error) {
	if err := clone(p.ctx, p.source, p.cloned()); err != nil {
		return err
	}
	instead, err := addresses("127.0.0.1:8080", "127.0.0.1:8081", "127.0.0.1:9000")
	if err != nil {
		return err
	}
	first, err := p.open("first", "make run", "VITRINE_LISTEN="+instead[1]+" make run &")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.close()) }()
	second, err := p.open("second", append(instead, "listen --addr 127.0.0.1:9000", "listen --addr "+instead[5]+" &")...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, second.close()) }()
	if err := first.do(quickstart, "1. Start the sandbox"); err != nil {
		return err
	}
	if err := second.do(readme, "One session"); err != nil {
		return err
	}
	if err := first.enter("kill %1; wait || true\n"); err != nil {
		return err
	}
	if err := first.do(quickstart, "1. Start the sandbox"); err != nil {
		return err
	}
	return second.do(quickstart, "2. Get a token", "3. Look around", "4. Search", "5. Write", "6. Meet the people", "7. Be refused", ownSite)
}

// operator builds a release of this platform, checks and installs it, sets a site up,
// makes a backup of it, and restores that elsewhere.
func operator(p person) (err error) {
	if err := clone(p.ctx, p.source, p.cloned()); err != nil {
		return err
	}
	instead, err := addresses("127.0.0.1:8080", "127.0.0.1:8081", "127.0.0.1:8082")
	if err != nil {
		return err
	}
	s, err := p.open("operator", append(instead,
		"linux/amd64", runtime.GOOS+"/"+runtime.GOARCH, "linux_amd64", runtime.GOOS+"_"+runtime.GOARCH,
		"sudo install", "install", "/usr/local/bin/", p.folder+"/operator/programs/", "make build\n", "", "bin/vitrine", "vitrine", "kill %1", "true")...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.do(installing, "Building a release", "The program"); err != nil {
		return err
	}
	call, err := s.line(quickstart, "2. Get a token", "api() ")
	if err != nil {
		return err
	}
	if err := s.enter("cd ..\n" + call); err != nil {
		return err
	}
	if err := s.do(quickstart, ownSite); err != nil {
		return err
	}
	return s.do(backup, "Try it")
}

// embedder serves the Site API over a table of a CRM, from a module outside the repository.
func embedder(p person) (err error) {
	if err := clone(p.ctx, p.source, p.cloned()); err != nil {
		return err
	}
	instead, err := addresses("127.0.0.1:8081")
	if err != nil {
		return err
	}
	// Checksums that are there need no server that tells them.
	instead = append(instead, "./crm\n", "VITRINE_LISTEN="+instead[1]+" ./crm &\n", "git clone https://github.com/vitrine-crm/vitrine\n",
		"export GOWORK=off; ln -s "+p.cloned()+" vitrine; cp vitrine/adapters/go.sum .\n")
	first, err := open(p.ctx, filepath.Join(p.folder, "first"), p.folder, p.cloned(), instead...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.close()) }()
	second, err := open(p.ctx, filepath.Join(p.folder, "second"), p.folder, p.cloned(), instead...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, second.close()) }()
	if err := first.do(firstHour, "1. What the CRM has", "2. What Vitrine adds to it", "3. The site", "4. The program"); err != nil {
		return err
	}
	if err := second.do(firstHour, "5. Search", "6. Write"); err != nil {
		return err
	}
	if err := second.do(stores, "The test"); err != nil {
		return err
	}
	return first.enter("go vet .; test -z \"$(gofmt -l *.go)\"\n")
}
