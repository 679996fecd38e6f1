package copy

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	_ "embed"
	"errors"
	"math"
	"time"
)

//go:embed leads.sql
var leadsSchema string

// Visitors keeps what visitors of a website entered, sealed with AES-GCM. It is safe for concurrent use.
type Visitors struct {
	copy *Copy
	seal cipher.AEAD
}

// Visitors returns what visitors entered. key has 16, 24 or 32 bytes.
func (c *Copy) Visitors(key []byte) (*Visitors, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	return &Visitors{c, seal}, err
}

// Lead is one that waits to be sent. Body is nil when it was sealed under another key.
type Lead struct {
	ID    string
	Body  []byte
	Tries int
	Due   time.Time
}

// The times after which a lead is gone that was not accepted, and the id of one that was: a form can be sent
// again for a day.
const (
	leadKept     = 7 * 24 * time.Hour
	acceptedKept = leadKept + 2*24*time.Hour
)

// never is when a lead is due that is not sent again.
const never = math.MaxInt64

// KeepLead keeps a lead until it is sent, and reports whether it is new. It is on the disk when KeepLead returns.
func (v *Visitors) KeepLead(ctx context.Context, id string, body []byte, at time.Time) (bool, error) {
	result, err := v.copy.db.ExecContext(ctx, "INSERT INTO lead (id, body, kept_at, tries, due, problem) VALUES (?, ?, ?, 0, ?, '') ON CONFLICT DO NOTHING",
		id, v.sealed(id, body), at.UnixMicro(), at.UnixMicro())
	if err != nil {
		return false, err
	}
	kept, err := result.RowsAffected()
	return kept > 0, err
}

// Leads returns up to n leads that wait, in the order in which they are due.
func (v *Visitors) Leads(ctx context.Context, n int) ([]Lead, error) {
	rows, err := v.copy.db.QueryContext(ctx, "SELECT id, body, tries, due FROM lead WHERE body IS NOT NULL AND due < ? ORDER BY due, id LIMIT ?", int64(never), n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Lead
	for rows.Next() {
		var l Lead
		var due int64
		if err := rows.Scan(&l.ID, &l.Body, &l.Tries, &due); err != nil {
			return nil, err
		}
		l.Due = time.UnixMicro(due).UTC()
		l.Body, _ = v.opened(l.ID, l.Body) // nil says so
		found = append(found, l)
	}
	return found, rows.Err()
}

// PostponeLead says when a lead is sent again, and what came of the last time.
func (v *Visitors) PostponeLead(ctx context.Context, id string, tries int, due time.Time, problem string) error {
	return v.run(ctx, "UPDATE lead SET tries = ?, due = ?, problem = ? WHERE id = ?", tries, due.UnixMicro(), problem, id)
}

// RefuseLead keeps a lead that the server does not take, to be seen by an operator; it is not sent again.
func (v *Visitors) RefuseLead(ctx context.Context, id, problem string) error {
	return v.run(ctx, "UPDATE lead SET due = ?, problem = ? WHERE id = ?", int64(never), problem, id)
}

// AcceptLead removes the body of a lead that was accepted.
func (v *Visitors) AcceptLead(ctx context.Context, id string) error {
	return v.run(ctx, "UPDATE lead SET body = NULL, problem = '' WHERE id = ?", id)
}

// DropLead removes a lead.
func (v *Visitors) DropLead(ctx context.Context, id string) error {
	return v.run(ctx, "DELETE FROM lead WHERE id = ?", id)
}

// Waiting returns how many leads were not accepted yet, since when the oldest has waited (the zero time
// if there is none), and what is wrong with how many.
func (v *Visitors) Waiting(ctx context.Context) (leads int, oldest time.Time, problems map[string]int, err error) {
	rows, err := v.copy.db.QueryContext(ctx, "SELECT problem, count(*), min(kept_at) FROM lead WHERE body IS NOT NULL GROUP BY problem")
	if err != nil {
		return 0, oldest, nil, err
	}
	defer rows.Close()
	problems = map[string]int{}
	for rows.Next() {
		var problem string
		var count int
		var since int64
		if err := rows.Scan(&problem, &count, &since); err != nil {
			return 0, oldest, nil, err
		}
		leads += count
		if at := time.UnixMicro(since).UTC(); oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
		if problem != "" {
			problems[problem] = count
		}
	}
	return leads, oldest, problems, rows.Err()
}

// KeepBooking keeps what is known of a booking until a moment, in place of what was.
func (v *Visitors) KeepBooking(ctx context.Context, id string, body []byte, until time.Time) error {
	return v.run(ctx, "INSERT INTO booking (id, body, until) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body, until = excluded.until",
		id, v.sealed(id, body), until.UnixMicro())
}

// Booking returns what is known of a booking; nil if nothing is, or it was sealed under another key.
func (v *Visitors) Booking(ctx context.Context, id string) ([]byte, error) {
	var body []byte
	err := v.copy.db.QueryRowContext(ctx, "SELECT body FROM booking WHERE id = ?", id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		body, _ = v.opened(id, body) // nil says so
	}
	return body, err
}

// Forget removes what is not kept any longer, and returns how many leads were never accepted.
func (v *Visitors) Forget(ctx context.Context, at time.Time) (lost int64, err error) {
	err = v.copy.within(ctx, func(tx *sql.Tx) error {
		if err := run(ctx, tx, "DELETE FROM booking WHERE until < ?", at.UnixMicro()); err != nil {
			return err
		}
		if err := run(ctx, tx, "DELETE FROM lead WHERE body IS NULL AND kept_at < ?", at.Add(-acceptedKept).UnixMicro()); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, "DELETE FROM lead WHERE body IS NOT NULL AND kept_at < ?", at.Add(-leadKept).UnixMicro())
		if err != nil {
			return err
		}
		lost, err = result.RowsAffected()
		return err
	})
	return lost, err
}

func (v *Visitors) run(ctx context.Context, statement string, args ...any) error {
	_, err := v.copy.db.ExecContext(ctx, statement, args...)
	return err
}

// sealed encrypts a body for the row of an id, opened decrypts it.
func (v *Visitors) sealed(id string, body []byte) []byte {
	return v.seal.Seal(nil, nil, body, []byte(id))
}

func (v *Visitors) opened(id string, body []byte) ([]byte, error) {
	return v.seal.Open(nil, nil, body, []byte(id))
}
