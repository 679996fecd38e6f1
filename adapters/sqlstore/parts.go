package sqlstore

import (
	"maps"
	"slices"
	"strings"
)

// storePart is a part of the statement that stores what units have collected: what it does to the
// records of one table. text reads them from one parameter, as Dialect.Rows does, and leaves out
// those of sites that are not in met.
type storePart struct{ name, text string }

// putting is the part that stores records, whether or not there are some with their keys.
func putting[T any](d Dialect, m mapping[T]) storePart {
	return storePart{"put_" + m.table, into(d, m.table, m.written(new(T)).names(), m.replacing())}
}

// adding is the part that stores new records.
func adding[T any](d Dialect, m mapping[T]) storePart {
	return storePart{"added_" + m.table, into(d, m.table, m.written(new(T)).names(), "")}
}

// changing is the part that stores new states of records that are held.
func changing[T any](d Dialect, m mapping[T]) storePart {
	var same []string
	for _, name := range m.keys {
		same = append(same, m.table+"."+name+" = changed."+name)
	}
	return storePart{"changed_" + m.table, "(UPDATE " + m.table + " SET " + m.takenFrom("changed") +
		" FROM (" + d.Rows(m.table, m.written(new(T)).names()) + ") AS changed JOIN met USING (site_id) WHERE " + strings.Join(same, " AND ") + ")"}
}

func into(d Dialect, table string, names []string, suffix string) string {
	return "(INSERT INTO " + table + " (" + strings.Join(names, ", ") + ") " + d.Rows(table, names) + " AS added JOIN met USING (site_id) " + suffix + ")"
}

// rowsOfPart are the records that a unit has written of a part, the last state of each.
type rowsOfPart struct {
	storePart
	rows map[recordKey]map[string]any
}

// isBasedOn reports whether the unit has seen one of some records.
func (c *collected) isBasedOn(written map[recordKey]bool) bool {
	return slices.ContainsFunc(c.seen, func(s seen) bool { return written[s.key()] })
}

// hasSeen reports whether the unit is based on a record.
func (c *collected) hasSeen(key recordKey) bool {
	return slices.ContainsFunc(c.seen, func(s seen) bool { return s.key() == key })
}

// shape says what the statement for some units is made of.
type shape struct {
	// draws says that references are drawn, delivers that webhooks are told.
	draws, delivers bool
	// seen are the tables of what the units are based on, and parts what they write, both by
	// their names.
	seen  []string
	parts []storePart
}

func (s shape) name() string {
	words := slices.Clone(s.seen)
	if s.draws {
		words = append(words, "drawn")
	}
	for _, p := range s.parts {
		words = append(words, p.name)
	}
	if s.delivers {
		words = append(words, "sent")
	}
	return strings.Join(words, " ")
}

// partsOf are the rows of each part that units write, by its name.
func partsOf(all []*collected) (parts []storePart, rows map[string][]map[string]any) {
	known := map[string]storePart{}
	rows = map[string][]map[string]any{}
	for _, c := range all {
		for name, of := range c.parts {
			known[name] = of.storePart
			rows[name] = slices.AppendSeq(rows[name], maps.Values(of.rows))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		parts = append(parts, known[name])
	}
	return parts, rows
}

// seenBy are the rows that units are based on, each once, by table.
func seenBy(all []*collected) map[string][]seen {
	rows := map[string][]seen{}
	for _, c := range all {
		for _, s := range c.seen {
			if !slices.Contains(rows[s.table], s) {
				rows[s.table] = append(rows[s.table], s)
			}
		}
	}
	return rows
}
