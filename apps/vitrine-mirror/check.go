package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"text/tabwriter"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
)

// ability is an operation, and what it is for.
type ability struct {
	name, operation string
	try             func(context.Context, *client.Client) error
	// without is what the mirror does where it lacks.
	without string
}

// nowhere is an id that nothing has: whoever may ask is told so.
const nowhere = 1<<53 - 1

// needs are the operations without which there is no mirror.
var needs = []ability{
	{"search", "POST /products/search", func(ctx context.Context, c *client.Client) error {
		_, err := c.SearchProducts(ctx, nil, client.SearchProductsRequest{Count: client.Some[int64](1)})
		return err
	}, ""},
	{"read", "GET /products/{productId}", func(ctx context.Context, c *client.Client) error {
		_, err := c.GetProduct(ctx, nowhere, nil)
		if gone(err) {
			err = nil
		}
		return err
	}, ""},
	{"webhooks", "PUT /hooks/{hookId}", func(ctx context.Context, c *client.Client) error {
		_, err := c.UpdateHook(ctx, nowhere, client.UpdateHookRequest{})
		if gone(err) || refused(err) {
			err = nil
		}
		return err
	}, ""},
}

// extras are operations that make a mirror surer.
var extras = []ability{
	{"log of events", "GET /events", tryEvents, "searches find what was missed"},
	{"state of webhooks", "GET /hooks", tryHooks, "silence is watched"},
	{"events to subscribe", "GET /hooks/origines", func(ctx context.Context, c *client.Client) error {
		_, err := c.ListOrigines(ctx)
		return err
	}, "agencies and criteria are read each night"},
	{"agencies", "GET /agencies", func(ctx context.Context, c *client.Client) error {
		_, err := c.ListAgencies(ctx, &client.ListAgenciesParams{PerPage: 1})
		return err
	}, "pages name no agency"},
	{"criteria", "GET /criterias/product/all", func(ctx context.Context, c *client.Client) error {
		_, err := c.ListCriteria(ctx)
		return err
	}, "codes are shown without their labels"},
	{"leads", "POST /leads/buyers", tryLeads, "pages show telephone and e-mail of the agency in place of a form"},
	{"bookings", "POST /products/{productId}/bookings", tryBookings, "visitors ask for a visit in a message"},
}

// tryLeads sends a lead that says nothing, which every server refuses.
func tryLeads(ctx context.Context, c *client.Client) error {
	_, err := c.CreateBuyerLead(ctx, client.CreateBuyerLeadRequest{})
	if refused(err) {
		err = nil
	}
	return err
}

// tryBookings asks for the free times of a listing that is there, and for a booking that is not.
func tryBookings(ctx context.Context, c *client.Client) error {
	body := active(time.Time{}, "")
	body.Count = client.Some[int64](1)
	found, err := c.SearchProducts(ctx, nil, body)
	if err != nil {
		return err
	}
	for _, one := range found.Data {
		if _, err := c.ListBookingSlots(ctx, one.ID, nil); err != nil {
			return err
		}
	}
	if _, err := c.GetBooking(ctx, nowhere, client.BookingToken("none")); !gone(err) {
		return err
	}
	return nil
}

func tryEvents(ctx context.Context, c *client.Client) error {
	_, err := c.ListEvents(ctx, &client.ListEventsParams{Limit: 1})
	return err
}

func tryHooks(ctx context.Context, c *client.Client) error {
	_, err := c.ListHooks(ctx, &client.ListHooksParams{PerPage: 1})
	return err
}

type check struct{ server }

// Run asks the server for each ability.
func (c *check) Run(ctx context.Context) error {
	api, err := c.connect()
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	var lacking error
	for _, one := range needs {
		said := "yes"
		if err := one.try(ctx, api); err != nil {
			if !lacks(err) {
				return fmt.Errorf("%s: %w", one.operation, err)
			}
			said = "no: " + because(err)
			lacking = errors.New("the server cannot be mirrored with this credential")
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\tneeded\t%s\n", one.name, one.operation, said) // Flush tells of errors
	}
	for _, one := range extras {
		said := "yes"
		is, err := offered(one.try(ctx, api))
		if err != nil {
			return fmt.Errorf("%s: %w", one.operation, err)
		}
		if !is {
			said = "no: " + one.without
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\tif there\t%s\n", one.name, one.operation, said)
	}
	return errors.Join(lacking, out.Flush())
}

// because returns what a server said when it refused.
func because(err error) string {
	var refused *client.Error
	if errors.As(err, &refused) {
		return fmt.Sprintf("%d %s, %s", refused.Status, http.StatusText(refused.Status), cmp.Or(refused.Message, "without a word"))
	}
	return err.Error()
}
