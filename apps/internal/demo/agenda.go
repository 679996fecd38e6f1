package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// weeks are what agents do in the five working days around the present one, in the
// order of sites.
var weeks = []week{belvedere, quais}

// week is what the agents of a site do. Nobody is asked to be in two places, with
// what is kept free before and after, and who answers the telephone stays at the
// agency.
type week struct {
	// client is who writes it down, and sees what is private.
	client  access.CredentialID
	entries []entry
	// duties say who answers the telephone.
	agency int64
	duties []duty
}

// entry is something that an agent does, or several do together.
type entry struct {
	users    []int64
	day      int // of the working days, from 0; the first is over, the last is ahead
	from, to string
	// kind is the model of a type; who and about are a customer and the model of a
	// product, where there are any.
	kind, title string
	who         int64
	about       string
	then        ending
}

// ending is what is particular about an entry.
type ending int

const (
	// usual is confirmed, and takes place.
	usual ending = iota
	// tentative is yet to be confirmed.
	tentative
	// missed: the customer does not come.
	missed
	// cancelled: the customer cancels ahead of time.
	cancelled
	// private is nobody else's business.
	private
	// remote is a visit for everybody who follows a link.
	remote
	// signed is a visit after which a slip is signed and a report made: the customer
	// makes an offer.
	signed
	// interested is one with a report only: the customer wants to come again.
	interested
	// leave is a whole day off.
	leave
)

// duty is half a day at the telephone.
type duty struct {
	user     int64
	day      int
	from, to string
}

// The halves of a working day.
const (
	opens, pauses   = "09:00", "12:30"
	resumes, closes = "14:00", "18:30"
)

// belvedere is the week of site 1.
var belvedere = week{
	client: "sandbox-network",
	entries: []entry{
		{[]int64{101}, 0, "09:30", "10:30", "ESTIMATION", "Estimation du loft de Vaise", 1023, "11-1078", usual},
		{[]int64{101}, 0, "16:00", "16:45", "VISITE", "Visite de la villa d'Écully", 1106, "11-1035", usual},
		{[]int64{101}, 1, "10:00", "11:00", "RDV", "Point sur la commercialisation", 1007, "11-1006", usual},
		{[]int64{101}, 1, "16:00", "16:15", "APPEL", "Rappeler M. Tissérand", 1008, "11-1005", usual},
		{[]int64{101}, 2, "12:45", "13:45", "RDV", "Déjeuner avec Claire", 0, "", private},
		{[]int64{101, 103, 104}, 3, "09:00", "09:45", "RDV", "Réunion d'équipe", 0, "", usual},
		{[]int64{101}, 3, "15:00", "15:45", "VISITE", "Visite d'un appartement à Bron", 1106, "11-1057", usual},
		{[]int64{101}, 4, "10:30", "12:00", "SIGNATURE", "Signature du mandat, rue de Bourgogne", 1027, "11-1081", tentative},

		{[]int64{102}, 0, "10:00", "10:45", "VISITE", "Visite rue du Mail", 1105, "11-1001", signed},
		{[]int64{102}, 1, "14:30", "15:15", "VISITE", "Visite à Caluire", 1104, "11-1071", usual},
		{[]int64{102}, 1, "17:00", "17:15", "APPEL", "Rappeler M. Combemorel", 1010, "11-1043", usual},
		{[]int64{102}, 2, "09:30", "10:30", "ESTIMATION", "Estimation d'un appartement à Saint-Priest", 1018, "11-1042", usual},
		{[]int64{102}, 2, "16:00", "16:45", "VISITE", "Visite d'une maison à Caluire", 1106, "11-1086", tentative},
		{[]int64{102}, 3, "15:30", "16:15", "VISITE", "Visite à Francheville", 1101, "11-1043", usual},
		{[]int64{102}, 4, "11:00", "11:45", "VISITE", "Visite rue du Mail", 1104, "11-1001", usual},

		{[]int64{103}, 0, "11:00", "11:45", "VISITE", "Visite à Tassin", 1104, "11-1061", missed},
		{[]int64{103}, 0, "15:00", "15:45", "VISITE", "Visite du loft de Villeurbanne", 1105, "11-1052", usual},
		{[]int64{103}, 1, "15:00", "15:45", "VISITE", "Visite rue Michel Servet", 1101, "11-1023", usual},
		{[]int64{103}, 2, "09:30", "10:15", "VISITE", "Visite rue Louis Jasseron", 1102, "11-1087", usual},
		{[]int64{103}, 2, "11:00", "11:15", "APPEL", "Faire le point avec la SCI Les Tanneurs", 1001, "11-1040", usual},
		{[]int64{103}, 3, "14:30", "15:30", "ESTIMATION", "Estimation d'une maison à Tassin", 1028, "", usual},
		{[]int64{103}, 3, "17:30", "18:15", "RDV", "Dentiste", 0, "", private},
		{[]int64{103}, 4, "14:30", "15:15", "VISITE", "Visite à Givors", 1104, "11-1059", tentative},

		{[]int64{104}, 0, "14:30", "15:30", "RDV", "Visite annuelle du studio loué", 1108, "11-1016", usual},
		{[]int64{104}, 1, "10:00", "11:00", "ESTIMATION", "Estimation d'une maison à Saint-Priest", 1014, "11-1083", usual},
		{[]int64{104}, 2, "10:00", "10:45", "VISITE", "Contre-visite avenue Jean Jaurès", 1101, "11-1068", usual},
		{[]int64{104}, 2, "14:30", "15:30", "ETAT_DES_LIEUX", "État des lieux de sortie, rue de Marseille", 1033, "11-1002", usual},
		{[]int64{104}, 3, "11:00", "11:45", "VISITE", "Visite d'un studio à Villeurbanne", 1104, "11-1062", cancelled},
		{[]int64{104}, 4, "09:30", "10:15", "VISITE", "Visite rue de Bonnel", 1105, "11-1053", tentative},
		{[]int64{104}, 4, "15:00", "15:30", "TACHE", "Relancer les attestations d'assurance", 0, "", usual},

		{[]int64{121}, 0, "10:00", "10:45", "VISITE", "Visite chemin de la Croix Rouge", 1106, "12-1006", usual},
		{[]int64{121}, 1, "14:00", "15:00", "ESTIMATION", "Estimation d'un duplex au Grand-Bornand", 1055, "12-1060", usual},
		{[]int64{121}, 2, "16:30", "17:30", "ETAT_DES_LIEUX", "Pré-état des lieux, avenue Saint-Martin", 1109, "12-1016", usual},
		{[]int64{121}, 3, "11:00", "12:00", "RDV", "Préparation du compromis avec le notaire", 1191, "12-1046", usual},
		{[]int64{121}, 4, "", "", "CONGE", "Congé", 0, "", leave},

		{[]int64{122}, 0, "14:00", "14:45", "VISITE", "Visite avenue de Brogny", 1103, "12-1015", interested},
		{[]int64{122}, 1, "09:30", "10:15", "VISITE", "Visite à Poisy", 1103, "12-1026", usual},
		{[]int64{122}, 2, "11:00", "11:45", "VISITE", "Contre-visite avenue de Brogny", 1103, "12-1015", usual},
		{[]int64{122}, 3, "17:00", "17:45", "VISITE", "Visite à distance d'un studio à La Clusaz", 0, "12-1014", remote},
		{[]int64{122}, 4, "10:00", "11:30", "SIGNATURE", "Signature du mandat, côte Perrière", 1051, "12-1058", tentative},
	},
	agency: 11,
	duties: []duty{
		{104, 0, opens, pauses}, {102, 0, resumes, closes},
		{103, 1, opens, pauses}, {104, 1, resumes, closes},
		{101, 2, opens, pauses}, {103, 2, resumes, closes},
		{102, 3, opens, pauses}, {104, 3, resumes, closes},
		{103, 4, opens, pauses}, {101, 4, resumes, closes},
	},
}

// quais is the week of site 2.
var quais = week{
	client: "sandbox-rival",
	entries: []entry{
		{[]int64{211}, 0, "10:00", "10:45", "VISITE", "Visite rue du Prêche", 2101, "21-1002", usual},
		{[]int64{211}, 1, "15:00", "16:00", "ESTIMATION", "Estimation d'un fonds au Bouscat", 2008, "21-1032", usual},
		{[]int64{211}, 2, "12:45", "13:45", "RDV", "Déjeuner", 0, "", private},
		{[]int64{211}, 3, "14:30", "15:15", "VISITE", "Visite de la péniche", 2102, "21-1035", tentative},

		{[]int64{212}, 0, "14:30", "15:15", "VISITE", "Visite rue Minvielle", 2102, "21-1016", usual},
		{[]int64{212}, 1, "11:00", "11:15", "APPEL", "Rappeler Mme Espagnacq", 2007, "21-1017", usual},
		{[]int64{212}, 2, "09:30", "10:30", "ESTIMATION", "Estimation de la villa d'Arcachon", 2004, "21-1037", usual},
		{[]int64{212}, 3, "16:00", "16:45", "VISITE", "Visite avenue Pasteur", 2101, "21-1036", usual},
		{[]int64{212}, 4, "", "", "CONGE", "Congé", 0, "", leave},

		{[]int64{213}, 0, "11:00", "11:45", "VISITE", "Visite avenue Espeleta", 2102, "21-1015", signed},
		{[]int64{213}, 2, "17:00", "17:45", "VISITE", "Visite allée des Pins", 2101, "21-1034", usual},
		{[]int64{213}, 3, "10:00", "11:30", "SIGNATURE", "Signature du mandat, route de Germignan", 2004, "21-1033", tentative},
		{[]int64{213}, 4, "15:00", "15:45", "VISITE", "Visite rue du XIV Juillet", 2102, "21-1006", tentative},
	},
}

// toldAhead is how long before the present moment the week was planned.
const toldAhead = 5 * 24 * time.Hour

// tell tells of the week, unless the agents have one already.
func (w week) tell(t *teller) {
	there := ask(t, t.Agenda.SearchCalendarEvents, agenda.SearchEvents{From: t.day(-300), To: t.day(60), Expand: opt.Of(false), Count: opt.Of(1)})
	if t.err != nil || len(there.Data) > 0 {
		return
	}
	d := &diarist{t, t.workingDays()}
	t.clock.ago = toldAhead
	made := make([]int64, len(w.entries))
	for n, e := range w.entries {
		made[n] = d.plan(e)
	}
	for _, on := range w.duties {
		in := agenda.CreatePermanence{}
		in.AgencyID, in.UserID, in.Type, in.Bookable = opt.Of(w.agency), opt.Of(on.user), opt.Of(string(planning.DutyTelephone)), opt.Of(false)
		in.StartAt, in.EndAt = d.at(on.day, on.from), d.at(on.day, on.to)
		ask(t, t.Agenda.CreatePermanence, in)
	}
	for n, e := range w.entries {
		d.recordOutcome(e, made[n])
	}
	t.clock.ago = 0
}

// diarist writes down what agents do on some days.
type diarist struct {
	*teller
	days []calendar.Day
}

// workingDays returns the days from Monday to Friday that are at most three days from
// now: five, whichever day it is.
func (d *teller) workingDays() (days []calendar.Day) {
	for from := -3; from <= 3; from++ {
		switch day := d.date(from); day.Weekday() {
		case time.Saturday, time.Sunday:
		default:
			days = append(days, day)
		}
	}
	return days
}

// at returns a time on one of the days, by the clock of the site.
func (d *diarist) at(day int, clock string) opt.Field[string] {
	return opt.Of(d.days[day].String() + "T" + clock + ":00")
}

// plan writes an entry down as it was planned.
func (d *diarist) plan(e entry) int64 {
	in := agenda.CreateEvent{}
	in.Type, in.Title, in.Status = opt.Of(e.kind), opt.Of(e.title), opt.Of(string(planning.Confirmed))
	in.OnConflict = opt.Of("REFUSE")
	if in.StartAt, in.EndAt = d.at(e.day, e.from), d.at(e.day, e.to); e.then == leave {
		in.StartAt, in.EndAt = opt.Field[string]{}, opt.Field[string]{}
		in.AllDay, in.StartDate, in.EndDate = opt.Of(true), opt.Of(d.days[e.day].String()), opt.Of(d.days[e.day].String())
	}
	switch e.then {
	case tentative:
		in.Status = opt.Of(string(planning.Planned))
	case private:
		in.Visibility = opt.Of(string(planning.Private))
	case remote:
		in.IsLiveVisit, in.MeetingURL = opt.Of(true), opt.Of("https://visio.example.org/"+e.about)
	case usual, missed, cancelled, signed, interested, leave:
	}
	var attendees []planning.AttendeeInput
	for n, id := range e.users {
		role := planning.Required
		if n == 0 {
			role = planning.Organiser
		}
		attendees = append(attendees, planning.AttendeeInput{
			Kind: opt.Of(string(planning.User)), UserID: opt.Of(id), Role: opt.Of(string(role)), Answer: opt.Of(string(planning.Accepted)),
		})
	}
	if e.who != 0 {
		attendees = append(attendees, planning.AttendeeInput{Kind: opt.Of(string(planning.Customer)), CustomerID: opt.Of(e.who)})
	}
	in.Attendees = opt.Of(attendees)
	if e.about != "" {
		p := d.products[e.about]
		in.ProductIDs = opt.Of([]int64{int64(p.ID)})
		if e.then != remote && e.kind != "APPEL" {
			in.Location = opt.Of(addressOf(p))
		}
	}
	made := ask(d.teller, d.Agenda.CreateCalendarEvent, in)
	if d.err != nil {
		d.err = fmt.Errorf("%s, of %d: %w", e.title, e.users[0], d.err)
	}
	return made.ID
}

func addressOf(p product.Product) string {
	town := strings.TrimSpace(p.Criteria.Text(criteria.KeyPostalCode) + " " + p.Criteria.Text(criteria.KeyCity))
	return p.Criteria.Text(criteria.KeyAddress) + ", " + town
}

// recordOutcome writes the outcome of an entry, at the time when it was known.
func (d *diarist) recordOutcome(e entry, id int64) {
	if e.then == cancelled {
		d.clock.ago = toldAhead / 2
		d.became(id, planning.Cancelled)
		return
	}
	if e.then == leave {
		return
	}
	end, err := time.ParseInLocation("2006-01-02T15:04:05", d.at(e.day, e.to).Value, d.caller.Site.Zone)
	if d.err == nil {
		d.err = err
	}
	known := end.Add(10 * time.Minute)
	if known.After(d.clock.start) {
		return
	}
	d.clock.ago = d.clock.start.Sub(known)
	in := agenda.ReportVisit{ID: id}
	switch e.then {
	case signed:
		in.Outcome, in.Rating, in.SignedAt = opt.Of(string(planning.Offers)), opt.Of(5), opt.Of(end.Format(time.RFC3339))
		in.Comment = opt.Of("Coup de cœur, une offre suit dans la semaine.")
		ask(d.teller, d.Agenda.ReportVisit, in)
	case interested:
		in.Outcome, in.Rating = opt.Of(string(planning.SecondVisit)), opt.Of(4)
		in.Comment = opt.Of("Souhaite revenir avec un proche.")
		ask(d.teller, d.Agenda.ReportVisit, in)
	case missed:
		d.became(id, planning.Missed)
	case usual, tentative, cancelled, private, remote, leave:
		d.became(id, planning.Done)
	}
}

func (d *diarist) became(id int64, status planning.Status) {
	in := agenda.UpdateEvent{ID: id}
	in.Status = opt.Of(string(status))
	ask(d.teller, d.Agenda.UpdateCalendarEvent, in)
}
