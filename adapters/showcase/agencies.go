package showcase

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// agency is what is published of one.
type agency struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	LegalName  string  `json:"legal_name"`
	LegalForm  string  `json:"legal_form"`
	Phone      string  `json:"phone"`
	Email      string  `json:"email"`
	Address    string  `json:"address"`
	PostalCode string  `json:"postal_code"`
	City       string  `json:"city"`
	Logo       string  `json:"logo_url"`
	About      string  `json:"description"`
	SIREN      string  `json:"siren"`
	RCS        string  `json:"rcs"`
	VAT        string  `json:"vat_number"`
	Capital    string  `json:"capital"`
	Fees       string  `json:"fees_schedule_url"`
	Hours      []hours `json:"opening_hours"`
	Card       struct {
		Number   string   `json:"number"`
		Mentions []string `json:"mentions"`
		IssuedBy string   `json:"issued_by"`
	} `json:"professional_card"`
	Guarantee struct {
		Provider string  `json:"provider"`
		Amount   float64 `json:"amount"`
	} `json:"guarantee"`
	Insurance struct {
		Provider string `json:"provider"`
	} `json:"insurance"`
	Mediator struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"mediator"`
	Network string `json:"network"`
	Users   []user `json:"users"`
}

// hours are those of one opening on a day of the week, where Monday is 1.
type hours struct {
	Weekday int    `json:"weekday"`
	Open    string `json:"open"`
	Close   string `json:"close"`
}

// user is what is published of somebody who works in an agency.
type user struct {
	ID        int64  `json:"id"`
	Firstname string `json:"firstname"`
	Lastname  string `json:"lastname"`
	Photo     string `json:"photo_url"`
}

// Name returns the whole name.
func (u user) Name() string { return strings.TrimSpace(u.Firstname + " " + u.Lastname) }

// Place returns the address of an agency in a line.
func (a agency) Place() string {
	return strings.Trim(strings.TrimSpace(a.Address+", "+strings.TrimSpace(a.PostalCode+" "+a.City)), ", ")
}

// Path returns the address of its page.
func (a agency) Path() string { return "/agences/" + slug(a.Name) + "-" + strconv.FormatInt(a.ID, 10) }

// Trades returns what its professional card is for.
func (a agency) Trades() string {
	var trades []string
	for _, code := range a.Card.Mentions {
		trades = append(trades, cmp.Or(map[string]string{"T": "transactions", "G": "gestion immobilière", "S": "syndic de copropriété"}[code], code))
	}
	return strings.Join(trades, ", ")
}

// Week returns the opening hours, a line for each day that has some.
func (a agency) Week() (week []Fact) {
	for n := range 7 {
		var open []string
		for _, h := range a.Hours {
			if h.Weekday == n+1 {
				open = append(open, timeOfDay(h.Open)+" – "+timeOfDay(h.Close))
			}
		}
		if len(open) > 0 {
			week = append(week, Fact{weekdays[(n+1)%7], strings.Join(open, ", ")})
		}
	}
	return week
}

// timeOfDay writes one such as 09:30 as the French do.
func timeOfDay(text string) string {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return text
	}
	return clock(at)
}

// directory has the agencies of the record that was read last: every page names them.
type directory struct {
	mu   sync.Mutex
	body []byte
	all  []agency
}

// agencies returns those of the site by name; the caller must not change them. Where the credential may not read them there
// are none.
func (s *Site) agencies(ctx context.Context) ([]agency, error) {
	record, err := s.catalogue.source.Record(ctx, mirror.Key{Kind: mirror.Agencies})
	if err != nil || !record.Shown {
		return nil, err
	}
	d := &s.directory
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all != nil && bytes.Equal(d.body, record.Body) {
		return d.all, nil
	}
	var all []agency
	if err := json.Unmarshal(record.Body, &all); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b agency) int {
		return cmp.Or(strings.Compare(slug(a.Name), slug(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	d.body, d.all = record.Body, all
	return all, nil
}

// agencyOf returns the agency that an address ends with the id of; nil if there is none.
func (s *Site) agencyOf(ctx context.Context, name string) (*agency, error) {
	all, err := s.agencies(ctx)
	for _, a := range all {
		if strconv.FormatInt(a.ID, 10) == name[strings.LastIndexByte(name, '-')+1:] {
			return &a, err
		}
	}
	return nil, err
}

// agency answers with the page of an agency: its people who look after a listing, and its listings.
func (s *Site) agency(w http.ResponseWriter, r *http.Request) error {
	found, err := s.agencyOf(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	if found == nil {
		return s.missing(w, r)
	}
	if found.Path() != r.URL.Path {
		http.Redirect(w, r, found.Path(), http.StatusMovedPermanently)
		return nil
	}
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	p, err := s.newPage(r.Context(), found.Name)
	if err != nil {
		return err
	}
	p.Agency, p.Canonical, p.Description = found, s.public+found.Path(), excerpt(found.About)
	p.Results = search(all, query{Sort: recent, Page: 1, Agency: found.ID})
	asked := map[int64]bool{}
	for _, l := range all {
		asked[l.AgentID] = asked[l.AgentID] || l.Agency == found.ID
	}
	found.Users = slices.DeleteFunc(slices.Clone(found.Users), func(u user) bool { return !asked[u.ID] })
	p.Data = document(found.data(s.public))
	return render(w, http.StatusOK, "agency", p)
}

// data returns an agency in the words of schema.org.
func (a agency) data(public string) map[string]any {
	data := map[string]any{
		"@type": "RealEstateAgent", "@id": public + a.Path(), "name": a.Name, "url": public + a.Path(), "image": public + "/logos/" + strconv.FormatInt(a.ID, 10),
		"address": map[string]any{"@type": "PostalAddress", "streetAddress": a.Address, "postalCode": a.PostalCode, "addressLocality": a.City},
	}
	if a.Phone != "" {
		data["telephone"] = a.Phone
	}
	return data
}

func (s *Site) logo(w http.ResponseWriter, r *http.Request) error {
	found, err := s.agencyOf(r.Context(), r.PathValue("agency"))
	if err != nil {
		return err
	}
	if found == nil {
		return s.missing(w, r)
	}
	return s.portrait(w, r, found.Logo, found.Name)
}

func (s *Site) face(w http.ResponseWriter, r *http.Request) error {
	found, err := s.agencyOf(r.Context(), r.PathValue("agency"))
	if err != nil {
		return err
	}
	if found != nil {
		for _, u := range found.Users {
			if strconv.FormatInt(u.ID, 10) == r.PathValue("user") {
				return s.portrait(w, r, u.Photo, u.Name())
			}
		}
	}
	return s.missing(w, r)
}

// legal answers with what the law wants to be known of who publishes the site.
func (s *Site) legal(w http.ResponseWriter, r *http.Request) error {
	return s.plain(w, r, "Mentions légales", "legal")
}

// privacy answers with what becomes of what visitors write.
func (s *Site) privacy(w http.ResponseWriter, r *http.Request) error {
	return s.plain(w, r, "Données personnelles", "privacy")
}

func (s *Site) plain(w http.ResponseWriter, r *http.Request, title, name string) error {
	p, err := s.newPage(r.Context(), title)
	if err != nil {
		return err
	}
	p.Canonical, p.Host, p.Publisher = s.public+r.URL.Path, s.host, s.publisher
	return render(w, http.StatusOK, name, p)
}
