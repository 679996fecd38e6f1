package siteapi_test

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// promise is a line of the contract file.
type promise struct {
	id, method, path string
	status           int
	packs            []string
	permission       access.Permission
	right            access.Right
}

// contract reads what was typed by hand from the contract: the oracle the table
// is held against.
func contract(t *testing.T) []promise {
	t.Helper()
	file, err := os.Open("testdata/contract.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var promises []promise
	for _, l := range lines {
		status, err := strconv.Atoi(l[3])
		if err != nil {
			t.Fatal(err)
		}
		promises = append(promises, promise{
			id: l[0], method: l[1], path: l[2], status: status, packs: strings.Fields(l[4]),
			permission: access.Permission(l[5]), right: access.Right(l[6]),
		})
	}
	return promises
}

func (p promise) rule(t *testing.T) access.Rule {
	t.Helper()
	rule := access.Rule{Permission: p.permission, Right: p.right}
	for _, name := range p.packs {
		pack, err := access.ParsePack(name)
		if err != nil {
			t.Fatal(err)
		}
		rule.Packs |= pack
	}
	return rule
}

func TestTheTableIsTheContract(t *testing.T) {
	w := newWorld(t)
	table := map[string]api.Operation{}
	for _, o := range append(w.Operations(), w.TokenOperations()...) {
		if _, twice := table[o.ID]; twice {
			t.Errorf("the table has %s twice", o.ID)
		}
		table[o.ID] = o
	}
	for _, p := range contract(t) {
		o, found := table[p.id]
		if !found {
			t.Errorf("the contract has %s, the table does not", p.id)
			continue
		}
		delete(table, p.id)
		if o.Method != p.method || o.Path != p.path || o.Status != p.status || !o.Public && o.Rule != p.rule(t) {
			t.Errorf("%s is %s %s %d %+v in the table, and %+v in the contract", p.id, o.Method, o.Path, o.Status, o.Rule, p)
		}
	}
	for id := range table {
		t.Errorf("the table has %s, the contract does not", id)
	}
}

// TestAuthorisationMatrix calls every operation with every set of packs, with
// and without its permission and its right, and holds the outcome against the
// contract file. The store is broken, so whoever is admitted fails differently.
func TestAuthorisationMatrix(t *testing.T) {
	w := newWorld(t)
	caller := w.as("full", 1)
	table := map[string]api.Operation{}
	for _, o := range w.Operations() {
		table[o.ID] = o
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cases := 0
	for _, p := range contract(t) {
		o, found := table[p.id]
		if !found {
			continue // a token operation, which authenticates by itself
		}
		in := reflect.Zero(o.In).Interface()
		for packs := access.Packs(0); packs <= access.AllPacks; packs++ {
			for _, holds := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
				caller.Grant.Packs, caller.Grant.Permissions, caller.Grant.Rights = packs, nil, nil
				if holds[0] {
					caller.Grant.Permissions = []access.Permission{p.permission}
				}
				if holds[1] {
					caller.Grant.Rights = []access.Right{p.right}
				}
				cases++
				want := p.verdict(packs, holds[0], holds[1])
				_, err := o.Call(ctx, caller, in)
				if got := refusal(err); got != want {
					t.Fatalf("%s with packs %q, permission %t, right %t: refused for %q, want %q", p.id, packs, holds[0], holds[1], got, want)
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// verdict is why the contract refuses a credential, or "".
func (p promise) verdict(packs access.Packs, permission, right bool) fault.Code {
	any := len(p.packs) == 0
	for _, name := range p.packs {
		for _, held := range packs.Names() {
			any = any || name == held
		}
	}
	switch {
	case !any:
		return fault.CodePackMissing
	case p.permission != "" && !permission:
		return fault.CodePermissionMissing
	case p.right != "" && !right:
		return fault.CodeRightMissing
	}
	return ""
}

// refusal is the code of an access check's refusal, or "".
func refusal(err error) fault.Code {
	var known *fault.Error
	if errors.As(err, &known) {
		checks := []fault.Code{fault.CodePackMissing, fault.CodePermissionMissing, fault.CodeRightMissing}
		if slices.Contains(checks, known.Code) {
			return known.Code
		}
	}
	return ""
}
