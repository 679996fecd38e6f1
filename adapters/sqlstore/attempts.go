package sqlstore

import (
	"bytes"
	"cmp"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// deliveryAttempts are attempts of a delivery. They are in its row: an attempt is stored
// with what became of the delivery, and rows of their own cost a fifth more of the journal
// and an eighth of the rate.
type deliveryAttempts struct {
	Site     site.ID
	Hook     webhook.ID
	Delivery webhook.DeliveryID
	Attempts []webhook.Attempt
}

func (s *Store) attempts() mapping[deliveryAttempts] {
	return mapping[deliveryAttempts]{
		table: deliveries.table,
		keys:  deliveries.keys,
		row: func(d *deliveryAttempts) row {
			return row{
				{"site_id", whole(&d.Site)}, {"hook_id", whole(&d.Hook)}, {"id", whole(&d.Delivery)}, {"attempts", attemptLines{d, s.keyring}},
			}
		},
	}
}

// attemptLines is a column of attempts, each a line of JSON.
type attemptLines struct {
	of   *deliveryAttempts
	keys Keyring
}

// attemptLine is a line: the moment is in microseconds, the address is sealed.
type attemptLine struct {
	Number   int           `json:"number"`
	At       *int64        `json:"at,omitempty"`
	URL      string        `json:"url"`
	Status   int           `json:"status,omitempty"`
	Duration time.Duration `json:"nanoseconds,omitempty"`
	Error    string        `json:"error,omitempty"`
	Excerpt  string        `json:"excerpt,omitempty"`
}

// address is the address of an attempt, as it is sealed.
func (c attemptLines) address(a *webhook.Attempt) codec {
	id := func() string { return fmt.Sprintf("%d %d", c.of.Delivery, a.Number) }
	return sealing{c.keys, "delivery_attempt", &c.of.Site, id}.address("url", &a.URL).value.(codec)
}

func (c attemptLines) Value() (driver.Value, error) {
	var lines bytes.Buffer
	to := json.NewEncoder(&lines)
	for _, a := range c.of.Attempts {
		for _, storable := range []codec{text(&a.Error), text(&a.Excerpt)} {
			if _, err := storable.Value(); err != nil {
				return nil, err
			}
		}
		sealed, err := c.address(&a).Value()
		if err != nil {
			return nil, err
		}
		line := attemptLine{a.Number, nil, sealed.(string), a.Status, a.Duration, a.Error, a.Excerpt}
		if !a.At.IsZero() {
			line.At = new(a.At.UnixMicro())
		}
		if err := to.Encode(line); err != nil {
			return nil, err
		}
	}
	return lines.String(), nil
}

// Scan puts the attempts in the order of their numbers. The last one of a number is the
// one that holds.
func (c attemptLines) Scan(src any) error {
	var lines string
	if err := text(&lines).Scan(src); err != nil {
		return err
	}
	c.of.Attempts = nil
	for stored := range strings.Lines(lines) {
		var line attemptLine
		if err := json.Unmarshal([]byte(stored), &line); err != nil {
			return err
		}
		a := webhook.Attempt{Number: line.Number, Status: line.Status, Duration: line.Duration, Error: line.Error, Excerpt: line.Excerpt}
		if line.At != nil {
			a.At = time.UnixMicro(*line.At).UTC()
		}
		if err := c.address(&a).Scan(line.URL); err != nil {
			return err
		}
		i, found := slices.BinarySearchFunc(c.of.Attempts, a, func(a, b webhook.Attempt) int { return cmp.Compare(a.Number, b.Number) })
		if found {
			c.of.Attempts[i] = a
		} else {
			c.of.Attempts = slices.Insert(c.of.Attempts, i, a)
		}
	}
	return nil
}

// givenAttempts has a statement change deliveries by attempts that it is given, which are
// called made.
func (s *Store) givenAttempts(change squirrel.UpdateBuilder) squirrel.Sqlizer {
	m := s.attempts()
	given := "WITH given (site, hook, delivery, made) AS (" + s.dialect.Rows(m.table, m.row(new(deliveryAttempts)).names()) + ")"
	return change.Prefix(given).From("given").Where("site_id = site AND hook_id = hook AND id = delivery")
}

// writeAttempts runs a statement of givenAttempts with its parameters, and reports how many
// deliveries it changed.
func (t *tx) writeAttempts(statement string, made []deliveryAttempts, parameters ...any) (int64, error) {
	m := t.store.attempts()
	rows, err := rowsOf(m, made)
	if err != nil {
		return 0, t.fail(fmt.Errorf("writing %s: %w", m.table, err))
	}
	return t.exec(statement, slices.Concat([]any{rows}, parameters)...)
}
