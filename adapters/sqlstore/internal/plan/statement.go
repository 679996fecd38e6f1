package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Statement stores plans. Its text is the same for all plans that are based on records of the
// same tables and write the same parts; Name is then the same as well.
type Statement struct {
	// Draws says that counters of references are moved.
	Draws bool
	// Seen are the tables of the records that the plans are based on, and Parts what they
	// write, both by their names.
	Seen  []string
	Parts []Part
	Args  []any
}

// Part is what a statement does to the records of a table: one or more common table
// expressions. They read the records from one parameter, a JSON array of objects with the
// columns, and leave out those of sites that are not in met.
type Part struct{ Name, Text string }

// Name names all statements with the same text.
func (s Statement) Name() string {
	words := slices.Clone(s.Seen)
	if s.Draws {
		words = append(words, "drawn")
	}
	for _, p := range s.Parts {
		words = append(words, p.Name)
	}
	return strings.Join(words, " ")
}

// assumed is what plans assume of a site, as the statement reads it.
type assumed struct {
	Site     site.ID `json:"site_id"`
	Seq      int64   `json:"seq"`
	Events   int     `json:"events"`
	Last     int64   `json:"last_at"`
	Access   *int64  `json:"access"`
	Webhooks *string `json:"webhooks"`
}

// draw is how far a counter of references is moved.
type draw struct {
	Site   site.ID       `json:"site_id"`
	Agency site.AgencyID `json:"agency_id"`
	From   int64         `json:"last_number"`
	To     int64         `json:"next_number"`
}

// statementOf returns the statement of plans, of which those of one site come in the order in
// which they were made.
func statementOf(all []*Plan) (Statement, error) {
	sites := map[site.ID]*assumed{}
	draws := map[draw]draw{} // under those with only a site and an agency
	seen := map[string][]Seen{}
	parts := map[string]*records{}
	for _, p := range all {
		id := p.site.id
		of := sites[id]
		if of == nil {
			of = &assumed{Site: id, Seq: p.head.Seq}
			sites[id] = of
		}
		of.Events, of.Last = of.Events+p.events, p.last.UnixMicro()
		of.Access, of.Webhooks = cmp.Or(p.access, of.Access), cmp.Or(p.webhooks, of.Webhooks)
		for _, d := range p.draws {
			counter := draw{Site: d.Site, Agency: d.Agency}
			if before, drawn := draws[counter]; drawn {
				d.From = before.From
			}
			draws[counter] = d
		}
		for _, s := range p.seen {
			if !slices.Contains(seen[s.Table], s) {
				seen[s.Table] = append(seen[s.Table], s)
			}
		}
		for name, of := range p.parts {
			if parts[name] == nil {
				parts[name] = &records{part: of.part}
			}
			parts[name].rows = append(parts[name].rows, of.rows...)
		}
	}
	made := Statement{Draws: len(draws) > 0, Seen: slices.Sorted(maps.Keys(seen))}
	var problems []error
	parameter := func(v any) {
		text, err := json.Marshal(v)
		made.Args, problems = append(made.Args, string(text)), append(problems, err)
	}
	parameter(slices.Collect(maps.Values(sites)))
	if made.Draws {
		parameter(slices.Collect(maps.Values(draws)))
	}
	for _, table := range made.Seen {
		parameter(seen[table])
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		made.Parts = append(made.Parts, parts[name].part)
		parameter(parts[name].rows)
	}
	if errors.Join(problems...) != nil {
		return made, ErrNeedsTx // with a transaction the unit itself fails with what is wrong
	}
	return made, nil
}

// Text returns the statement, with a ? for each of Args. open is the condition that something
// may be written to a site, about its head. All begins with the sites that are as
// assumed: the engine knows that they are few, while it takes any list in a parameter for a
// hundred rows and reads whole tables for them. What others have locked is about to change:
// it is skipped, so that the statement waits for nobody.
func (s Statement) Text(open string) string {
	with := []string{
		"assumed AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS " +
			"a (site_id bigint, seq bigint, events bigint, last_at bigint, access bigint, webhooks text))",
		"sites AS MATERIALIZED (SELECT assumed.* FROM site_head JOIN assumed USING (site_id, seq) " +
			"WHERE (assumed.access IS NULL OR site_head.access = assumed.access) " +
			"AND (assumed.webhooks IS NULL OR assumed.webhooks = " + fingerprintOf("assumed.site_id") + ") " +
			"AND " + open + " FOR NO KEY UPDATE OF site_head SKIP LOCKED)",
	}
	met := "TRUE"
	// all adds to met that as many rows of the site were found as are wanted.
	all := func(found, wanted string) {
		met += " AND (SELECT count(*) FROM " + found + " AS f WHERE f.site_id = sites.site_id)" +
			" = (SELECT count(*) FROM " + wanted + " AS w WHERE w.site_id = sites.site_id)"
	}
	if s.Draws {
		with = append(with,
			"drawn AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS "+
				"c (site_id bigint, agency_id bigint, last_number bigint, next_number bigint))",
			"counters AS MATERIALIZED (SELECT drawn.* FROM sites JOIN drawn USING (site_id) JOIN reference_counter USING (site_id, agency_id, last_number) "+
				"FOR UPDATE OF reference_counter SKIP LOCKED)")
		all("counters", "drawn")
	}
	for _, table := range s.Seen {
		with = append(with,
			"seen_"+table+" AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS s (site_id bigint, id bigint, row_version text))",
			"same_"+table+" AS MATERIALIZED (SELECT site_id FROM sites JOIN seen_"+table+" USING (site_id) JOIN "+table+" USING (site_id, id) "+
				"WHERE "+table+"."+Version+" = seen_"+table+".row_version FOR UPDATE OF "+table+" SKIP LOCKED)")
		all("same_"+table, "seen_"+table)
	}
	with = append(with,
		"met AS MATERIALIZED (SELECT site_id FROM sites WHERE "+met+")",
		"counted AS (UPDATE site_head SET seq = site_head.seq + sites.events, last_at = sites.last_at "+
			"FROM sites JOIN met USING (site_id) WHERE site_head.site_id = sites.site_id)")
	if s.Draws {
		with = append(with, "moved AS (UPDATE reference_counter SET last_number = counters.next_number "+
			"FROM counters JOIN met USING (site_id) WHERE reference_counter.site_id = counters.site_id AND reference_counter.agency_id = counters.agency_id)")
	}
	for _, p := range s.Parts {
		with = append(with, p.Text)
	}
	return "WITH " + strings.Join(with, ", ") + " SELECT site_id FROM met"
}

// fingerprint changes whenever another event, or the same one in another way, may go to a
// webhook of the site.
func fingerprint(hooks []webhook.Webhook) string {
	each := make([]string, len(hooks))
	for i, w := range hooks {
		var modified int64
		if !w.Modified.IsZero() {
			modified = w.Modified.UnixMicro()
		}
		each[i] = fmt.Sprintf("%d:%d:%s:%d", w.ID, w.Epoch, w.State, modified)
	}
	return strings.Join(each, ",")
}

// fingerprintOf is fingerprint in the database, for the webhooks of the site in a column.
func fingerprintOf(column string) string {
	return "(SELECT coalesce(string_agg(concat_ws(':', id, epoch, state, coalesce(modified_at, 0)), ',' ORDER BY id), '') " +
		"FROM webhook WHERE webhook.site_id = " + column + ")"
}
