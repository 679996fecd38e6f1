package main

// mutant is a fault that is put into the program to see that a test notices it.
type mutant struct {
	name string
	// file has the text exactly once; the fault is the replacement.
	file, text, replacement string
	// folder is that of the package, and run the pattern of the test, that notices the fault
	// first: a test of the smallest part of the program that can.
	folder, run string
	// rapid: the test would keep what it found for the next run.
	rapid bool
	// postgres: the test needs a PostgreSQL.
	postgres bool
}

// mutants are faults of every kind that tests are there for.
func mutants() []mutant {
	return []mutant{
		{
			name: "money is not rounded to cents", file: "core/domain/criteria/parse.go",
			text: "n = Cents(n)", replacement: "n += 0",
			folder: "core/domain/criteria", run: "^TestG14_MoneyIsRoundedToCents$", rapid: true,
		},
		{
			name: "an instant is searched by the bound of a day", file: "core/search/catalogue/plan.go",
			text: "all{timed, with(instant)}", replacement: "all{timed, with(to.Number)}",
			folder: "core/search/catalogue", run: "^TestIndexAgreesWithItsSpecification$", rapid: true,
		},
		{
			name: "a set equals those it is part of", file: "core/search/catalogue/plan.go",
			text: "same := all{member{c.lengths.slots(len(to.Codes))}}", replacement: "same := all{}",
			folder: "core/search/catalogue", run: "^TestIndexAgreesWithItsSpecification$", rapid: true,
		},
		{
			name: "the scope admits any agency", file: "core/domain/site/site.go",
			text: "_, found := slices.BinarySearch(s.agencies, agency)", replacement: "found := true",
			folder: "core/usecase/listing", run: "^TestActionRefusals$",
		},
		{
			name: "one right is not asked for", file: "core/usecase/listing/operations.go",
			text:        `"/products/{productId}/criteria", 200, kernel.Needs(properties, productRead, access.ProductGet)`,
			replacement: `"/products/{productId}/criteria", 200, kernel.Needs(properties, productRead, "")`,
			folder:      "core/siteapi", run: "^TestAuthorisationMatrix$",
		},
		{
			name: "a failure under an earlier configuration counts", file: "core/domain/webhook/settle.go",
			text: "case o.Epoch != w.Epoch:", replacement: "case false:",
			folder: "core/domain/webhook", run: "^TestW30_AFailureUnderAnEarlierConfigurationCountsNothing$",
		},
		{
			name: "If-Match is ignored when a record is deleted", file: "core/kernel/resource.go",
			text: "match.Check(Version(*stamp.Version))", replacement: "(IfMatch{}).Check(Version(*stamp.Version))",
			folder: "core/kernel", run: "^TestARecordIsRemovedUnderItsCondition$",
		},
		{
			name: "a page begins with the last record of the one before", file: "core/kernel/paging.go",
			text: "id(items[begin]) <= from.id", replacement: "id(items[begin]) < from.id",
			folder: "core/kernel", run: "^TestPagesShowEverythingOnce$", rapid: true,
		},
		{
			name: "another request under the same key is answered", file: "core/kernel/receipt.go",
			text: "case kept.Fingerprint != c.fingerprint:", replacement: "case false:",
			folder: "core/kernel", run: "^TestKeysThatAreRefused$",
		},
		{
			name: "an offer is accepted beside a live agreement", file: "core/usecase/deals/offers.go",
			text: "kernel.FirstError(u.checkNoAgreement(o.Product, live), checkAvailable(p))", replacement: "checkAvailable(p)",
			folder: "core/usecase/deals", run: "^TestNoOfferIsAcceptedBesideALiveAgreement$",
		},
		{
			name: "a cancelled booking stands in the way of the next", file: "core/usecase/agenda/bookings.go",
			text: "a.Status != planning.Cancelled && a.Start.After(u.Now)", replacement: "a.Start.After(u.Now)",
			folder: "core/usecase/agenda", run: "^TestNobodyBooksAProductTwice$",
		},
		{
			name: "calendars are not held when booking", file: "core/usecase/agenda/bookings.go",
			text: "u.Calendars().Hold(u.Site.ID, v.what.Candidates)", replacement: "u.Calendars().Hold(u.Site.ID, nil)",
			folder: "core/usecase/agenda", run: "^TestWhoGivesTimeAwayHoldsTheCalendarsFirst$",
		},
		{
			name: "a private criterion is kept in the request log", file: "core/domain/trace/plan.go",
			text: "return d.Type != criteria.TEXT && !d.IsPrivate()", replacement: "return d.Type != criteria.TEXT",
			folder: "core/domain/trace", run: "^TestACriterionSaysWhatItsValueMayBe$",
		},
		{
			name: "a dwelling of 40 m² is put on the wrong scale", file: "core/domain/energy/applies.go",
			text: "b.Surface <= largestSmall", replacement: "b.Surface < largestSmall",
			folder: "core/domain/energy", run: "^TestEveryBoundaryOfTheSmallSurfaces$",
		},
		{
			name: "an address is not judged when connecting", file: "adapters/sender/transport.go",
			text: "!a.Permits(target)", replacement: "!target.IsValid()",
			folder: "adapters/sender", run: "^TestH8_ANameThatTurnsIsNotFollowed$",
		},
		{
			name: "a request that is sent again has another key", file: "adapters/client/retry.go",
			text:        "r.authorise(sent)",
			replacement: `if r.authorise(sent); sent.Header.Get("Idempotency-Key") != "" { sent.Header.Set("Idempotency-Key", fmt.Sprint(rand.Int64())) }`,
			folder:      "adapters/client", run: "^TestARequestHasItsEffectOnce$",
		},
		{
			name: "rows are not held in PostgreSQL", file: "adapters/postgres/postgres.go",
			text: `"FOR UPDATE"`, replacement: `""`,
			folder: "adapters/postgres", run: "^TestPostgreSQLKeepsTheLaw$/^Races$", rapid: true, postgres: true,
		},
		{
			name: "a scan returns one record too many", file: "adapters/sqlstore/products.go",
			text: "int64(after), max(n, 0))", replacement: "int64(after), max(n, 0)+1)",
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^(Agreement|Entities)$", rapid: true,
		},
		{
			name: "a unit that fails leaves what it wrote", file: "adapters/sqlstore/tx.go",
			text: "_ = t.raw.Rollback()", replacement: "_ = t.raw.Commit()",
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^Rollback$", rapid: true,
		},
		{
			name: "a ledger has gaps", file: "adapters/sqlstore/ledger.go",
			text: `squirrel.Expr("seq + ?")`, replacement: `squirrel.Expr("seq + 1 + ?")`,
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^LedgerAgreement$", rapid: true,
		},
		{
			name: "events come in the wrong order", file: "adapters/sqlstore/ledger.go",
			text: `s.order(true, seq)`, replacement: `s.order(false, seq)`,
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^LedgerAgreement$", rapid: true,
		},
		{
			name: "a field of an event is lost", file: "adapters/sqlstore/ledger.go",
			text: "text(&e.Changed)", replacement: "text(new(string))",
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^LedgerAgreement$", rapid: true,
		},
		{
			name: "a lease is given twice", file: "adapters/sqlstore/leases.go",
			text: `.Where("due_at <= ? AND until <= ?").`, replacement: `.Where("due_at <= ? AND (until <= ? OR until > 0)").`,
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^WebhookRaces$", rapid: true,
		},
		{
			name: "a reference is given twice", file: "adapters/sqlstore/products.go",
			text: "key := product.FoldReference(p.Reference)", replacement: "key := p.Reference",
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^Agreement$", rapid: true,
		},
		{
			name: "the head of a site is the one of before", file: "adapters/sqlstore/store.go",
			text: "func (s *Store) Head(ctx context.Context, id site.ID) (port.Head, error) {",
			replacement: `type formerHead struct {
	store *Store
	site  site.ID
}

var formerHeads sync.Map

func (s *Store) Head(ctx context.Context, id site.ID) (head port.Head, err error) {
	defer func() {
		if err == nil {
			if former, is := formerHeads.Swap(formerHead{s, id}, head); is {
				head = former.(port.Head)
			}
		}
	}()
`,
			folder: "adapters/sqlite", run: "^TestSQLiteKeepsTheLaw$/^LedgerAgreement$", rapid: true,
		},
	}
}
