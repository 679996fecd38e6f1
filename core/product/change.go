package product

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/energy"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Limits of one write.
const (
	MaxCriteria     = 500
	MaxRooms        = 100
	MaxDescriptions = 20
	maxName         = 255
	maxComment      = 1000
	maxDescription  = 10000
)

// Change is what a request wants of a product. Absent parts stay as they are.
type Change struct {
	Criteria         opt.Field[[]CriterionChange]
	Reference        opt.Field[string]
	Rooms            opt.Field[[]RoomChange]
	Agency           opt.Field[site.AgencyID]
	User             opt.Field[site.UserID]
	WebStatus        opt.Field[bool]
	Intercabinet     opt.Field[bool]
	SellerStatistics opt.Field[bool]
	NextContact      opt.Field[string]
	Color            opt.Field[int]
	Descriptions     opt.Field[[]DescriptionChange]
}

// CriterionChange gives one criterion, named by key or numeric id, a value; an
// empty value removes it.
type CriterionChange struct {
	ID    string
	Value criteria.Raw
}

// RoomChange adds a room, or with an ID changes one.
type RoomChange struct {
	ID          opt.Field[RoomID]
	Type        opt.Field[string]
	Surface     opt.Field[float64]
	Niveau      opt.Field[int]
	Exposition  opt.Field[string]
	Vue         opt.Field[string]
	Sol         opt.Field[string]
	Commentaire opt.Field[string]
}

// DescriptionChange gives the texts of one language; what is absent stays. A
// null Text removes the language, and so does a change that leaves no text.
type DescriptionChange struct {
	Language  string
	Title     opt.Field[string]
	Text      opt.Field[string]
	ShortText opt.Field[string]
}

// Rules is what a change is judged by.
type Rules struct {
	Dictionary *criteria.Dictionary
	// Zone is where dates without an offset are.
	Zone *time.Location
	// DefaultStatus is the Statut of a product created without one; empty stands
	// for EnCours.
	DefaultStatus string
	// Country is where a product is that does not say; an ISO 3166 code.
	Country string
	// EnergyScales are what energy letters are read off.
	EnergyScales energy.Scales
}

// Create makes the product a request describes, without ids, owner, times and
// reference (which stays empty when it is to be generated), and reports
// everything wrong with the request. New rooms have the id 0.
func (r Rules) Create(c Change, problems *fault.Problems) Product {
	p := Product{Criteria: criteria.Values{}}
	w := writer{Rules: r, problems: problems, creating: true}
	named := w.apply(&p, c)
	w.letters(&p, named)
	if p.Status() == "" {
		p.Criteria[criteria.KeyStatus] = criteria.Unique(cmp.Or(r.DefaultStatus, criteria.StatusActive))
	}
	return p
}

// Update applies a request to a copy of the product and reports everything
// wrong with the request (contract: PATCH /products/{productId}). New rooms
// have the id 0. Energy letters follow any change, but cause none by themselves.
func (r Rules) Update(p Product, c Change, problems *fault.Problems) Product {
	after := p.Clone()
	w := writer{Rules: r, problems: problems}
	named := w.apply(&after, c)
	if aboutLetters(named) || !after.Same(p) {
		w.letters(&after, named)
	}
	return after
}

// writer applies one change. What differs between creating and updating is
// asked of creating, in the one place where it matters.
type writer struct {
	Rules
	problems *fault.Problems
	creating bool
}

// apply makes the change, but for energy letters, and returns the keys of the
// criteria it names: true for those that got a value.
func (w writer) apply(p *Product, c Change) (named map[string]bool) {
	w.reference(p, c.Reference)
	named = w.criteria(p, c.Criteria)
	w.rooms(p, c.Rooms)
	w.descriptions(p, c.Descriptions)
	if c.Agency.Set && c.Agency.Null && !w.creating {
		w.problems.Add("agency_id", fault.CodeRequired, "a product always has an agency")
	}
	if c.Agency.Given() {
		p.Agency = c.Agency.Value
	}
	if c.User.Set {
		p.User = c.User.Or(0)
	}
	w.flag("web_status", &p.WebStatus, c.WebStatus)
	w.flag("intercabinet", &p.Intercabinet, c.Intercabinet)
	w.flag("seller_statistics", &p.SellerStatistics, c.SellerStatistics)
	w.nextContact(p, c.NextContact)
	if c.Color.Given() && (c.Color.Value < 1 || c.Color.Value > 5) {
		w.problems.Append(fault.Detail{Field: "color", Code: fault.CodeOutOfRange, Message: "color must be 1 to 5", Value: c.Color.Value})
	} else if c.Color.Set {
		p.Color = c.Color.Or(0)
	}
	return named
}

func (w writer) reference(p *Product, given opt.Field[string]) {
	if !given.Set {
		return
	}
	reference := criteria.Normalise(given.Or(""))
	if reference == "" {
		if !w.creating {
			w.problems.Add("model", fault.CodeRequired, "a product always has a reference")
		}
		return
	}
	if w.text("model", reference, maxName) {
		p.Reference = reference
	}
}

func (w writer) flag(field string, target *bool, given opt.Field[bool]) {
	switch {
	case given.Given():
		*target = given.Value
	case given.Null && !w.creating:
		w.problems.Add(field, fault.CodeInvalidType, "%s is true or false", field)
	}
}

func (w writer) nextContact(p *Product, given opt.Field[string]) {
	if !given.Given() {
		if given.Null {
			p.NextContact = ""
		}
		return
	}
	day, err := time.Parse(time.DateOnly, given.Value)
	if err != nil || day.Year() < 1 {
		w.problems.Append(fault.Detail{
			Field: "next_contact", Code: fault.CodeInvalidFormat, Value: given.Value,
			Message: "next_contact is a day, written 2026-09-16",
		})
		return
	}
	p.NextContact = given.Value
}

// text reports text that cannot be stored and says whether it can.
func (w writer) text(field, text string, limit int) bool {
	detail := criteria.CheckText(text, limit)
	if detail != nil {
		detail.Field = field
		w.problems.Append(*detail)
	}
	return detail == nil
}

func (w writer) criteria(p *Product, given opt.Field[[]CriterionChange]) (named map[string]bool) {
	if len(given.Value) > MaxCriteria {
		w.problems.Add("criteria", fault.CodeOutOfRange, "one request can write at most %d criteria", MaxCriteria)
		return nil
	}
	named = map[string]bool{}
	for i, c := range given.Value {
		at := func(part string) string { return fmt.Sprintf("criteria[%d].%s", i, part) }
		def, found := w.Dictionary.Find(c.ID)
		_, twice := named[def.Key]
		switch {
		case !found:
			w.problems.Append(fault.Detail{Field: at("id"), Code: fault.CodeUnknownCriterion, Message: "no criterion has this key or id", Value: c.ID})
			continue
		case twice:
			w.problems.Append(fault.Detail{Field: at("id"), Code: fault.CodeDuplicateCriterion, Message: def.Key + " is given twice", Value: c.ID})
			continue
		case !def.Active:
			w.problems.Append(fault.Detail{Field: at("id"), Code: fault.CodeCriterionInactive, Message: def.Key + " is not active", Value: c.ID})
			continue
		}
		named[def.Key] = !c.Value.Empty()
		w.criterion(p, def, c.Value, at("value"))
	}
	return named
}

func (w writer) criterion(p *Product, def criteria.Definition, raw criteria.Raw, field string) {
	if raw.Empty() {
		if def.Key == criteria.KeyStatus && !w.creating {
			w.problems.Add(field, fault.CodeRequired, "a product always has a Statut")
			return
		}
		delete(p.Criteria, def.Key)
		return
	}
	value, problem := def.Parse(raw, criteria.Reading{Zone: w.Zone})
	if problem != nil {
		problem.Field = field
		w.problems.Append(*problem)
		return
	}
	p.Criteria[def.Key] = value
}

func (w writer) rooms(p *Product, given opt.Field[[]RoomChange]) {
	tooMany := func() {
		w.problems.Add("rooms", fault.CodeOutOfRange, "a product can have at most %d rooms", MaxRooms)
	}
	if len(given.Value) > MaxRooms {
		tooMany()
		return
	}
	added := 0
	for i, c := range given.Value {
		at := func(part string) string { return fmt.Sprintf("rooms[%d].%s", i, part) }
		if !w.creating && c.Vue.Given() && c.Vue.Value != "" && c.Sol.Given() && c.Sol.Value != "" {
			w.problems.Add(at("sol"), fault.CodeVueSolExclusive, "an update of a room carries vue or sol, not both")
			continue
		}
		if !c.ID.Given() {
			added++
			room := Room{}
			w.room(&room, c, at)
			p.Rooms = append(p.Rooms, room)
			continue
		}
		n := slices.IndexFunc(p.Rooms, func(r Room) bool { return r.ID == c.ID.Value && r.ID != 0 })
		switch {
		case w.creating:
			w.problems.Append(fault.Detail{Field: at("id"), Code: fault.CodeRoomIDNotAllowed, Message: "a new room cannot choose its id", Value: c.ID.Value})
		case n < 0:
			w.problems.Append(fault.Detail{Field: at("id"), Code: fault.CodeUnknownRoom, Message: "the product has no room with this id", Value: c.ID.Value})
		default:
			w.room(&p.Rooms[n], c, at)
		}
	}
	if added > 0 && len(p.Rooms) > MaxRooms {
		tooMany()
	}
}

func (w writer) room(r *Room, c RoomChange, at func(string) string) {
	if c.Type.Set && c.Type.Or("") == "" || !c.Type.Set && r.Type == "" {
		w.problems.Add(at("type"), fault.CodeRequired, "a room always has a type")
	} else {
		w.choice(at("type"), &r.Type, c.Type, criteria.RoomTypes)
	}
	w.choice(at("exposition"), &r.Exposition, c.Exposition, criteria.Expositions)
	w.choice(at("vue"), &r.Vue, c.Vue, criteria.Views)
	w.choice(at("sol"), &r.Sol, c.Sol, criteria.FloorTypes)
	if comment := criteria.Normalise(c.Commentaire.Or("")); c.Commentaire.Set && w.text(at("commentaire"), comment, maxComment) {
		r.Commentaire = comment
	}
	if c.Niveau.Given() && (c.Niveau.Value < -99 || c.Niveau.Value > 999) {
		w.problems.Append(fault.Detail{Field: at("niveau"), Code: fault.CodeOutOfRange, Message: "a level lies between -99 and 999", Value: c.Niveau.Value})
	} else if c.Niveau.Set {
		r.Niveau = pointer(c.Niveau)
	}
	w.surface(at("surface"), r, c.Surface)
}

func (w writer) surface(field string, r *Room, given opt.Field[float64]) {
	s := given.Value
	refuse := func(message string) {
		w.problems.Append(fault.Detail{Field: field, Code: fault.CodeOutOfRange, Message: message, Value: s})
	}
	switch {
	case !given.Set:
	case given.Null:
		r.Surface = nil
	case s < 0 || s > 1e6 || math.IsNaN(s):
		refuse("a surface in m² is at least 0")
	case s != math.Round(s*100)/100:
		refuse("a surface in m² has at most 2 decimals")
	default:
		r.Surface = pointer(given)
	}
}

func pointer[T any](f opt.Field[T]) *T {
	if !f.Given() {
		return nil
	}
	return &f.Value
}

// choice sets a field to a code of a list; null and "" clear it.
func (w writer) choice(field string, target *string, given opt.Field[string], id criteria.ListID) {
	if !given.Set || given.Or("") == "" {
		if given.Set {
			*target = ""
		}
		return
	}
	list, _ := w.Dictionary.List(id)
	if c, found := list.Choice(given.Value); !found || !c.Active {
		detail := fault.Detail{
			Field: field, Code: fault.CodeCriteriaValueUnknown, Value: given.Value,
			Message: fmt.Sprintf("the value is not a code of list %d", id),
		}
		for _, c := range list.Choices {
			if c.Active {
				detail.Accepted = append(detail.Accepted, c.Code)
			}
		}
		w.problems.Append(detail)
		return
	}
	*target = given.Value
}

func (w writer) descriptions(p *Product, given opt.Field[[]DescriptionChange]) {
	tooMany := func() {
		w.problems.Add("descriptions", fault.CodeOutOfRange, "a product can have at most %d descriptions", MaxDescriptions)
	}
	if len(given.Value) > MaxDescriptions {
		tooMany()
		return
	}
	seen := map[string]bool{}
	for i, c := range given.Value {
		at := func(part string) string { return fmt.Sprintf("descriptions[%d].%s", i, part) }
		language := strings.ToLower(strings.TrimSpace(c.Language))
		if len(language) != 2 || strings.Trim(language, "abcdefghijklmnopqrstuvwxyz") != "" || seen[language] {
			w.problems.Append(fault.Detail{
				Field: at("language"), Code: fault.CodeInvalidFormat, Value: c.Language,
				Message: "a language is a two-letter code such as fr, each given once",
			})
			continue
		}
		seen[language] = true
		w.description(p, language, c, at)
	}
	if len(p.Descriptions) > MaxDescriptions {
		tooMany()
	}
}

func (w writer) description(p *Product, language string, c DescriptionChange, at func(string) string) {
	n := slices.IndexFunc(p.Descriptions, func(d Description) bool { return d.Language == language })
	if c.Text.Null {
		if n >= 0 {
			p.Descriptions = slices.Delete(p.Descriptions, n, n+1)
		}
		return
	}
	if n < 0 {
		p.Descriptions = append(p.Descriptions, Description{Language: language})
		n = len(p.Descriptions) - 1
	}
	set := func(part string, target *string, given opt.Field[string], limit int) {
		if text := criteria.Normalise(given.Or("")); given.Set && w.text(at(part), text, limit) {
			*target = text
		}
	}
	set("title", &p.Descriptions[n].Title, c.Title, maxName)
	set("text", &p.Descriptions[n].Text, c.Text, maxDescription)
	set("short_text", &p.Descriptions[n].ShortText, c.ShortText, maxComment)
	if d := p.Descriptions[n]; d.Title == "" && d.Text == "" && d.ShortText == "" {
		p.Descriptions = slices.Delete(p.Descriptions, n, n+1)
	}
}
