package showcase

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/maypok86/otter/v2"
)

// Leads is where messages of visitors go.
type Leads interface {
	// Take keeps a message until the server has accepted it. It returns a *Refusal when the server says at once that it does
	// not take it. A message with an id that was taken already does nothing.
	Take(ctx context.Context, id string, m Message) error
}

// Visitors says what the forms of a website are for. The zero value has pages name a telephone number in place of forms.
type Visitors struct {
	Leads    Leads
	Bookings Bookings
	// Offered returns which of them the server takes.
	Offered func() (leads, bookings bool)
	// Secret signs when a form was shown.
	Secret []byte
	// Delay is how long after that it may be sent.
	Delay time.Duration
	// Zone is that of the times that are shown.
	Zone *time.Location
	// Peer returns the address of a visitor.
	Peer func(*http.Request) string
	// Now is the clock; time.Now if it is nil.
	Now func() time.Time
}

// Person is who writes. Email or Phone may be empty, but not both.
type Person struct{ Name, Email, Phone string }

// Names returns the first name and the family name: the first word is the first name when there are more.
func (p Person) Names() (first, last string) {
	first, last, more := strings.Cut(p.Name, " ")
	if !more {
		return "", first
	}
	return first, strings.TrimSpace(last)
}

// Message is what somebody writes about a listing. Page is the address of the listing's page, and Consent what they agreed to.
type Message struct {
	Listing, Agency int64
	Person
	Text, Page, Consent string
	At                  time.Time
}

// Refusal says which fields of a form the server does not take: name, email, phone, message or start_at.
type Refusal struct{ Fields []string }

// Error names the fields.
func (r *Refusal) Error() string { return "the server does not take " + strings.Join(r.Fields, ", ") }

// The bounds of what a form takes.
const (
	maxForm   = 64 << 10
	maxName   = 120
	maxShort  = 250
	maxText   = 5000
	formKept  = 24 * time.Hour
	mostForms = 5
	formsIn   = time.Hour
)

// consentVersion is raised when consent is worded otherwise.
const consentVersion = 1

// consent is what a visitor agrees to.
func consent(to string) string {
	return "J’accepte que " + to + " me recontacte au sujet de ma demande, par e-mail ou par téléphone."
}

// Form is one of a page, with what was entered and what is wrong with it.
type Form struct {
	// Kind is contact or visite. It is the end of the address, and the beginning of ids in the page.
	Kind, Action, Stamp                string
	Name, Email, Phone, Message, Start string
	Agreed                             bool
	Consent                            string
	// Errors are by the name of the field. Wrong is about the form as a whole.
	Errors map[string]string
	Wrong  string
	Days   []Day
	// Listing and Agency are what the form is about.
	Listing *Listing
	Agency  *agency
}

// First reports that a field is the first that is at fault.
func (f Form) First(field string) bool {
	for _, name := range []string{"start_at", "name", "email", "phone", "message", "consent"} {
		if f.Errors[name] != "" {
			return name == field
		}
	}
	return false
}

// person returns who filled a form in.
func (f Form) person() Person { return Person{f.Name, f.Email, f.Phone} }

// forms serves the forms.
type forms struct {
	Visitors
	times      times
	protection *http.CrossOriginProtection
	quota      quota
	seen       *otter.Cache[string, Booked]
}

func newForms(v Visitors, public string) *forms {
	f := &forms{Visitors: v, times: newTimes(v.Bookings), protection: http.NewCrossOriginProtection(), quota: newQuota(), seen: newSeen()}
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Zone == nil {
		f.Zone = time.UTC
	}
	// A proxy may pass another Host on than the one that visitors ask for. One that cannot be trusted leaves that to the header.
	_ = f.protection.AddTrustedOrigin(public)
	return f
}

// offered returns which forms there are.
func (f *forms) offered() (leads, bookings bool) {
	if f.Offered == nil {
		return false, false
	}
	return f.Offered()
}

// pageForms are those of a page about a listing; nil where there are none.
type pageForms struct{ Contact, Visit *Form }

// formsOf returns the forms of a page that has a listing.
func (s *Site) formsOf(ctx context.Context, p page) pageForms {
	var found pageForms
	leads, bookings := s.forms.offered()
	if bookings {
		if days := s.forms.days(ctx, p.Listing.ID); len(days) > 0 {
			found.Visit = s.newForm("visite", p)
			found.Visit.Days = days
		}
	}
	if leads {
		found.Contact = s.newForm("contact", p)
		if found.Visit == nil {
			found.Contact.Message = "Bonjour, je souhaite visiter ce bien."
		}
	}
	return found
}

// newForm returns an empty form of a page that has a listing.
func (s *Site) newForm(kind string, p page) *Form {
	form := &Form{Kind: kind, Action: p.Listing.Path + "/" + kind, Listing: p.Listing, Agency: p.Agency, Errors: map[string]string{}}
	form.Stamp = s.forms.stamp(form.Action, s.forms.Now())
	to := "l’agence"
	if p.Agency != nil {
		to = p.Agency.Name
	}
	form.Consent = consent(to)
	return form
}

// mac returns letters and digits that only this site can make.
func (f *forms) mac(parts ...string) string {
	sum := hmac.New(sha256.New, f.Secret)
	for _, part := range parts {
		_, _ = fmt.Fprintf(sum, "%d:%s,", len(part), part) // never fails
	}
	return base32.StdEncoding.EncodeToString(sum.Sum(nil)[:20])
}

// stamp returns what a form is known by: a random word, when it was shown, and a signature of both.
func (f *forms) stamp(action string, at time.Time) string {
	signed := rand.Text() + "." + strconv.FormatInt(at.Unix(), 10)
	return signed + "." + f.mac("stamp", action[strings.LastIndexByte(action, '-')+1:], signed)
}

// stamped returns when a form was shown; false if it is not one of this site.
func (f *forms) stamped(action, stamp string) (at time.Time, is bool) {
	end := strings.LastIndexByte(stamp, '.')
	if end < 0 || !hmac.Equal([]byte(stamp[end+1:]), []byte(f.mac("stamp", action[strings.LastIndexByte(action, '-')+1:], stamp[:end]))) {
		return at, false
	}
	_, seconds, _ := strings.Cut(stamp[:end], ".")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(unix, 0), err == nil
}

// addresses are those of the forms, and of what comes of them.
func (s *Site) addresses() map[string]func(http.ResponseWriter, *http.Request) error {
	return map[string]func(http.ResponseWriter, *http.Request) error{
		"POST /annonces/{name}/contact": s.contact, "POST /annonces/{name}/visite": s.visit, "GET /annonces/{name}/merci": s.thanks,
		"GET /annonces/{name}/contact": s.back, "GET /annonces/{name}/visite": s.back,
		"GET /rendez-vous/{key}": s.booking, "POST /rendez-vous/{key}/annuler": s.cancel,
	}
}

// back leads who asks for the address of a form to the listing.
func (s *Site) back(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, "/annonces/"+url.PathEscape(r.PathValue("name")), http.StatusSeeOther)
	return nil
}

// about returns a page about the listing of an address, false if it has no page any more.
func (s *Site) about(ctx context.Context, name, title string) (p page, is bool, err error) {
	id, err := idOf(name)
	if err != nil {
		return p, false, nil //nolint:nilerr // there is no such address
	}
	l, _, err := s.published(ctx, id)
	if err != nil || l == nil {
		return p, false, err
	}
	p, err = s.newPage(ctx, title)
	p.of(l)
	p.Unlisted = true
	return p, true, err
}

// sent is a form that was sent.
type sent struct {
	page
	form *Form
	// id names what was entered: the same form with the same content has it again.
	id string
}

// received reads a form of a kind. It answers itself, and returns nil, where there is nothing to be done with it.
func (s *Site) received(w http.ResponseWriter, r *http.Request, kind string) (*sent, error) {
	if s.foreign(w, r) {
		return nil, nil
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "Ce formulaire ne peut pas être lu.", http.StatusBadRequest)
		return nil, nil //nolint:nilerr // who sent it is told
	}
	p, is, err := s.about(r.Context(), r.PathValue("name"), "Votre demande")
	if err != nil || !is {
		if err == nil {
			err = s.back(w, r)
		}
		return nil, err
	}
	leads, bookings := s.forms.offered()
	if kind == "contact" && !leads || kind == "visite" && !bookings {
		return nil, s.back(w, r)
	}
	if r.PostForm.Get("url") != "" { // people do not see this field
		s.log.Warn("a form was filled in where nobody sees it", "from", s.forms.peer(r))
		http.Redirect(w, r, p.Listing.Path+"/merci", http.StatusSeeOther)
		return nil, nil
	}
	one := &sent{page: p, form: s.newForm(kind, p)}
	one.form.read(r.PostForm)
	f := one.form
	one.id = s.forms.mac(kind, r.PostForm.Get("stamp"), strconv.FormatInt(p.Listing.ID, 10), f.Name, f.Email, f.Phone, f.Message, f.Start)
	at, ours := s.forms.stamped(f.Action, r.PostForm.Get("stamp"))
	switch now := s.forms.Now(); {
	case !ours || now.Sub(at) > formKept:
		f.Wrong = "Cette page était ouverte depuis longtemps. Vérifiez le formulaire, puis envoyez-le de nouveau."
	case now.Sub(at) < s.forms.Delay:
		f.Wrong = "Le formulaire est parti trop vite. Vérifiez-le, puis envoyez-le de nouveau."
		f.Stamp = r.PostForm.Get("stamp")
	default:
		f.Stamp = s.forms.stamp(f.Action, at)
		f.check()
	}
	if f.Wrong != "" || len(f.Errors) > 0 {
		return nil, s.again(w, r, one, http.StatusUnprocessableEntity)
	}
	if !s.forms.quota.allows(s.forms.peer(r), one.id, s.forms.Now()) {
		s.log.Warn("too many forms come from an address", "from", s.forms.peer(r))
		f.Wrong = "Trop de demandes ont été envoyées de cette adresse. Appelez l’agence, ou réessayez dans une heure."
		w.Header().Set("Retry-After", strconv.Itoa(int(formsIn.Seconds())))
		return nil, s.again(w, r, one, http.StatusTooManyRequests)
	}
	return one, nil
}

// foreign refuses a form of another site, and reports that it did.
func (s *Site) foreign(w http.ResponseWriter, r *http.Request) bool {
	is := s.forms.protection.Check(r) != nil
	if is {
		http.Error(w, "Ce formulaire ne vient pas de ce site.", http.StatusForbidden)
	}
	return is
}

// peer returns the network of a visitor: of IPv6 what a household has.
func (f *forms) peer(r *http.Request) string {
	text := r.RemoteAddr
	if f.Peer != nil {
		text = f.Peer(r)
	}
	address, err := netip.ParseAddr(text)
	if err != nil || address.Unmap().Is4() {
		return text
	}
	network, _ := address.WithZone("").Prefix(64) // 64 bits are in each
	return network.String()
}

// read takes over what was entered.
func (f *Form) read(v url.Values) {
	one := func(name string) string { return strings.Join(strings.Fields(v.Get(name)), " ") }
	f.Name, f.Email, f.Phone, f.Start = one("name"), one("email"), one("phone"), one("start_at")
	f.Message = strings.TrimSpace(strings.ReplaceAll(v.Get("message"), "\r\n", "\n"))
	f.Agreed = v.Get("consent") != ""
}

// dialled is how a telephone number looks.
var dialled = regexp.MustCompile(`^\+?[0-9][0-9 .()/\x{a0}\x{202f}-]{4,30}$`)

// check says what is wrong with what was entered.
func (f *Form) check() {
	wrong := map[string]string{}
	if f.Kind == "visite" {
		if _, err := time.Parse(time.RFC3339, f.Start); err != nil {
			wrong["start_at"] = "Choisissez un créneau."
		}
	}
	switch {
	case f.Name == "":
		wrong["name"] = "Indiquez votre nom."
	case utf8.RuneCountInString(f.Name) > maxName:
		wrong["name"] = "Ce nom est trop long."
	}
	address, err := mail.ParseAddress(f.Email)
	switch {
	case f.Email == "" && f.Phone == "":
		wrong["email"] = "Indiquez une adresse e-mail ou un numéro de téléphone."
	case f.Email != "" && (err != nil || address.Address != f.Email || !strings.Contains(f.Email[strings.LastIndexByte(f.Email, '@'):], ".") || len(f.Email) > maxShort):
		wrong["email"] = "Cette adresse e-mail n’est pas complète."
	}
	if f.Phone != "" && !dialled.MatchString(f.Phone) {
		wrong["phone"] = "Ce numéro de téléphone n’est pas complet."
	}
	if utf8.RuneCountInString(f.Message) > maxText {
		wrong["message"] = "Ce message est trop long."
	}
	if !f.Agreed {
		wrong["consent"] = "Cochez cette case pour que l’agence puisse vous répondre."
	}
	f.Errors = wrong
}

// refuse says beside which fields the server's refusal is shown.
func (f *Form) refuse(r *Refusal) {
	said := map[string]string{
		"name": "Ce nom n’est pas accepté.", "email": "Cette adresse e-mail n’est pas acceptée.", "phone": "Ce numéro de téléphone n’est pas accepté.",
		"message": "Ce message n’est pas accepté.", "start_at": "Choisissez un autre créneau.",
	}
	maps.DeleteFunc(said, func(name, _ string) bool { return !slices.Contains(r.Fields, name) })
	if f.Errors = said; len(said) == 0 {
		f.Wrong = "Votre demande n’est pas acceptée. Appelez l’agence."
	}
}

// again answers with the form, what is wrong with it, and what was entered. Times are asked for anew.
func (s *Site) again(w http.ResponseWriter, r *http.Request, one *sent, code int) error {
	p := one.page
	if one.form.Kind == "visite" {
		one.form.Days = s.forms.days(r.Context(), p.Listing.ID)
		p.Forms.Visit = one.form
		if leads, _ := s.forms.offered(); leads && (code == http.StatusServiceUnavailable || len(one.form.Days) == 0) {
			p.Forms.Contact = s.instead(one)
		}
	} else {
		p.Forms.Contact = one.form
	}
	w.Header().Set("Cache-Control", "no-store")
	return render(w, code, "again", p)
}

// instead returns a form with a message in place of a booking.
func (s *Site) instead(one *sent) *Form {
	form := s.newForm("contact", one.page)
	form.Name, form.Email, form.Phone = one.form.Name, one.form.Email, one.form.Phone
	form.Message = "Bonjour, je souhaite visiter ce bien."
	if start, err := time.Parse(time.RFC3339, one.form.Start); err == nil {
		form.Message = "Bonjour, je souhaite visiter ce bien, si possible le " + Moment(start.In(s.forms.Zone)) + "."
	}
	return form
}

// contact takes a message.
func (s *Site) contact(w http.ResponseWriter, r *http.Request) error {
	one, err := s.received(w, r, "contact")
	if one == nil {
		return err
	}
	f := one.form
	err = s.forms.Leads.Take(r.Context(), one.id, Message{
		Listing: one.Listing.ID, Agency: one.Listing.Agency, Person: f.person(), Text: f.Message, Page: s.public + one.Listing.Path, Consent: f.agreed(), At: s.forms.Now().UTC().Truncate(time.Second),
	})
	if refused, is := errors.AsType[*Refusal](err); is {
		f.refuse(refused)
		return s.again(w, r, one, http.StatusUnprocessableEntity)
	}
	if err != nil {
		s.log.Error("keeping a message", "error", err)
		f.Wrong = "Votre message n’a pas pu être enregistré. Réessayez dans un instant, ou appelez l’agence."
		return s.again(w, r, one, http.StatusServiceUnavailable)
	}
	http.Redirect(w, r, one.Listing.Path+"/merci", http.StatusSeeOther)
	return nil
}

// dial returns the address of a telephone number.
func dial(number string) template.URL {
	return template.URL("tel:" + strings.Map(func(r rune) rune { //nolint:gosec // digits and + are all that is left
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number))
}

// agreed returns what was agreed to, with its version, as it is sent along.
func (f *Form) agreed() string {
	return fmt.Sprintf("site internet, texte %d : %s", consentVersion, f.Consent)
}

// thanks says that a message came.
func (s *Site) thanks(w http.ResponseWriter, r *http.Request) error {
	p, is, err := s.about(r.Context(), r.PathValue("name"), "Merci")
	if err != nil || !is {
		if err == nil {
			err = s.back(w, r)
		}
		return err
	}
	return render(w, http.StatusOK, "thanks", p)
}

// quota counts what addresses send.
type quota struct {
	mu   *sync.Mutex
	seen *otter.Cache[string, []counted]
}

type counted struct {
	id      string
	at      time.Time
	repeats int
}

// mostRepeats is how often the same form may be sent again in an hour.
const mostRepeats = 30

// mostPeers bounds how many addresses are counted at once.
const mostPeers = 50_000

func newQuota() quota {
	return quota{&sync.Mutex{}, otter.Must(&otter.Options[string, []counted]{MaximumSize: mostPeers, ExpiryCalculator: otter.ExpiryWriting[string, []counted](formsIn)})}
}

// allows reports whether an address may send something. What it sent already does not count again, and may be repeated some times.
func (q quota) allows(peer, id string, at time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, _ := q.seen.GetIfPresent(peer)
	recent := slices.DeleteFunc(slices.Clone(before), func(c counted) bool { return at.Sub(c.at) >= formsIn })
	if n := slices.IndexFunc(recent, func(c counted) bool { return c.id == id }); n >= 0 {
		recent[n].repeats++
		q.seen.Set(peer, recent)
		return recent[n].repeats <= mostRepeats
	}
	if len(recent) >= mostForms {
		return false
	}
	q.seen.Set(peer, append(recent, counted{id: id, at: at}))
	return true
}
