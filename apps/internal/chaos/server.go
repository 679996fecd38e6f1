package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// serving returns the options every server gets. Retries and leases are short, so
// that a run need not wait for them.
func serving(w *world) []string {
	return append(rig.ServerOptions(w.database, filepath.Join(w.folder, "photos")),
		"--polling=off", "--log-level=warn", "--log-format=text",
		"--hooks-retry-delays=100ms,300ms,900ms", "--hooks-timeout=3s", "--hooks-lease=3s", "--shutdown-timeout=5s")
}

// server makes a server of a world, without starting it: the product's, or a
// sabotaged one if that is what the trial is about.
func (t *trial) server(w *world, more ...string) (*rig.Process, error) {
	if t.sabotage == "" || t.outside() {
		return w.server([]string{t.vitrine, "serve"}, more)
	}
	return t.ownServer(w, more...)
}

// outside reports that what is sabotaged stands outside of the server, which is the
// product's.
func (t *trial) outside() bool { return slices.Contains(outside(), t.sabotage) }

// ownServer is put together by this program, whether sabotaged or not.
func (t *trial) ownServer(w *world, more ...string) (*rig.Process, error) {
	return w.server([]string{t.self, serverMode, "--sabotage=" + t.sabotage}, more)
}

func (w *world) server(program, more []string) (*rig.Process, error) {
	log := filepath.Join(w.folder, fmt.Sprintf("server-%d.log", len(w.servers)))
	s, err := rig.NewProcess(log, slices.Concat(program, rig.Overridden(serving(w), more), more)...)
	if err != nil {
		return nil, err
	}
	w.servers = append(w.servers, s)
	return s, nil
}
