package sqlstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// between runs a test on two databases of each pair of engines.
func between(t *testing.T, test func(t *testing.T, from, to place)) {
	engines := map[string]func(testing.TB) place{"SQLite": sqlitePlace, "PostgreSQL": postgresPlace}
	for from, source := range engines {
		for to, target := range engines {
			t.Run(from+"To"+to, func(t *testing.T) {
				t.Parallel()
				test(t, source(t), target(t))
			})
		}
	}
}

// rowsOf are the rows of a site as text, by table, but for what is of one database.
func rowsOf(t testing.TB, s *sqlstore.Store, id site.ID) map[string][]string {
	t.Helper()
	names, err := sqlstore.SiteTables(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rowsAsText(t, s, func(table string, columns []string, values []any) bool {
		return slices.Contains(names, table) && values[slices.Index(columns, sqlstore.SiteColumn(table))] == int64(id)
	}, func(table, column string) bool {
		return table == "site_head" && (column == "state" || strings.HasPrefix(column, "move")) ||
			column == "holder" || column == "until" || table == "token_family" && column == "id" || table == "token" && column == "family_id"
	})
}

// rowsAsText are some rows of a store as text, by table, but for the columns of one database.
func rowsAsText(
	t testing.TB, s *sqlstore.Store, wanted func(table string, columns []string, values []any) bool, isOwn func(table, column string) bool,
) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	if _, err := s.Rows(t.Context(), func(table string, columns []string, values []any) error {
		if !wanted(table, columns, values) {
			return nil
		}
		var fields []string
		for i, column := range columns {
			if !isOwn(table, column) {
				fields = append(fields, fmt.Sprintf("%s=%v", column, values[i]))
			}
		}
		slices.Sort(fields) // engines may have added columns in another order
		found[table] = append(found[table], strings.Join(fields, "|"))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, rows := range found {
		slices.Sort(rows)
	}
	return found
}

func TestASiteIsCopiedWhole(t *testing.T) {
	between(t, func(t *testing.T, from, to place) {
		source, target := from.migrated(t), to.migrated(t)
		porttest.FillSite(t, source, 7)
		porttest.FillSite(t, source, 8)
		porttest.FillSite(t, target, 9)
		update(t, source, func(tx port.Tx) error {
			return tx.Imports().Save(operator.ImportRun{Site: 7, ID: 1, File: "a file"}, []operator.ImportLine{{Number: 1, Action: operator.ImportDamaged}})
		})
		others := rowsOf(t, target, 9)
		as := site.Move{Site: 7, State: site.Arriving, ID: "move"}
		copied := 0
		if err := sqlstore.CopySite(t.Context(), source, target, as, func(n int) { copied = n }); err != nil {
			t.Fatal(err)
		}
		want, got := rowsOf(t, source, 7), rowsOf(t, target, 7)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-source +target)\n%s", d)
		}
		names, err := sqlstore.SiteTables(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		// What nothing of the sample is in was not shown to be copied.
		missing := slices.DeleteFunc(names, func(name string) bool {
			return len(want[name]) > 0 || name == "calendar" // which some engines have no use for
		})
		if len(missing) > 0 {
			t.Errorf("the sample site has no row in %q", missing)
		}
		if n := len(slices.Concat(slices.Collect(maps.Values(want))...)); copied != n {
			t.Errorf("%d rows were told of, of %d", copied, n)
		}
		if d := cmp.Diff(others, rowsOf(t, target, 9)); d != "" {
			t.Errorf("another site changed:\n%s", d)
		}
		if left := rowsOf(t, target, 8); len(left) > 0 {
			t.Errorf("another site came along: %v", left)
		}
		head, err := target.Head(t.Context(), 7)
		was, failed := source.Head(t.Context(), 7)
		if head.State != site.Arriving || head.Seq != was.Seq || err != nil || failed != nil {
			t.Errorf("it stands at %+v, %+v before: %v", head, was, errors.Join(err, failed))
		}
		againAndBack(t, source, target)
	})
}

// againAndBack: a copy that was not opened is replaced, an open one never.
func againAndBack(t *testing.T, source, target *sqlstore.Store) {
	update(t, source, func(tx port.Tx) error { return tx.Ledger().Touch(7, port.AspectSettings) })
	again := site.Move{Site: 7, State: site.Arriving, ID: "again"}
	if err := sqlstore.CopySite(t.Context(), source, target, again, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rowsOf(t, source, 7), rowsOf(t, target, 7)); d != "" {
		t.Errorf("the second time (-source +target)\n%s", d)
	}
	if err := target.RemoveArriving(t.Context(), 7, "another"); err == nil {
		t.Error("a copy of another move was removed")
	}
	update(t, target, func(tx port.Tx) error { return tx.Sites().PutMove(site.Move{Site: 7, ID: "again"}) })
	if err := sqlstore.CopySite(t.Context(), source, target, again, func(int) {}); !errors.Is(err, sqlstore.ErrThere) {
		t.Errorf("an open site was replaced: %v", err)
	}
	if err := target.RemoveArriving(t.Context(), 7, "again"); err == nil {
		t.Error("an open site was removed")
	}
	update(t, source, func(tx port.Tx) error { return tx.Sites().PutMove(site.Move{Site: 7, State: site.Moved, ID: "again"}) })
	if err := sqlstore.CopySite(t.Context(), target, source, site.Move{Site: 7, State: site.Arriving, ID: "back"}, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rowsOf(t, target, 7), rowsOf(t, source, 7)); d != "" {
		t.Errorf("back (-source +target)\n%s", d)
	}
	if err := source.RemoveArriving(t.Context(), 7, "back"); err != nil {
		t.Fatal(err)
	}
	if left := rowsOf(t, source, 7); len(left) > 0 {
		t.Errorf("a move that was given up left %v", left)
	}
}

func TestIDsOfACopiedSiteAreNotDrawnAgain(t *testing.T) {
	between(t, func(t *testing.T, from, to place) {
		source, target := from.migrated(t), to.migrated(t)
		porttest.FillSite(t, source, 7)
		if err := sqlstore.ReserveIDs(t.Context(), source, target); err != nil {
			t.Fatal(err)
		}
		for s := range port.Sequences {
			var last int64
			var drawn []int64
			if err := source.View(t.Context(), func(tx port.Tx) (err error) {
				last, err = tx.LastID(s)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			update(t, target, func(tx port.Tx) (err error) {
				drawn, err = tx.NextIDs(s, 1)
				return err
			})
			if drawn[0] <= last && s != port.FamilyIDs { // which each copy draws anew
				t.Errorf("sequence %d draws %d, and drew %d", s, drawn[0], last)
			}
		}
	})
}

func TestLeasesOfAMoveAreNotTaken(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		porttest.FillSite(t, s, 7)
		porttest.FillSite(t, s, 8)
		now := time.Now()
		take := func(name string) (sites []site.ID) {
			update(t, s, func(tx port.Tx) error {
				sites = nil
				taken, err := tx.Webhooks().Take(name, now, now.Add(time.Hour), 9)
				for _, l := range taken {
					sites = append(sites, l.Site)
				}
				return err
			})
			slices.Sort(sites)
			return slices.Compact(sites)
		}
		hold := func(want int) {
			t.Helper()
			if others, err := s.HoldLeases(t.Context(), 7, "move"); others != want || err != nil {
				t.Errorf("%d leases are somebody else's, want %d: %v", others, want, err)
			}
		}
		if taken := take("before"); !slices.Equal(taken, []site.ID{7, 8}) {
			t.Fatalf("taken at %v", taken)
		}
		hold(2)
		execute(t, p.raw(t), "UPDATE hook_turn SET holder = '', until = 0")
		hold(0)
		hold(0)
		if taken := take("after"); !slices.Equal(taken, []site.ID{8}) {
			t.Errorf("taken at %v", taken)
		}
		if err := s.ReleaseLeases(t.Context(), 7, "move"); err != nil {
			t.Fatal(err)
		}
		if taken := take("at last"); !slices.Equal(taken, []site.ID{7}) {
			t.Errorf("taken at %v", taken)
		}
		// What a process left when it was killed is free, what a move holds is not.
		execute(t, p.raw(t), "UPDATE hook_turn SET holder = '', until = 0 WHERE site_id = 7")
		hold(0)
		if err := s.FreeLeases(t.Context()); err != nil {
			t.Fatal(err)
		}
		if taken := take("after the crash"); !slices.Equal(taken, []site.ID{8}) {
			t.Errorf("taken at %v", taken)
		}
	})
}

// TestEveryTableIsOfASiteOrSaysWhyNot: what is about a site leads with it, so that
// databases can be parted by it, and moves with it. A table that is not has its reason.
func TestEveryTableIsOfASiteOrSaysWhyNot(t *testing.T) {
	// These say which site a request is about, and are found by something else.
	directory := []string{"site", "agency", "token", "token_family"}
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		moved, err := sqlstore.SiteTables(t.Context(), s)
		made, failed := sqlstore.MadeTables(s)
		if err := errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		for _, name := range made {
			columns := tableColumns(t, p.raw(t), name)
			why, exempt := sqlstore.OfInstallation[name]
			switch at := slices.Index(columns, "site_id"); {
			case exempt && why == "":
				t.Errorf("%s is of no site without a reason", name)
			case exempt == slices.Contains(moved, name):
				t.Errorf("%s moves: %t, and is of the installation: %t", name, !exempt, exempt)
			case !exempt && at != 0 && !slices.Contains(directory, name):
				t.Errorf("%s does not lead with site_id; if it is of no single site, say why in ofInstallation", name)
			}
		}
		for name := range sqlstore.OfInstallation {
			if !slices.Contains(made, name) {
				t.Errorf("there is no table %s", name)
			}
		}
	})
}

func tableColumns(t *testing.T, db *sql.DB, table string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table+" WHERE 1 = 0")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err := errors.Join(err, rows.Err()); err != nil {
		t.Fatal(err)
	}
	return columns
}

// installationOf are the rows of no single site as text, by table, but for what is of one
// database.
func installationOf(t *testing.T, s *sqlstore.Store) map[string][]string {
	t.Helper()
	return rowsAsText(t, s, func(table string, _ []string, _ []any) bool {
		_, is := sqlstore.OfInstallation[table]
		return is && table != "meta"
	}, func(string, string) bool { return false })
}

// ada looks after an installation, and there is something of everything about her.
func ada(tx port.Tx, entry string) error {
	now := time.UnixMicro(1_000_000)
	for _, do := range []func() error{
		func() error {
			return tx.Operators().Add(operator.Operator{ID: 1, Email: "ada@example.org", Name: "Ada", Role: operator.Administrator, Everywhere: true, Added: now})
		},
		func() error { return tx.Sessions().Put(operator.Session{Hash: "a session", Operator: 1, Started: now}) },
		func() error {
			return tx.Invitations().Put(operator.Invitation{Hash: "an invitation", Email: "eve@example.org", By: 1, Added: now})
		},
		func() error { return tx.Passkeys().Put(operator.Passkey{ID: "a passkey", Operator: 1, Copied: true}) },
		func() error { return tx.Challenges().Put(operator.Challenge{Hash: "a challenge", Operator: 1}) },
		func() error {
			return tx.Identities().Add(operator.Identity{ID: "an identity", Operator: 1, Added: now})
		},
		func() error { return tx.Audit().Append(operator.Entry{Operator: 1, Operation: "did", Subject: entry}) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// TestTheInstallationComesAlong: everybody who looks after the sites does so afterwards, as
// they did last.
func TestTheInstallationComesAlong(t *testing.T) {
	between(t, func(t *testing.T, from, to place) {
		source, target := from.migrated(t), to.migrated(t)
		porttest.FillSite(t, source, 7)
		update(t, source, func(tx port.Tx) error {
			return errors.Join(ada(tx, "the first"), tx.Credentials().CountRequests(time.UnixMicro(1), "client of 7", 9))
		})
		comes := func(what string) {
			t.Helper()
			if err := sqlstore.CopyInstallation(t.Context(), source, target); err != nil {
				t.Fatal(err)
			}
			want := installationOf(t, source)
			if d := cmp.Diff(want, installationOf(t, target)); d != "" {
				t.Errorf("%s (-source +target)\n%s", what, d)
			}
			const stay = 4 // the facts, and three tables of whom this installation tells what
			if missing := len(sqlstore.OfInstallation) - stay - len(want); missing > 0 {
				t.Errorf("%d tables of the installation have no row", missing)
			}
		}
		comes("at first")
		comes("again")
		// Who signs out, or may do less, before the sites have left does so there as well.
		update(t, source, func(tx port.Tx) error {
			return errors.Join(
				tx.Operators().Replace(operator.Operator{ID: 1, Email: "ada@example.org", Name: "Ada", Role: operator.Reader, Disabled: true}),
				tx.Sessions().Delete("a session"), tx.Sessions().Put(operator.Session{Hash: "another", Operator: 1}),
				tx.Audit().Append(operator.Entry{Operator: 1, Operation: "did", Subject: "the second"}),
			)
		})
		comes("later")
		// Once somebody works there, what was done there counts.
		porttest.FillSite(t, target, 9)
		now := operator.Operator{ID: 1, Email: "ada@example.org", Name: "Ada there"}
		update(t, target, func(tx port.Tx) error { return tx.Operators().Replace(now) })
		if err := sqlstore.CopyInstallation(t.Context(), source, target); err != nil {
			t.Fatal(err)
		}
		if err := target.View(t.Context(), func(tx port.Tx) error {
			found, err := tx.Operators().Get(1)
			if found.Name != now.Name {
				t.Errorf("the operator is called %q", found.Name)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		third := sqlitePlace(t).migrated(t)
		update(t, third, func(tx port.Tx) error { return tx.Operators().Add(operator.Operator{ID: 1, Email: "bob@example.org"}) })
		if err := sqlstore.CopyInstallation(t.Context(), source, third); err == nil || !strings.Contains(err.Error(), "bob@example.org") {
			t.Errorf("among operators of its own: %v", err)
		}
	})
}

// TestAClientComesAlongAsItIs: also where an earlier move left what it was. Where it is
// worked with, nobody gets more than they have there.
func TestAClientComesAlongAsItIs(t *testing.T) {
	between(t, func(t *testing.T, from, to place) {
		source, target := from.migrated(t), to.migrated(t)
		porttest.FillSite(t, source, 7)
		const client access.CredentialID = "client of 7"
		at := func(s *sqlstore.Store, change func(*access.Credential)) (is access.Credential) {
			update(t, s, func(tx port.Tx) (err error) {
				if is, err = tx.Credentials().Held(client); err != nil {
					return err
				}
				change(&is)
				return tx.Credentials().Put(is)
			})
			return is
		}
		copied := func() error {
			return sqlstore.CopySite(t.Context(), source, target, site.Move{Site: 7, State: site.Arriving, ID: "move"}, func(int) {})
		}
		for what, change := range map[string]func(*access.Credential){
			"as it was":   func(*access.Credential) {},
			"rotated":     func(c *access.Credential) { *c = c.Rotated("another secret", time.UnixMicro(9), time.UnixMicro(8)) },
			"may do less": func(c *access.Credential) { c.Packs, c.Rights = access.Customers, nil },
			"revoked":     func(c *access.Credential) { c.RevokedAt = time.UnixMicro(7) },
		} {
			want := at(source, change)
			if err := copied(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if d := cmp.Diff(want, at(target, func(*access.Credential) {})); d != "" {
				t.Errorf("%s (-source +target)\n%s", what, d)
			}
		}
		porttest.FillSite(t, target, 9)
		at(target, func(c *access.Credential) { c.Sites = append(c.Sites, 9) })
		if err := copied(); err != nil {
			t.Errorf("the same client at another site: %v", err)
		}
		at(target, func(c *access.Credential) { c.Packs = access.AllPacks })
		if err := copied(); err == nil || !strings.Contains(err.Error(), "other rights") {
			t.Errorf("a client that may do more at another site: %v", err)
		}
	})
}
