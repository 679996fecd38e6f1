package demo

import (
	"context"
	_ "embed"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/pages"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// script has a request of each operation.
//
//go:embed requests.txt
var script string

// Requests returns what each operation is first tried with, by the first client on the
// first site, as the sandbox is at present. Those about what is not there are left out.
func Requests(ctx context.Context, ports kernel.Ports) ([]pages.Request, error) {
	// Nothing is hashed.
	service, err := siteapi.New(ports, kernel.Options{Pepper: make([]byte, 32)})
	if err != nil {
		return nil, err
	}
	t := &teller{ctx: ctx, Service: service, clock: &clock{start: ports.Now()}, products: map[string]product.Product{}}
	if err := t.find(ports.Store, office.site, weeks[0].client); err != nil {
		return nil, err
	}
	names := names{}
	if err := ports.Store.View(ctx, func(tx port.Tx) error { return names.read(tx, office.site) }); err != nil {
		return nil, err
	}
	names.ask(t)
	if t.err != nil {
		return nil, t.err
	}
	var all []pages.Request
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if line, known := names.fill(line, t.date(0)); known {
			call, body, _ := strings.Cut(line, " | ")
			method, path, _ := strings.Cut(call, " ")
			if !strings.HasPrefix(path, listing.PhotosPath) {
				path = kernel.BasePath + path
			}
			all = append(all, pages.Request{Method: method, Path: path, Body: body})
		}
	}
	return all, nil
}

// names are the ids of records, by what the script calls them.
type names map[string]string

// add names a record, unless an earlier one has the name.
func add[ID ~int64](n names, name string, id ID) {
	if _, taken := n[name]; !taken {
		n[name] = strconv.FormatInt(int64(id), 10)
	}
}

var (
	placeholder = regexp.MustCompile(`\{([^{}":]+)\}`)
	someDay     = regexp.MustCompile(`^today([+-]\d+)?$`)
)

// fill puts ids and days in the places of names, and reports whether it knows all.
func (n names) fill(line string, today calendar.Day) (filled string, known bool) {
	known = true
	filled = placeholder.ReplaceAllStringFunc(line, func(name string) string {
		name = strings.Trim(name, "{}")
		if from := someDay.FindStringSubmatch(name); from != nil {
			days, _ := strconv.Atoi(from[1]) // none is today
			return (today + calendar.Day(days)).String()
		}
		id, there := n[name]
		known = known && there
		return id
	})
	return filled, known
}

// read names the records of a site.
func (n names) read(tx port.Tx, id site.ID) error {
	models, err := n.readProducts(tx, id)
	if err != nil {
		return err
	}
	return errors.Join(
		each(tx.Offers().Table, id, func(o offer.Offer) { add(n, "offer "+models[o.Product], o.ID) }),
		each(tx.Agreements().Table, id, func(a agreement.Agreement) { add(n, "agreement "+models[a.Product], a.ID) }),
		each(tx.Lettings().Table, id, func(l letting.Lease) { add(n, "lease "+models[l.Product], l.ID) }),
		each(tx.Appointments().Table, id, func(a planning.Appointment) { add(n, "event "+a.Title, a.ID) }),
		each(tx.Bookings().Table, id, func(b planning.Booking) { add(n, "booking "+models[b.Product], b.ID) }),
	)
}

// each goes through the records of a site.
func each[ID ~int64, T any](table port.Table[ID, T], id site.ID, do func(T)) error {
	all, err := table.Scan(id, 0, math.MaxInt32)
	for _, one := range all {
		do(one)
	}
	return err
}

// readProducts names products, with a room and a picture of the one that is visited,
// and tells their models.
func (n names) readProducts(tx port.Tx, id site.ID) (map[product.ID]string, error) {
	all, err := tx.Products().Scan(id, 0, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	models := map[product.ID]string{}
	for _, p := range all {
		models[p.ID] = p.Reference
		add(n, p.Reference, p.ID)
		if p.Reference != office.visited {
			continue
		}
		whole, err := tx.Products().Get(id, p.ID)
		if err != nil {
			return nil, err
		}
		for _, r := range whole.Rooms {
			add(n, "room "+p.Reference, r.ID)
		}
		for _, f := range whole.Pictures {
			add(n, "picture "+p.Reference, f.ID)
		}
		if len(whole.Pictures) > 0 { // it is public, and needs no signature
			n["file "+p.Reference] = listing.PhotoURL(kernel.Options{}, whole, whole.Pictures[0], 0, time.Time{})
		}
	}
	deleted, err := tx.Products().Holder(id, site.AgencyID(office.agency), office.twice)
	if err == nil {
		add(n, office.twice, deleted)
	}
	return models, err
}

// ask names what depends on the present moment.
func (n names) ask(t *teller) {
	home, meeting := n[office.visited], n["event "+office.meeting]
	n["request"] = office.request
	if id, err := strconv.ParseInt(home, 10, 64); err == nil {
		slots := ask(t, t.Agenda.ListBookingSlots, agenda.ListBookingSlots{ID: id}).Data
		for i, name := range []string{"slot", "later slot"} {
			if i < len(slots) {
				n[name] = slots[i].StartAt.Format(time.RFC3339)
			}
		}
	}
	if id, err := strconv.ParseInt(meeting, 10, 64); err == nil {
		coming := ask(t, t.Agenda.ListOccurrences, agenda.ListOccurrences{ID: id, From: t.day(1), To: t.day(30), Count: opt.Of(1)}).Data
		if len(coming) > 0 {
			n["occurrence"] = coming[0].Occurrence.UTC().Format("20060102T150405Z")
		}
	}
}
