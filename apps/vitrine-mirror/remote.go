package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// remote is the server, through its API.
type remote struct {
	client *client.Client
	// url is where deliveries are received, key what they have in the header keyHeader, and once names the
	// subscription to servers that know Idempotency-Key.
	url, key, once string

	mu       sync.Mutex
	origins  []string
	hook     int64
	secret   string
	verified time.Time // when the secret was last read
}

// keyHeader is a header of each delivery, for servers that sign none.
const keyHeader = "X-Mirror-Key"

// fetched are the blocks of a product that are mirrored: what a website shows.
var fetched = []string{
	"criteres_text", "criteres_number", "criteres_fulltext", "criteres_flag", "descriptions", "rooms", "products_photos",
	"assigned_to", "insee", "category", "themes",
}

// told are the event types that are subscribed where the server has them, each with what it is about.
var told = map[string]mirror.Kind{
	"PRODUCT_CREATE": mirror.Product, "PRODUCT_UPDATE": mirror.Product, "PRODUCT_DELETE": mirror.Product,
	"AGENCY_UPDATE": mirror.Agencies, "USER_CREATE": mirror.Agencies, "USER_UPDATE": mirror.Agencies, "USER_DELETE": mirror.Agencies,
	"CRITERIA_UPDATE": mirror.Vocabulary,
}

// needed are the event types without which there is no mirror.
var needed = []string{"PRODUCT_CREATE", "PRODUCT_DELETE", "PRODUCT_UPDATE"}

// keyOf returns what an event is about, and whether it is mirrored.
func keyOf(event string, id int64) (mirror.Key, bool) {
	kind, is := told[event]
	if kind != mirror.Product {
		id = 0
	}
	return mirror.Key{Kind: kind, ID: id}, is
}

// statusOf returns the status of a refusal; 0 of another error, and of none.
func statusOf(err error) int {
	if said, is := errors.AsType[*client.Error](err); is {
		return said.Status
	}
	return 0
}

// lacks reports that the server has no such operation, or not for this credential.
func lacks(err error) bool {
	return gone(err) || statusOf(err) == http.StatusForbidden || statusOf(err) == http.StatusMethodNotAllowed
}

// gone reports that the server does not have something.
func gone(err error) bool {
	return statusOf(err) == http.StatusNotFound || statusOf(err) == http.StatusGone
}

// refused reports that the server says a request is wrong in itself.
func refused(err error) bool {
	return statusOf(err) == http.StatusBadRequest || statusOf(err) == http.StatusUnprocessableEntity
}

// offered reports whether an operation that was tried is there. An error that says nothing about it is returned.
func offered(err error) (bool, error) {
	if lacks(err) {
		return false, nil
	}
	return err == nil, err
}

// Abilities finds out by asking what the server offers.
func (r *remote) Abilities(ctx context.Context) (mirror.Abilities, error) {
	var found mirror.Abilities
	for ability, try := range map[*bool]func(context.Context, *client.Client) error{
		&found.Events: tryEvents, &found.Hooks: tryHooks, &found.Leads: tryLeads, &found.Bookings: tryBookings,
	} {
		is, err := offered(try(ctx, r.client))
		if err != nil {
			return mirror.Abilities{}, err
		}
		*ability = is
	}
	origins, err := r.originsOf(ctx)
	found.Vocabulary = len(origins) > len(needed)
	return found, err
}

// originsOf returns the event types to subscribe.
func (r *remote) originsOf(ctx context.Context) ([]string, error) {
	origins := needed
	list, err := r.client.ListOrigines(ctx)
	known, err := offered(err)
	if err != nil {
		return nil, err
	}
	if known {
		origins = slices.DeleteFunc(list.Data, func(name string) bool { _, is := told[name]; return !is })
		slices.Sort(origins)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.origins = origins
	return origins, nil
}

// Keep updates the webhook, which also reactivates it; or finds it by its address; or subscribes.
func (r *remote) Keep(ctx context.Context, hook int64) (id int64, anew bool, err error) {
	r.mu.Lock()
	origins := r.origins
	r.mu.Unlock()
	if origins == nil { // Abilities were found out by an earlier process
		if origins, err = r.originsOf(ctx); err != nil {
			return 0, false, err
		}
	}
	id, anew, err = r.keep(ctx, hook, origins)
	if err != nil {
		return 0, false, err
	}
	secret, err := r.client.GetHookSecret(ctx, id)
	signs, err := offered(err)
	if err != nil {
		return 0, false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hook, r.secret, r.verified = id, "", time.Now()
	if signs {
		r.secret = secret.Data.Secret
	}
	return id, anew, nil
}

// subscriptions bounds how often a subscription is asked for at once.
const subscriptions = 4

func (r *remote) keep(ctx context.Context, hook int64, origins []string) (id int64, anew bool, err error) {
	headers := map[string]string{keyHeader: r.key}
	update := func(hook int64) error {
		_, err := r.client.UpdateHook(ctx, hook, client.UpdateHookRequest{URL: client.Some(r.url), Origines: client.Some(origins), Headers: client.Some(headers)})
		if err != nil {
			err = fmt.Errorf("updating the webhook %d: %w", hook, err)
		}
		return err
	}
	if hook != 0 {
		if err := update(hook); !gone(err) {
			return hook, false, err
		}
	}
	found, err := r.find(ctx)
	if err != nil {
		return 0, false, err
	}
	if found != 0 {
		return found, false, update(found)
	}
	// A server that knows Idempotency-Key answers as it did before, also when the webhook was deleted since: it is
	// updated to see whether it is there, and asked for under another key if it is not.
	for range subscriptions {
		made, err := r.client.CreateHook(ctx, client.CreateHookRequest{URL: r.url, Origines: origins, Headers: client.Some(headers)},
			client.IdempotencyKey(fmt.Sprintf("%s-%d-%d", r.once, len(origins), hook)))
		if err != nil {
			return 0, false, fmt.Errorf("subscribing a webhook: %w", err)
		}
		if hook = made.Data.ID; hook == 0 {
			break
		}
		if err := update(hook); !gone(err) {
			return hook, true, err
		}
	}
	return 0, false, errors.New("the server has not the webhook that it says was subscribed")
}

// find returns the first webhook with the mirror's address, or 0. Others with it are deleted.
func (r *remote) find(ctx context.Context) (int64, error) {
	var found int64
	for one, err := range r.client.ListHooksAll(ctx, &client.ListHooksParams{PerPage: 200}) {
		switch {
		case lacks(err):
			return 0, nil
		case err != nil:
			return 0, err
		case one.URL != r.url:
		case found == 0:
			found = one.ID
		default:
			if err := r.client.DeleteHook(ctx, one.ID); err != nil && !lacks(err) {
				return 0, err
			}
		}
	}
	return found, nil
}

// Suspended reports whether a webhook is suspended or deleted, or delivers elsewhere.
func (r *remote) Suspended(ctx context.Context, hook int64) (bool, error) {
	is, err := r.client.GetHook(ctx, hook)
	if gone(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	// A mirror that runs on a copy of this file elsewhere makes the webhook its own.
	return is.Data.Status != "active" || is.Data.URL != r.url, nil
}

// resecret reads the secret of the webhook again, at most once a minute: it may have been rotated.
func (r *remote) resecret(ctx context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hook == 0 || r.secret == "" || time.Since(r.verified) < time.Minute {
		return r.secret, nil
	}
	r.verified = time.Now()
	secret, err := r.client.GetHookSecret(ctx, r.hook)
	if err == nil {
		r.secret = secret.Data.Secret
	}
	return r.secret, err
}

// signing returns the secret of deliveries; "" where they are not signed.
func (r *remote) signing() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.secret
}

// Head returns the number of the last event.
func (r *remote) Head(ctx context.Context) (int64, error) {
	page, err := r.client.ListEvents(ctx, &client.ListEventsParams{Limit: 1})
	if err != nil {
		return 0, err
	}
	return page.LastID, nil
}

// setBack is the gap in the numbers of events that a server leaves when its database was set back.
const setBack = 1_000_000

// Events returns the events after a number.
func (r *remote) Events(ctx context.Context, after int64) (mirror.EventPage, error) {
	params := client.ListEventsParams{After: after, Limit: 1000}
	for name := range told {
		params.Origines = append(params.Origines, client.ListEventsParamsOrigines(name))
	}
	slices.Sort(params.Origines)
	page, err := r.client.ListEvents(ctx, &params)
	if err != nil {
		return mirror.EventPage{}, err
	}
	answer := mirror.EventPage{Read: page.LastID, Last: page.LastID, More: page.HasMore}
	seen := map[mirror.Key]bool{}
	last := after
	for _, one := range page.Data {
		answer.Skipped = answer.Skipped || one.ID-last >= setBack
		last = one.ID
		if key, is := keyOf(one.EventType, one.ResourceID); is && !seen[key] {
			seen[key] = true
			answer.Keys = append(answer.Keys, key)
		}
	}
	if page.HasMore {
		if answer.Read = last; last == after {
			return mirror.EventPage{}, errors.New("the log of events has more after a page that has none")
		}
	}
	return answer, nil
}

// active finds the active published catalogue.
func active(since time.Time, cursor string) client.SearchProductsRequest {
	body := client.SearchProductsRequest{
		StatusWeb: client.Some(true),
		Criterias: client.Some([]client.ConditionInput{{ID: "Statut", Operator: "EGAL", Value: "EnCours"}}),
	}
	if !since.IsZero() {
		body.LastModified = client.Some(since)
	}
	if cursor != "" {
		body.Cursor = client.Some(cursor)
	}
	return body
}

// Products returns a page of the catalogue.
func (r *remote) Products(ctx context.Context, since time.Time, cursor string) (mirror.Page, error) {
	params := client.SearchProductsParams{}
	for _, block := range fetched {
		params.Fetch = append(params.Fetch, client.SearchProductsParamsFetch(block))
	}
	var date time.Time
	found, err := r.client.SearchProducts(context.WithValue(ctx, dateKey{}, &date), &params, active(since, cursor))
	if err != nil {
		return mirror.Page{}, err
	}
	page := mirror.Page{Date: date}
	if page.Next, err = nextOf(found, cursor); err != nil {
		return mirror.Page{}, err
	}
	if date.IsZero() {
		return mirror.Page{}, errors.New("the answer to a search has no Date")
	}
	for _, one := range found.Data {
		product, err := productOf(one)
		if err != nil {
			return mirror.Page{}, err
		}
		record, err := recordOf(product)
		if err != nil {
			return mirror.Page{}, err
		}
		page.Records = append(page.Records, record)
	}
	return page, nil
}

// productOf returns what a search finds as the product that it is: with blocks they have the same fields.
func productOf(found client.ProductSummary) (client.Product, error) {
	var p client.Product
	text, err := json.Marshal(found)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	return p, err
}

// nextOf returns the cursor of the page after the one at a cursor; "" at the end.
func nextOf(found *client.SearchResult, cursor string) (string, error) {
	if !found.HasMore {
		return "", nil
	}
	next := found.NextCursor.GetOrEmpty()
	if next == cursor {
		return "", errors.New("the answer to a search has more, and a cursor that does not move")
	}
	return next, nil
}

// IDs returns a page of the ids of the catalogue.
func (r *remote) IDs(ctx context.Context, cursor string) (mirror.IDPage, error) {
	found, err := r.client.SearchProducts(ctx, nil, active(time.Time{}, cursor))
	if err != nil {
		return mirror.IDPage{}, err
	}
	var page mirror.IDPage
	if page.Next, err = nextOf(found, cursor); err != nil {
		return mirror.IDPage{}, err
	}
	for _, one := range found.Data {
		page.IDs = append(page.IDs, one.ID)
	}
	return page, nil
}

// Read returns a record as it is now.
func (r *remote) Read(ctx context.Context, key mirror.Key) (mirror.Record, error) {
	switch key.Kind {
	case mirror.Product:
		params := client.GetProductParams{}
		for _, block := range fetched {
			params.Fetch = append(params.Fetch, client.GetProductParamsFetch(block))
		}
		found, err := r.client.GetProduct(ctx, key.ID, &params)
		if lacks(err) && !gone(err) {
			// The credential may have lost its rights, and the listing be there: then searching is refused as well.
			if _, may := r.client.SearchProducts(ctx, nil, client.SearchProductsRequest{Count: client.Some[int64](1)}); may != nil {
				return mirror.Record{}, err
			}
		}
		if err != nil {
			return none(key, err)
		}
		if found.Data.ID != key.ID {
			return mirror.Record{}, fmt.Errorf("asked for the product %d, the server answers %d", key.ID, found.Data.ID)
		}
		return recordOf(found.Data)
	case mirror.Agencies:
		agencies := []any{}
		for one, err := range r.client.ListAgenciesAll(ctx, &client.ListAgenciesParams{PerPage: 200}) {
			if err != nil {
				return none(key, err)
			}
			full, err := r.client.GetAgency(ctx, one.ID, nil)
			switch {
			case lacks(err):
				agencies = append(agencies, one)
			case err != nil:
				return mirror.Record{}, err
			default:
				agencies = append(agencies, full.Data)
			}
		}
		return whole(key, agencies)
	case mirror.Vocabulary:
		criteria, err := r.client.ListCriteria(ctx)
		if err != nil {
			return none(key, err)
		}
		return whole(key, criteria.Data)
	}
	return mirror.Record{}, fmt.Errorf("there is no kind of record %q", key.Kind)
}

// none returns the record of what the server does not have, or does not show to this credential.
func none(key mirror.Key, err error) (mirror.Record, error) {
	if lacks(err) {
		return mirror.Record{Key: key, Gone: true}, nil
	}
	return mirror.Record{}, err
}

func whole(key mirror.Key, content any) (mirror.Record, error) {
	body, err := json.Marshal(content)
	return mirror.Record{Key: key, Body: body, Shown: true}, err
}

// recordOf returns the record of a product, without what changes though no event tells of the product:
// sync_errors, which are for the operators of receivers, and the number of its lots.
func recordOf(p client.Product) (mirror.Record, error) {
	r := mirror.Record{
		Key: mirror.Key{Kind: mirror.Product, ID: p.ID}, Parent: p.ParentID.GetOrEmpty(),
		Shown: p.Status.GetOrEmpty() == "EnCours" && p.WebStatus,
	}
	if !r.Shown {
		return r, nil
	}
	p.LotsCount = 0
	p.SyncErrors = client.Null[[]client.SyncError]()
	var err error
	r.Body, err = json.Marshal(p)
	return r, err
}

// dateKey is the key of a context under which dated leaves the time of the server.
type dateKey struct{}

// dated tells who asks for it what time it was on the server when it answered.
type dated struct{ http.RoundTripper }

// RoundTrip sends a request.
func (d dated) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := d.RoundTripper.RoundTrip(r)
	if into, asks := r.Context().Value(dateKey{}).(*time.Time); asks && err == nil {
		if at, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
			*into = at.UTC()
		}
	}
	return answer, err
}
