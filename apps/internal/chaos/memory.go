package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	residentMemory = "most memory of the process, MB"
	// budgetMiB is what the server may remember of sites, and aboveMiB what it may take for
	// everything else.
	budgetMiB, aboveMiB = 64, 200
	// A vocabulary of the usual size.
	manyCriteria, manyValues = 60, 8
)

// fillingTheMemory asks for one site after the other, far more than may be remembered.
func fillingTheMemory(ctx context.Context, t *trial) (_ []figure, err error) {
	w, err := t.emptyWorld(t.manySites)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	w.database, w.vocabulary = filepath.Join(w.folder, "vitrine.db"), largeVocabulary
	if err := w.provision(ctx); err != nil {
		return nil, err
	}
	bound := budgetMiB*3/2 + aboveMiB
	budget := strconv.Itoa(budgetMiB)
	if t.sabotage == noEviction {
		budget = "1000000"
	}
	program := []string{"env", fmt.Sprintf("GOMEMLIMIT=%dMiB", bound), t.vitrine, "serve"}
	server, err := w.server(program, []string{"--catalogue-memory=" + budget, "--render-memory=8", "--requests-max=0"})
	if err != nil {
		return nil, err
	}
	if err := server.Start(ctx); err != nil {
		return nil, err
	}
	began, err := resident(server, "VmRSS")
	if err != nil {
		return nil, err
	}
	client := rig.NewClient(clientID, clientSecret, 0)
	for site := 1; site <= w.sites; site++ {
		if err := client.Do(ctx, server.Address, site, http.MethodPost, "/products/search", rig.Object{}, nil); err != nil {
			return nil, err
		}
	}
	most, err := resident(server, "VmHWM")
	if err != nil {
		return nil, err
	}
	return []figure{
		count("sites asked for in turn", w.sites), count("budget, MiB", budgetMiB), count("memory at the start, MB", began),
		count(residentMemory, most).atMost(float64(bound)),
	}, server.Stop()
}

// resident returns a line of what Linux tells about the memory of a server, in MB.
func resident(server *rig.Process, name string) (int, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", server.ID()))
	if err != nil {
		return 0, skip("the system does not tell the memory of a process: " + err.Error())
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), name+":"); found {
			kilobytes, err := strconv.Atoi(strings.Fields(value)[0])
			return kilobytes * 1024 / 1_000_000, err
		}
	}
	return 0, skip("the system does not tell the memory of a process")
}

// largeVocabulary returns that of the writers, and many criteria more. No two sites have the same,
// for what they have in common is kept once.
func largeVocabulary(site int) []transfer.SetupCriterion {
	all := vocabulary(site)
	for n := range manyCriteria {
		key := fmt.Sprintf("Caracteristique%d", n)
		c := transfer.SetupCriterion{ID: int64(100 + n), Key: key, Type: "UNIQUE", Label: fmt.Sprintf("Caractéristique %s du site %d", key, site)}
		for v := range manyValues {
			model := fmt.Sprintf("%sValeur%d", key, v)
			c.Values = append(c.Values, transfer.SetupChoice{ID: int64(v + 1), Model: model, Label: fmt.Sprintf("Valeur %s du site %d", model, site)})
		}
		all = append(all, c)
	}
	return all
}
