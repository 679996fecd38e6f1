package sqlstore

import (
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

func headRow(h *port.Head) row {
	return row{{"seq", whole(&h.Seq)}, {"settings", whole(&h.Settings)}, {"access", whole(&h.Access)}}
}

var heads = mapping[port.Head]{table: "site_head", row: headRow}

func findHead() squirrel.Sqlizer { return heads.find("site_id = ?") }

var events = mapping[event.Event]{
	table: "ledger",
	keys:  []string{"site_id", "seq"},
	row: func(e *event.Event) row {
		return row{
			{"site_id", whole(&e.Site)}, {"seq", whole(&e.Seq)}, {"type", text(&e.Type)},
			{"resource_id", whole(&e.Resource)}, {"agency_id", whole(&e.Agency)}, {"happened_at", instant(&e.At)},
		}
	},
}

// countEvents moves the head of a site's ledger. The row stays locked until the
// unit ends, which is what keeps the sequence without gaps.
func countEvents() squirrel.Sqlizer {
	return squirrel.Update("site_head").Set("seq", squirrel.Expr("seq + ?")).Where("site_id = ?").Suffix("RETURNING seq")
}

type ledgerRole struct{ *tx }

// batch is how many events one statement records, well below the number of
// parameters either engine takes.
const batch = 1000

func (r ledgerRole) Append(id site.ID, happened []event.Event) (int64, error) {
	seqs, err := r.numbers(r.store.hot.count, int64(len(happened)), int64(id))
	if err != nil {
		return 0, err
	}
	if len(seqs) == 0 {
		return 0, noSite(id)
	}
	happened = slices.Clone(happened)
	for i := range happened {
		happened[i].Site, happened[i].Seq = id, seqs[0]-int64(len(happened)-1-i)
	}
	for chunk := range slices.Chunk(happened, batch) {
		if err := r.record(chunk); err != nil {
			return 0, err
		}
	}
	return seqs[0], nil
}

func (r ledgerRole) record(chunk []event.Event) error {
	if len(chunk) == 1 {
		_, err := write(r.tx, events, r.store.hot.record, chunk[0])
		return err
	}
	b := squirrel.Insert(events.table).Columns(events.row(&event.Event{}).names()...)
	var all row
	for i := range chunk {
		r := events.row(&chunk[i])
		b = b.Values(parameters(len(r))...)
		all = append(all, r...)
	}
	_, err := r.write(events.table, r.store.text(b), all)
	return err
}

func (r ledgerRole) After(id site.ID, seq int64, n int) ([]event.Event, error) {
	return list(r.tx, events, r.store.text(events.find("site_id = ? AND seq > ?").OrderBy("seq").Suffix("LIMIT ?")),
		int64(id), seq, max(n, 0))
}

func (r ledgerRole) Head(id site.ID) (port.Head, error) {
	found, err := list(r.tx, heads, r.store.hot.head, int64(id))
	if err == nil && len(found) == 0 {
		err = noSite(id)
	}
	if err != nil {
		return port.Head{}, err
	}
	return found[0], nil
}

func (r ledgerRole) Touch(id site.ID, aspect port.Aspect) error {
	name := "settings"
	if aspect == port.AspectAccess {
		name = "access"
	}
	n, err := r.exec(r.store.text(squirrel.Update("site_head").Set(name, squirrel.Expr(name+" + 1")).Where("site_id = ?")), int64(id))
	if err == nil && n == 0 {
		err = noSite(id)
	}
	return err
}
