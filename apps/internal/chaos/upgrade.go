package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/git"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	longestLock = "longest wait for a lock on a table"
	// mayLock is how long an upgrade may hold up others.
	mayLock = 200 * time.Millisecond
	// beforeRelease is the revision that stands for the last release until there is one: the
	// first of which this program takes up the tables.
	beforeRelease = "640ed88"
)

// upgrading replaces three servers by those of this version, one by one, and then those by
// the version before.
func upgrading(ctx context.Context, t *trial) (_ []figure, err error) {
	revision, before, err := t.versionBefore(ctx)
	if err != nil {
		return nil, err
	}
	w, err := t.emptyWorld(2)
	if err != nil {
		return nil, err
	}
	if err := w.create(ctx, t.Postgres); err != nil {
		return nil, err
	}
	s, err := t.sceneIn(w)
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	defer func() { err = errors.Join(err, s.close()) }()
	// The tables are those of the version before, and so is what is in them.
	if err := w.provisionBy(ctx, before); err != nil {
		return nil, err
	}
	var servers []*rig.Process
	for range replicas {
		server, err := w.server([]string{before, "serve"}, []string{"--drain-delay=3s"})
		if err != nil {
			return nil, err
		}
		if err := server.Start(ctx); err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	balancer, err := s.balance(ctx, servers)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, servers[0], 1); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return balancer.Address }
	fmt.Println("the version before is", revision)
	locked, usual, err := s.upgrading(ctx, servers, balancer, before)
	if err != nil {
		return nil, err
	}
	figures := []figure{
		count("servers replaced", 2*replicas), s.failedRequests(),
		milliseconds("longest wait for a lock on a table before", usual),
		milliseconds(longestLock, locked).atMost(rig.Milliseconds(mayLock + usual)),
	}
	if t.sabotage != "" {
		return figures, nil
	}
	accounted, err := s.drainAndAccount(ctx, servers[0])
	return append(figures, accounted...), errors.Join(err, stopAll(servers))
}

func (s *scene) upgrading(ctx context.Context, servers []*rig.Process, balancer *engine.HAProxy, before string) (locked, usual time.Duration, err error) {
	defer s.writing(ctx)()
	watching, done := context.WithCancel(ctx)
	defer done()
	locks := watchLocks(watching, s.world.database)
	if _, _, err := s.during(ctx, nil, calmFor); err != nil {
		return 0, 0, err
	}
	usual = locks.longest()
	for round, program := range []string{s.vitrine, before} {
		for i, server := range servers {
			if err := server.Replace(ctx, program); err != nil {
				return 0, 0, err
			}
			if s.sabotage == dropsColumn && round+i == 0 {
				// What a migration does that forgets the servers of the version before.
				if err := rig.Execute(ctx, s.world.database, "ALTER TABLE product RENAME COLUMN web_status TO on_the_web"); err != nil {
					return 0, 0, err
				}
				rig.Wait(ctx, calmFor)
				return locks.longest(), usual, nil
			}
			if err := allUp(ctx, balancer, len(servers)); err != nil {
				return 0, 0, err
			}
		}
	}
	return locks.longest(), usual, nil
}

// versionBefore builds the server of the last release, or of what stands for it.
func (t *trial) versionBefore(ctx context.Context) (revision, binary string, err error) {
	revision = beforeRelease
	if tag, err := git.Run(ctx, ".", "describe", "--tags", "--abbrev=0", "--match=v*"); err == nil {
		revision = strings.TrimSpace(tag)
	}
	if _, err := git.Run(ctx, ".", "cat-file", "-e", revision+"^{commit}"); err != nil {
		return "", "", skip("there is no history with " + revision + ": a clone that is whole has it")
	}
	folder := filepath.Join(t.folder, "before")
	binary = filepath.Join(folder, "vitrine")
	if _, err := os.Stat(binary); err == nil {
		return revision, binary, nil // of an earlier trial
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", "", err
	}
	archive := filepath.Join(folder, "source.tar")
	if _, err := git.Run(ctx, ".", "archive", "--output="+archive, revision); err != nil {
		return "", "", err
	}
	for _, command := range [][]string{
		{"tar", "-xf", archive, "-C", folder},
		{"go", "build", "-trimpath", "-o", binary, "./apps/vitrine"},
	} {
		build := exec.CommandContext(ctx, command[0], command[1:]...)
		build.Dir = folder
		build.Env = append(build.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOWORK="+filepath.Join(folder, "go.work"))
		if out, err := build.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("building %s: %w: %s", revision, err, out)
		}
	}
	return revision, binary, nil
}

// locks is how long somebody waited for a lock on a table.
type locks struct {
	mu  sync.Mutex
	max time.Duration
}

func (l *locks) longest() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.max
}

// watchLocks looks again and again, until the context ends.
func watchLocks(ctx context.Context, database string) *locks {
	l := &locks{}
	go func() {
		const waits = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)) * 1000, 0)::int
			FROM pg_locks WHERE NOT granted AND locktype = 'relation' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
		for ; ctx.Err() == nil; rig.Wait(ctx, 20*time.Millisecond) {
			if n, err := engine.Number(ctx, database, waits); err == nil {
				l.mu.Lock()
				l.max = max(l.max, time.Duration(n)*time.Millisecond)
				l.mu.Unlock()
			}
		}
	}()
	return l
}

// provisionBy fills in the sites by a program of the version before.
func (w *world) provisionBy(ctx context.Context, program string) error {
	var sites []rig.Object
	var ids []int
	for id := 1; id <= w.sites; id++ {
		ids = append(ids, id)
		sites = append(sites, rig.Object{
			"id": id, "name": fmt.Sprint("Site ", id), "agencies": []rig.Object{{"id": id, "name": fmt.Sprint("Agence ", id)}},
			"criteria": []rig.Object{
				{"id": 1, "key": "Statut", "type": "UNIQUE", "label": "Statut", "values": []rig.Object{{"id": 1, "model": "EnCours", "label": "En cours"}}},
				{"id": 2, "key": "Prix", "type": "NUMBER", "label": "Prix"}, {"id": 3, "key": "Ville", "type": "TEXT", "label": "Ville"},
			},
		})
	}
	all := []string{"all"}
	text, err := json.Marshal(rig.Object{"sites": sites, "credentials": []rig.Object{{
		"id": clientID, "secret": clientSecret, "name": clientID, "sites": ids, "packs": all, "permissions": all, "rights": all,
	}}})
	if err != nil {
		return err
	}
	file := filepath.Join(w.folder, "setup.yaml") // of which JSON is a part
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, program, "provision", "--database="+w.database, file)
	command.Env = append(command.Environ(), "VITRINE_SECRET_KEY="+rig.Secrets.SecretKey)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("provisioning by the version before: %w: %s", err, out)
	}
	return nil
}
