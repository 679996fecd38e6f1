package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// agendaNow is the present moment of worlds in which visits are booked: ten o'clock
// in the morning of a Monday in Paris.
var agendaNow = dealsNow

// planner is a client of a world in which visits are booked, and its website.
type planner struct {
	*client
	site *client
}

// planning runs a scenario about the agenda on its stores, in worlds of its own:
// what is booked would be in the way of others. Agency 11 lets visitors book with
// three of its users, half an hour each, without a notice.
func planning(t *testing.T, scenario func(t *testing.T, p planner), picked ...choice) {
	t.Helper()
	separately(t, func(t *testing.T, w *world) {
		p := planner{w.network(t), w.website(t)}
		p.opens(object{})
		scenario(t, p)
	}, append([]choice{standingStill(agendaNow), guarded}, picked...)...)
}

// bookableUsers are those whom visitors can book.
var bookableUsers = list{101, 102, 103}

// opens lets visitors book with agency 11.
func (p planner) opens(more object) {
	p.t.Helper()
	settings := merged(object{
		"enabled": true, "duration_minutes": 30, "buffer_before": 0, "buffer_after": 0, "notice_minutes": 0, "user_ids": bookableUsers,
		"page_url": "https://example.org/visites/{product_id}",
	}, more)
	p.send("PUT", "/agenda/settings/11", object{"online_booking": settings}).is(200)
}

// home makes a product that can be booked.
func (c *client) home(more object, pairs ...any) int64 {
	c.t.Helper()
	all := append([]any{"TypeTransaction", "Vente", "TypeBien", "Maison", "Statut", "EnCours", "Prix", 300000, "Ville", "Lyon", "CodePostal", "69006", "Adresse", "3 rue Neuve"}, pairs...)
	return c.create(merged(object{"web_status": true, "criteria": criteria(all...)}, more))
}

// visitor is who books, by a name of their own.
func visitor(name string) object {
	return object{"firstname": "Ana", "lastname": name, "email": strings.ToLower(name) + "@example.org"}
}

func booking(start any, name string) object {
	return object{"start_at": start, "contact": visitor(name)}
}

// withToken sends a request with the token of a booking or a hold.
func (c *client) withToken(token, method, path string, body any) answer {
	c.t.Helper()
	return c.send(method, path, body, "X-Booking-Token", token)
}

// at is a moment so long after now.
func at(after time.Duration) string { return agendaNow.Add(after).Format(time.RFC3339) }

func eventPath(id int64, more ...string) string {
	return strings.Join(append([]string{fmt.Sprint("/agenda/events/", id)}, more...), "/")
}

func bookingPath(id int64, more ...string) string {
	return strings.Join(append([]string{fmt.Sprint("/bookings/", id)}, more...), "/")
}

// meeting is an appointment of user 101, an hour long.
func meeting(after time.Duration, more ...object) object {
	return merged(object{
		"type": "RDV", "title": "Rendez-vous", "start_at": at(after), "end_at": at(after + time.Hour), "user_ids": list{101},
	}, more...)
}

func (p planner) event(body object) int64 {
	p.t.Helper()
	return p.post("/agenda/events", body).is(201).id("data.id")
}

// events are those of a product, each with its status and its users.
func (c *client) events(home int64) (all []object) {
	c.t.Helper()
	body := object{"from": agendaNow.AddDate(0, 0, -30).Format(time.RFC3339), "to": agendaNow.AddDate(0, 10, 0).Format(time.RFC3339), "product_id": home, "count": 500}
	for _, e := range c.post("/agenda/events/search", body).is(200).list("data") {
		all = append(all, e.(object))
	}
	return all
}

// offers reports whether visitors are shown a start.
func (c *client) offers(home int64, start any) bool {
	c.t.Helper()
	return slices.ContainsFunc(c.get(product(home, "/booking-slots")).is(200).list("data"), func(s any) bool { return s.(object)["start_at"] == start })
}

// page is an answer outside the API.
type page struct {
	status int
	header http.Header
	length int64
	body   string
}

// plain asks for something outside the API, without a bearer.
func (w *world) plain(t testing.TB, method, address string, headers ...string) page {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := w.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return page{response.StatusCode, response.Header, response.ContentLength, string(read(response.Body))}
}

// query is the query of a URL.
func query(pairs ...any) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	return "?" + values.Encode()
}
