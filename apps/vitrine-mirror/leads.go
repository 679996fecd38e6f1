package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"golang.org/x/sync/singleflight"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/adapters/copy"
	"github.com/vitrine-crm/vitrine/adapters/peer"
	"github.com/vitrine-crm/vitrine/adapters/showcase"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// visitors passes on what visitors of the website send. Messages are kept until the server has accepted them; bookings are
// made while the visitor waits.
type visitors struct {
	client *client.Client
	kept   *copy.Visitors
	log    *slog.Logger

	// once has one of several requests with the same content do the work.
	once singleflight.Group
	// woken is sent to when there is a new message.
	woken chan struct{}
	mu    sync.Mutex
	told  map[string]listener
}

// listener is a visitor who waits to be told what came of a message. answer has no room, and gone is closed when nobody waits.
type listener struct {
	answer chan error
	gone   chan struct{}
}

// The times of what visitors wait for, and of one attempt to send a message.
const (
	leadWait    = 1500 * time.Millisecond
	sendMost    = 20 * time.Second
	bookMost    = 10 * time.Second
	bookTried   = 3 * time.Second
	bookAgain   = 300 * time.Millisecond
	bookingKept = 7 * 24 * time.Hour
	sealedWait  = time.Hour
)

// leadsAtOnce is how many messages are looked up at once.
const leadsAtOnce = 50

// visitors returns what passes on what visitors send.
func (c *serve) visitors(api *client.Client, to *copy.Copy, log *slog.Logger) (*visitors, error) {
	key := sha256.Sum256([]byte(c.derive("visitors")))
	kept, err := to.Visitors(key[:])
	return &visitors{client: api, kept: kept, log: log, woken: make(chan struct{}, 1), told: map[string]listener{}}, err
}

// forms says what the forms of the website are for.
func (c *serve) forms(v *visitors, offered func() (leads, bookings bool)) (showcase.Visitors, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return showcase.Visitors{}, fmt.Errorf("--time-zone: %w", err)
	}
	proxies, err := peer.Networks(c.TrustedProxies)
	if err != nil {
		return showcase.Visitors{}, fmt.Errorf("--trusted-proxies: %w", err)
	}
	return showcase.Visitors{Leads: v, Bookings: v, Offered: offered, Secret: []byte(c.derive("forms")), Delay: c.FormDelay, Zone: zone, Peer: peer.Behind(proxies)}, nil
}

// Take keeps a message, and waits a moment for what the server says of it.
func (v *visitors) Take(ctx context.Context, id string, m showcase.Message) error {
	_, err, _ := v.once.Do("lead "+id, func() (any, error) { return nil, v.take(context.WithoutCancel(ctx), id, m) })
	return err
}

func (v *visitors) take(ctx context.Context, id string, m showcase.Message) error {
	body, err := json.Marshal(leadOf(m))
	if err != nil {
		return unsent(err)
	}
	one := listener{make(chan error), make(chan struct{})}
	defer close(one.gone)
	v.mu.Lock()
	v.told[id] = one
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.told, id)
	}()
	if isNew, err := v.kept.KeepLead(ctx, id, body, now()); err != nil || !isNew {
		return err
	}
	select {
	case v.woken <- struct{}{}:
	default:
	}
	patience := time.NewTimer(leadWait)
	defer patience.Stop()
	select {
	case err := <-one.answer:
		return err
	case <-patience.C:
		return nil
	}
}

// tell tells a visitor who waits what came of a message, and reports whether there is one.
func (v *visitors) tell(id string, what error) bool {
	v.mu.Lock()
	one, waits := v.told[id]
	v.mu.Unlock()
	if !waits {
		return false
	}
	select {
	case one.answer <- what:
		return true
	case <-one.gone:
		return false
	}
}

// leadOf returns the lead that a message is. One person's leads about a listing are one for the server, whichever way they
// came, where their origin is the same: none is named, as none is with a booking.
func leadOf(m showcase.Message) client.CreateBuyerLeadRequest {
	who := contactOf(m.Person)
	lead := client.CreateBuyerLeadRequest{
		ProductID: client.Some(m.Listing), Firstname: who.Firstname, Lastname: who.Lastname, Email: who.Email, Phone: who.Phone,
		OriginDetail: client.Some(cut(m.Page)),
	}
	if m.Agency != 0 {
		lead.AgencyID = client.Some(m.Agency)
	}
	if m.Text != "" {
		lead.Message = client.Some(m.Text)
	}
	consent := consentOf(m.Person, m.Consent)
	consent.ObtainedAt = client.Some(m.At)
	lead.Consent = client.Some(consent)
	return lead
}

// unsent returns what a request that cannot be made is refused for: the client writes no e-mail address that is none.
func unsent(err error) error {
	if errors.Is(err, types.ErrValidationEmail) {
		return &showcase.Refusal{Fields: []string{"email"}}
	}
	return err
}

func contactOf(p showcase.Person) client.ContactInput {
	var contact client.ContactInput
	first, last := p.Names()
	contact.Lastname = client.Some(last)
	if first != "" {
		contact.Firstname = client.Some(first)
	}
	if p.Email != "" {
		contact.Email = client.Some(types.Email(p.Email))
	}
	if p.Phone != "" {
		contact.Phone = client.Some(p.Phone)
	}
	return contact
}

// consentOf returns the consent to be answered by the means that somebody gave.
func consentOf(p showcase.Person, words string) client.ConsentInput {
	consent := client.ConsentInput{Source: client.Some(cut(words))}
	if p.Email != "" {
		consent.Email = client.Some(true)
	}
	if p.Phone != "" {
		consent.Phone = client.Some(true)
	}
	return consent
}

// cut returns as much of a text as the server has room for in one line.
func cut(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 255)])
}

// run sends the messages that are due until ctx ends.
func (v *visitors) run(ctx context.Context) {
	for ctx.Err() == nil {
		wait, err := v.sendDue(ctx)
		if err != nil && ctx.Err() == nil {
			v.log.Error("reading or writing what visitors sent", "error", err)
			wait = unstoredWait
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-v.woken:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// sendDue sends the messages that are due, and returns how long there is nothing to do.
func (v *visitors) sendDue(ctx context.Context) (time.Duration, error) {
	leads, err := v.kept.Leads(ctx, leadsAtOnce)
	if err != nil {
		return 0, err
	}
	for n, one := range leads {
		// One that is further away than it can be was postponed before the clock was set back.
		if wait := one.Due.Sub(now()); wait > 0 && wait <= mirror.LongestWait {
			if n > 0 {
				break // what was sent may be due before
			}
			return wait, nil
		}
		if err := v.send(ctx, one); err != nil || ctx.Err() != nil {
			return 0, err
		}
	}
	if len(leads) > 0 {
		return 0, nil
	}
	return sealedWait, nil
}

// send sends a message, and stores what came of it.
func (v *visitors) send(ctx context.Context, l copy.Lead) error {
	if l.Body == nil {
		return v.kept.PostponeLead(ctx, l.ID, l.Tries, now().Add(sealedWait), "sealed under another secret of the credential")
	}
	var body client.CreateBuyerLeadRequest
	if err := json.Unmarshal(l.Body, &body); err != nil {
		return errors.Join(err, v.kept.RefuseLead(ctx, l.ID, "cannot be read"))
	}
	err := v.create(ctx, l.ID, body)
	switch code := statusOf(err); {
	case ctx.Err() != nil:
		return nil //nolint:nilerr // it is sent after the next start
	case err == nil:
		if err := v.kept.AcceptLead(ctx, l.ID); err != nil {
			return err
		}
		v.tell(l.ID, nil)
		return nil
	case refused(err) || code == http.StatusGone || code == http.StatusRequestEntityTooLarge || code == http.StatusUnsupportedMediaType:
		told := v.tell(l.ID, refusalOf(err))
		v.log.Error("the server does not take the message of a visitor", "because", blameless(err), "visitor_knows", told)
		if told {
			return v.kept.DropLead(ctx, l.ID)
		}
		return v.kept.RefuseLead(ctx, l.ID, blameless(err))
	}
	wait := mirror.Backoff(l.Tries, rand.Float64(), patience(err)) //nolint:gosec // when something is tried again is no secret
	v.log.Warn("sending the message of a visitor", "because", blameless(err), "again_in", wait)
	if err := v.kept.PostponeLead(ctx, l.ID, l.Tries+1, now().Add(wait), blameless(err)); err != nil {
		return err
	}
	v.tell(l.ID, nil)
	return nil
}

// create creates a lead: without the product where the server has that no more.
func (v *visitors) create(ctx context.Context, id string, body client.CreateBuyerLeadRequest) error {
	sending, cancel := context.WithTimeout(ctx, sendMost)
	defer cancel()
	_, err := v.client.CreateBuyerLead(sending, body, client.IdempotencyKey(id))
	if fields := fieldsOf(err); refused(err) && slices.Equal(fields, []string{"product_id"}) {
		body.ProductID = client.Null[int64]()
		_, err = v.client.CreateBuyerLead(sending, body, client.IdempotencyKey(id+"-alone"))
	}
	return err
}

// fieldsOf returns the fields that a server says are at fault.
func fieldsOf(err error) []string {
	var fields []string
	if said, is := errors.AsType[*client.Error](err); is {
		for _, d := range said.Details {
			fields = append(fields, d.Field)
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// refusalOf returns a refusal by the fields of the form.
func refusalOf(err error) *showcase.Refusal {
	refusal := &showcase.Refusal{}
	for _, field := range fieldsOf(err) {
		field, _ = strings.CutPrefix(field, "contact.")
		if field == "firstname" || field == "lastname" {
			field = "name"
		}
		refusal.Fields = append(refusal.Fields, field)
	}
	return refusal
}

// blameless returns what a server said without anything of what it was sent.
func blameless(err error) string {
	said, is := errors.AsType[*client.Error](err)
	if !is {
		return "the server does not answer"
	}
	words := fmt.Sprintf("the server answers %d %s", said.Status, said.Code)
	if fields := fieldsOf(err); len(fields) > 0 {
		words += ": " + strings.Join(fields, ", ")
	}
	return strings.TrimSpace(words)
}

// codeOf returns the code of a refusal; "" of another error, and of none.
func codeOf(err error) string {
	if said, is := errors.AsType[*client.Error](err); is {
		return said.Code
	}
	return ""
}

// Slots returns the free times of a listing.
func (v *visitors) Slots(ctx context.Context, listing int64) ([]showcase.Slot, error) {
	found, err := v.client.ListBookingSlots(ctx, listing, nil)
	if err != nil {
		return nil, err
	}
	var slots []showcase.Slot
	for _, one := range found.Data {
		slots = append(slots, showcase.Slot{Start: one.StartAt, End: one.EndAt})
	}
	return slots, nil
}

// booking is what is kept of one.
type booking struct {
	ID         int64
	Token      string
	Listing    int64
	Start, End time.Time
	Cancelled  bool
}

// rowOf returns the id of what is kept under the key of a page. The key itself opens the page, and is kept nowhere.
func rowOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Book books a visit. An answer that is lost is asked for again under the same Idempotency-Key.
func (v *visitors) Book(ctx context.Context, key string, visit showcase.Visit) error {
	_, err, _ := v.once.Do("booking "+key, func() (any, error) { return nil, v.book(context.WithoutCancel(ctx), rowOf(key), visit) })
	return err
}

func (v *visitors) book(ctx context.Context, row string, visit showcase.Visit) error {
	ctx, cancel := context.WithTimeout(ctx, bookMost)
	defer cancel()
	if known, err := v.kept.Booking(ctx, row); err != nil || known != nil {
		return err
	}
	body := client.CreateBookingRequest{StartAt: visit.Start, Contact: contactOf(visit.Person), Consent: client.Some(consentOf(visit.Person, visit.Consent))}
	var made *client.CreatedBookingEnvelope
	for end := time.Now().Add(bookTried); ; {
		var err error
		made, err = v.client.CreateBooking(ctx, visit.Listing, body, client.IdempotencyKey(row))
		if err == nil {
			break
		}
		switch code := codeOf(err); {
		case code == "already_booked":
			return showcase.ErrBooked
		case code == "slot_taken", code == "booking_closed", gone(err):
			return showcase.ErrTaken
		case refused(err) && len(fieldsOf(err)) > 0:
			return refusalOf(err)
		case errors.Is(err, types.ErrValidationEmail):
			return unsent(err)
		case refused(err), lacks(err):
			return errors.New(blameless(err))
		}
		if pause(ctx, max(bookAgain, patience(err))); ctx.Err() != nil || time.Now().After(end) {
			return errors.New(blameless(err))
		}
	}
	return v.keep(ctx, row, booking{made.Data.ID, made.Data.Token, visit.Listing, made.Data.StartAt, made.Data.EndAt, false})
}

func (v *visitors) keep(ctx context.Context, row string, b booking) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return v.kept.KeepBooking(ctx, row, text, b.End.Add(bookingKept))
}

// known returns what is kept of a booking.
func (v *visitors) known(ctx context.Context, row string) (booking, error) {
	var b booking
	text, err := v.kept.Booking(ctx, row)
	if err == nil && text == nil {
		err = showcase.ErrNoBooking
	}
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	return b, err
}

// Booked returns a booking as the server has it, or as it was made when the server does not answer.
func (v *visitors) Booked(ctx context.Context, key string) (showcase.Booked, error) {
	b, err := v.known(ctx, rowOf(key))
	if err != nil {
		return showcase.Booked{}, err
	}
	found := showcase.Booked{Listing: b.Listing, Start: b.Start, End: b.End, Cancelled: b.Cancelled}
	asking, cancel := context.WithTimeout(ctx, bookMost/2)
	defer cancel()
	now, err := v.client.GetBooking(asking, b.ID, client.BookingToken(b.Token))
	if err != nil {
		v.log.Warn("reading the booking of a visitor", "because", blameless(err))
		found.Unsure = !b.Cancelled
		return found, nil
	}
	found.Start, found.End, found.CancelUntil = now.Data.StartAt, now.Data.EndAt, now.Data.CancelUntil
	found.Cancelled, found.Asked = now.Data.Status == "ANNULE", now.Data.Status == "PREVU"
	return found, nil
}

// Cancel cancels a booking.
func (v *visitors) Cancel(ctx context.Context, key string) error {
	row := rowOf(key)
	b, err := v.known(ctx, row)
	if err != nil {
		return err
	}
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookMost)
	defer cancel()
	err = v.client.CancelBooking(asking, b.ID, client.CancelBookingRequest{}, client.BookingToken(b.Token), client.IdempotencyKey(row+"-cancel"))
	switch {
	case codeOf(err) == "booking_closed":
		return showcase.ErrLate
	case err != nil:
		return errors.New(blameless(err))
	}
	b.Cancelled = true
	return v.keep(asking, row, b)
}
