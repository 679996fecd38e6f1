package sqlstore

import (
	"fmt"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/port"
)

var sequenceNames = [port.Sequences]string{
	port.ProductIDs: "product_id", port.RoomIDs: "room_id", port.CustomerIDs: "customer_id", port.FamilyIDs: "family_id",
	port.WebhookIDs: "webhook_id", port.WebhookAuthIDs: "webhook_auth_id", port.DeliveryIDs: "delivery_id",
	port.PictureIDs: "picture_id", port.ActionIDs: "action_id",
	port.SearchIDs: "search_request_id", port.FollowUpIDs: "follow_up_id", port.LeadIDs: "lead_id",
	port.ScopeChangeIDs: "scope_change_id", port.OfferIDs: "sale_offer_id", port.AgreementIDs: "sale_agreement_id", port.LeaseIDs: "letting_id",
	port.AppointmentIDs: "appointment_id", port.DutyIDs: "permanence_id", port.HoldIDs: "booking_hold_id", port.BookingIDs: "booking_id",
	port.KeyIDs: "api_key_id", port.OperatorIDs: "operator_id", port.ImportIDs: "import_id", port.LogIDs: "app_log_id", port.AuditIDs: "audit_id",
}

// drawIDs draws from a native sequence one by one; a table counts on from the
// highest id it or this process knows, and answers with the last. Nothing is drawn where
// the database is not where it was.
func drawIDs(d Dialect, s port.Sequence) squirrel.Sqlizer {
	if d.NativeSequences {
		return squirrel.Expr("SELECT nextval('" + sequenceNames[s] + "') FROM generate_series(1, ?::bigint) WHERE " + d.sameTimeline())
	}
	return squirrel.Expr("INSERT INTO sequence (name, last_id) SELECT '" + sequenceNames[s] + "', ?1 + ?2 WHERE " + d.sameTimeline() + " " +
		"ON CONFLICT (name) DO UPDATE SET last_id = max(last_id, ?1) + ?2 RETURNING last_id")
}

// NextIDs implements port.Sequencer.
func (t *tx) NextIDs(s port.Sequence, n int) ([]int64, error) {
	if err := t.writing(); err != nil || n <= 0 {
		return nil, err
	}
	switch {
	case s == port.DeliveryIDs && t.plan != nil && t.plan.AssumesWebhooks():
		return t.plan.DeliveryIDs(n), nil
	case s == port.ProductIDs && t.store.dialect.Plans:
		return t.store.productIDs.draw(t, t.store.hot.ids[s], n)
	case s != port.DeliveryIDs && t.plan != nil:
		return t.drawnOutsideTx(t.store.hot.ids[s], n)
	case t.store.dialect.NativeSequences:
		return t.drawn(t.store.hot.ids[s], int64(n))
	}
	// The table forgets what a unit drew that was undone; the floor does not.
	floor := &t.store.floors[s]
	last, err := t.drawn(t.store.hot.ids[s], floor.Load(), int64(n))
	if err != nil {
		return nil, err
	}
	floor.Store(last[0])
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = last[0] - int64(n-1-i)
	}
	return ids, nil
}

// drawn runs a statement of drawIDs.
func (t *tx) drawn(statement string, args ...any) ([]int64, error) {
	ids, err := t.numbers(statement, args...)
	if err == nil && len(ids) == 0 {
		err = t.otherTimeline()
	}
	return ids, err
}

// ReserveID implements port.Sequencer.
func (t *tx) ReserveID(s port.Sequence, id int64) error {
	name := sequenceNames[s]
	if !t.store.dialect.NativeSequences {
		_, err := t.exec("INSERT INTO sequence (name, last_id) VALUES (?1, ?2) "+
			"ON CONFLICT (name) DO UPDATE SET last_id = max(last_id, excluded.last_id)", name, id)
		return err
	}
	if err := t.writing(); err != nil || id < 1 {
		return err
	}
	if s == port.ProductIDs {
		t.store.productIDs.forget(id)
	}
	past, err := t.numbers("SELECT count(*) FROM "+name+" WHERE is_called AND last_value >= $1", id)
	if err != nil || past[0] == 1 {
		return err
	}
	// setval could set back a sequence that others draw from meanwhile. Altering
	// it, even to no effect, keeps them out until the unit ends.
	if _, err := t.exec("ALTER SEQUENCE " + name + " NO CYCLE"); err != nil {
		return err
	}
	_, err = t.numbers(fmt.Sprintf("SELECT setval('%s', greatest(last_value, $1)) FROM %s", name, name), id)
	return err
}

// LastID implements port.Sequencer.
func (t *tx) LastID(s port.Sequence) (int64, error) {
	if t.store.dialect.NativeSequences {
		last, err := list(t, numberColumn, "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM "+sequenceNames[s])
		if err != nil {
			return 0, err
		}
		return last[0], nil
	}
	last, err := list(t, numberColumn, "SELECT last_id FROM sequence WHERE name = ?1", sequenceNames[s])
	return slices.Max(append(last, t.store.floors[s].Load())), err
}
