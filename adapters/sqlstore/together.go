package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// storeQueue stores what units have collected, one statement after the other. What comes while
// one is under way waits, and goes with the next. With two queues each statement was about half as
// many units, and the database took a third more time for each: every statement begins and
// ends as many parts, however many units there are.
type storeQueue struct {
	mu       sync.Mutex
	underWay bool
	next     []*collected
	// ctx is that of the first of next. Its values go with the statement, its end does not.
	ctx context.Context
	// prepared are the statements that store, by the names of their shapes. They are for the
	// one that is under way.
	prepared map[string]storeStatement
}

// maxPrepared is how many of these statements are prepared at a time. Units of different
// kinds that meet make a shape of their own, of which there may be many, and each takes
// memory of the database in each connection.
const maxPrepared = 64

// store stores what a unit has collected. It fails with errCollected when something is not
// as the unit was told.
func (s *Store) store(ctx context.Context, c *collected) error {
	if c.of == nil {
		return nil // it wrote nothing
	}
	q := &s.queue
	q.mu.Lock()
	c.hand()
	if q.underWay {
		if q.next == nil {
			q.ctx = context.WithoutCancel(ctx)
		}
		c.done = make(chan struct{})
		q.next = append(q.next, c)
		q.mu.Unlock()
		defer noting(ctx, 0)()
		ctx, answered := bounded(context.WithoutCancel(ctx))
		defer answered()
		select {
		case <-c.done:
			return c.err
		case <-ctx.Done():
			return unconfirmed(ctx.Err())
		}
	}
	q.underWay = true
	q.mu.Unlock()
	var err error
	defer func() { // even when whoever observes statements panics
		if ctx, next := q.taken(); next != nil {
			go s.storeRest(ctx, q, next, err)
		}
	}()
	err = s.storeAll(context.WithoutCancel(ctx), []*collected{c})
	return c.err
}

// storeRest stores what waited for a statement that ended with err, and what waited for
// that, and so on. Who waited for a database that was silent has waited as long as anybody
// may: nothing is sent for them.
func (s *Store) storeRest(ctx context.Context, q *storeQueue, next []*collected, err error) {
	for ; next != nil; ctx, next = q.taken() {
		if !silent(err) {
			err = s.storeAll(ctx, next)
			continue
		}
		err = s.explain(ctx, driver.ErrBadConn)
		for _, c := range next {
			c.err = err
		}
		finish(next)
	}
}

// silent reports whether an error is that the database was waited for in vain.
func silent(err error) bool {
	waited, ok := errors.AsType[net.Error](err)
	return ok && waited.Timeout()
}

// taken are those who have waited.
func (q *storeQueue) taken() (context.Context, []*collected) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ctx, next := q.ctx, q.next
	q.ctx, q.next = nil, nil
	q.underWay = next != nil
	return ctx, next
}

// storeAll stores what several units have collected, for each site all of it or nothing, and
// tells them. It returns how the statement ended.
func (s *Store) storeAll(ctx context.Context, all []*collected) error {
	defer finish(all)
	sound := soundOf(all)
	if len(sound) == 0 {
		return nil
	}
	stored, err := s.storeTogether(ctx, sound)
	for _, c := range sound {
		c.err = err
		if err == nil && !stored[c.of.id] {
			c.err = errNotAsTold
		}
	}
	return err
}

// soundOf are the units that were told what still stands, and are based on no record that
// one before them is about to change. Who follows such a one at its site was told too much.
func soundOf(all []*collected) (sound []*collected) {
	changed, wrong := map[recordKey]bool{}, map[site.ID]bool{}
	for _, c := range all {
		c.err = errNotAsTold
		if wrong[c.of.id] || !c.of.current(c) || c.isBasedOn(changed) {
			wrong[c.of.id] = true
			continue
		}
		for _, of := range c.parts {
			for key := range of.rows {
				changed[key] = true
			}
		}
		sound = append(sound, c)
	}
	return sound
}

// finish lets units go whose err is set.
func finish(all []*collected) {
	for _, c := range all {
		c.of.stored(c.err)
		if c.done != nil {
			close(c.done)
		}
	}
}

// storeTogether tells the sites whose units are stored: those that were as their units were told.
func (s *Store) storeTogether(ctx context.Context, all []*collected) (stored map[site.ID]bool, err error) {
	args, of, err := written(all)
	if err != nil {
		return nil, errCollected // the unit that wrote it will be told
	}
	noted := noting(ctx, prompt)
	sending, answered := bounded(ctx)
	defer answered()
	statement, first := s.statementOf(sending, of), &sentOnce{text: args[0], inTime: answered}
	args[0] = first
	stored, err = toldOf(sending, s, statement.text, func() (map[site.ID]bool, error) { return statement.run(sending, args...) })
	noted()
	if err == nil {
		return stored, nil
	}
	kind := s.dialect.trouble(err)
	switch {
	case first.sent && (kind == Away || kind == Unknown):
		return nil, unconfirmed(err)
	case kind == Away:
		return nil, s.explain(ctx, err)
	}
	if kind == Standby {
		s.standby.Store(true)
	}
	// The engine said no, and has stored nothing.
	return nil, errCollected
}

// sentOnce is a parameter that makes its statement be sent no more than once. Package sql
// sends a statement again whose connection ended before the answer came, and what was
// stored already would not be recognised: the site would only seem to have been written to
// by somebody else.
type sentOnce struct {
	text any
	// inTime ends what ends the wait for a connection: what is sent is not cancelled any more.
	inTime func() bool
	sent   bool
}

var errSentBefore = errors.New("the connection ended before the answer came")

// Value implements driver.Valuer. It is asked for each time that the statement is sent.
func (p *sentOnce) Value() (driver.Value, error) {
	switch {
	case p.sent:
		return nil, errSentBefore
	case !p.inTime():
		return nil, context.Canceled
	}
	p.sent = true
	return p.text, nil
}

// statementOf is the statement of a shape. It is prepared when it is first wanted; of too many,
// any one is forgotten.
func (s *Store) statementOf(ctx context.Context, of shape) storeStatement {
	name, q := of.name(), &s.queue
	if known, found := q.prepared[name]; found {
		return known
	}
	made := storeStatement{text: s.text(storeText(s.dialect, of)), pool: s.write}
	if s.unprepared {
		return made
	}
	var err error
	if made.prepared, err = s.write.PrepareContext(ctx, made.text); err != nil {
		return storeStatement{text: made.text, pool: s.write} // what is wrong is told when it is run
	}
	if q.prepared == nil {
		q.prepared = map[string]storeStatement{}
	}
	for other, known := range q.prepared {
		if len(q.prepared) < maxPrepared {
			break
		}
		_ = known.prepared.Close()
		delete(q.prepared, other)
	}
	q.prepared[name] = made
	return made
}

// storeStatement is a statement that stores what units have collected. prepared is nil where it is
// not prepared.
type storeStatement struct {
	text     string
	pool     *pool
	prepared *sql.Stmt
}

// run tells the sites for which it stored something. The whole answer is read: only at its end is
// it known that all is stored.
func (s storeStatement) run(ctx context.Context, args ...any) (stored map[site.ID]bool, err error) {
	var rows *sql.Rows
	if s.prepared != nil {
		rows, err = s.prepared.QueryContext(ctx, args...)
	} else {
		rows, err = s.pool.QueryContext(ctx, s.text, args...)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	stored = map[site.ID]bool{}
	for rows.Next() {
		var id site.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		stored[id] = true
	}
	return stored, rows.Err()
}

// expectation is what is expected of a site, as the statement reads it.
type expectation struct {
	Site   site.ID `json:"site_id"`
	Seq    int64   `json:"seq"`
	Events int     `json:"events"`
	Last   int64   `json:"last_at"`
	Access *int64  `json:"access"`
	Hooks  *string `json:"hooks"`
}

// draw is how far a counter of references is moved.
type draw struct {
	Site   site.ID       `json:"site_id"`
	Agency site.AgencyID `json:"agency_id"`
	From   int64         `json:"last_number"`
	To     int64         `json:"next_number"`
}

// written makes the arguments of the statement. Units of one site come in the order in
// which they were told.
func written(all []*collected) (args []any, made shape, err error) {
	sites := map[site.ID]*expectation{}
	draws := map[site.AgencyID]*draw{}
	var (
		happened []event.Event
		sent     []webhook.Delivery
	)
	for _, c := range all {
		of := sites[c.of.id]
		if of == nil {
			of = &expectation{Site: c.of.id, Seq: c.seq}
			sites[c.of.id] = of
		}
		of.Events, of.Last = of.Events+len(c.events), c.last.UnixMicro()
		of.Access, of.Hooks = cmp.Or(c.access, of.Access), cmp.Or(c.hooks, of.Hooks)
		for agency, moved := range c.counters {
			if draws[agency] == nil {
				draws[agency] = &draw{c.of.id, agency, moved.from, moved.to}
			}
			draws[agency].To = moved.to
		}
		happened, sent = append(happened, c.events...), append(sent, c.deliveries...)
	}
	var problems []error
	write := func(text string, err error) {
		args, problems = append(args, text), append(problems, err)
	}
	write(marshalled(slices.Collect(maps.Values(sites))))
	if made.draws = len(draws) > 0; made.draws {
		write(marshalled(slices.Collect(maps.Values(draws))))
	}
	based := seenBy(all)
	for _, table := range slices.Sorted(maps.Keys(based)) {
		made.seen = append(made.seen, table)
		write(marshalled(based[table]))
	}
	write(rowsOf(events, happened))
	parts, rows := partsOf(all)
	for _, p := range parts {
		write(marshalled(rows[p.name]))
	}
	made.parts = parts
	if made.delivers = len(sent) > 0; made.delivers {
		write(rowsOf(deliveries, sent))
		write(rowsOf(hookLeases, leasesOf(sent)))
	}
	return args, made, errors.Join(problems...)
}

func marshalled(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// storeText is the statement that stores what units have collected, of those sites of which all is as
// they were told, and tells which these are. What somebody else holds is about to change: nobody waits
// for it. All begins with the sites that were found: the engine knows that they are few, while it takes
// any list in a parameter for a hundred rows and reads whole tables for them.
// The parameters are those of written.
func storeText(d Dialect, of shape) squirrel.Sqlizer {
	parts := []string{
		"expected AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS " +
			"e (site_id bigint, seq bigint, events bigint, last_at bigint, access bigint, hooks text))",
		"sites AS MATERIALIZED (SELECT expected.* FROM site_head JOIN expected USING (site_id, seq) " +
			"WHERE (expected.access IS NULL OR site_head.access = expected.access) " +
			"AND (expected.hooks IS NULL OR expected.hooks = " + hooksFingerprint("expected.site_id") + ") " +
			"AND site_head." + takesChanges + " AND " + d.here() + " FOR NO KEY UPDATE OF site_head SKIP LOCKED)",
	}
	asTold := "TRUE"
	// all adds that as many rows of a site were found as there should be.
	all := func(found, wanted string) {
		asTold += " AND (SELECT count(*) FROM " + found + " AS f WHERE f.site_id = sites.site_id)" +
			" = (SELECT count(*) FROM " + wanted + " AS w WHERE w.site_id = sites.site_id)"
	}
	if of.draws {
		parts = append(parts,
			"drawn AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS "+
				"c (site_id bigint, agency_id bigint, last_number bigint, next_number bigint))",
			"counters AS MATERIALIZED (SELECT drawn.* FROM sites JOIN drawn USING (site_id) JOIN reference_counter USING (site_id, agency_id, last_number) "+
				"FOR UPDATE OF reference_counter SKIP LOCKED)")
		all("counters", "drawn")
	}
	for _, table := range of.seen {
		parts = append(parts,
			"seen_"+table+" AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS s (site_id bigint, id bigint, row_version text))",
			"still_"+table+" AS MATERIALIZED (SELECT site_id FROM sites JOIN seen_"+table+" USING (site_id) JOIN "+table+" USING (site_id, id) "+
				"WHERE "+table+"."+rowVersion+" = seen_"+table+".row_version FOR UPDATE OF "+table+" SKIP LOCKED)")
		all("still_"+table, "seen_"+table)
	}
	parts = append(parts,
		"met AS MATERIALIZED (SELECT site_id FROM sites WHERE "+asTold+")",
		"counted AS (UPDATE site_head SET seq = site_head.seq + sites.events, last_at = sites.last_at "+
			"FROM sites JOIN met USING (site_id) WHERE site_head.site_id = sites.site_id)",
		"happened AS "+into(d, events.table, events.written(new(event.Event)).names(), ""))
	if of.draws {
		parts = append(parts, "moved AS (UPDATE reference_counter SET last_number = counters.next_number "+
			"FROM counters JOIN met USING (site_id) WHERE reference_counter.site_id = counters.site_id AND reference_counter.agency_id = counters.agency_id)")
	}
	for _, p := range of.parts {
		parts = append(parts, p.name+" AS "+p.text)
	}
	if of.delivers {
		names := deliveries.written(new(webhook.Delivery)).names()
		values := slices.Clone(names)
		values[slices.Index(names, "id")] = "nextval('" + sequenceNames[port.DeliveryIDs] + "')"
		parts = append(parts,
			"sent AS (INSERT INTO "+deliveries.table+" ("+strings.Join(names, ", ")+") SELECT "+strings.Join(values, ", ")+
				" FROM (SELECT sent.* FROM json_populate_recordset(NULL::"+deliveries.table+", ?::json) AS sent JOIN met USING (site_id) ORDER BY site_id, event_seq, id) AS sent)",
			"due AS "+into(d, hookLeases.table, hookLeases.row(&hookLease{}).names(), sooner))
	}
	return squirrel.Expr("WITH " + strings.Join(parts, ", ") + " SELECT site_id FROM met")
}
