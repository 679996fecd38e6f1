package product

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Limits of one write.
const (
	MaxCriteria     = 500
	MaxRooms        = 100
	MaxDescriptions = 20
	// MaxShortText bounds the comment of a room, too.
	MaxShortText = 1000
)

// Lengths of the texts of a description, in characters.
const (
	MaxTitle = form.MaxName
	MaxText  = 10000
)

// Change is a request to create or change a product. Absent parts stay as they are. It does
// not check whether the agency and the user are allowed.
type Change struct {
	Criteria         opt.Field[[]CriterionInput]   `json:"criteria" alias:"criterias" max:"product.MaxCriteria"`
	Model            opt.Field[string]             `json:"model" max:"form.MaxName" doc:"reference; generated when a new product has none"`
	Rooms            opt.Field[[]RoomInput]        `json:"rooms" max:"product.MaxRooms"`
	AgencyID         opt.Field[int64]              `json:"agency_id" doc:"one of the token's agencies"`
	UserID           opt.Field[int64]              `json:"user_id" doc:"assigned agent"`
	WebStatus        opt.Field[bool]               `json:"web_status"`
	Intercabinet     opt.Field[bool]               `json:"intercabinet"`
	SellerStatistics opt.Field[bool]               `json:"seller_statistics"`
	NextContact      opt.Field[string]             `json:"next_contact" format:"date"`
	Color            opt.Field[int]                `json:"color" minimum:"1" maximum:"5"`
	Descriptions     opt.Field[[]DescriptionInput] `json:"descriptions" max:"product.MaxDescriptions" doc:"one per language; other languages stay"`
}

// CriterionInput gives one criterion, named by key or numeric id, a value; an
// empty value removes it.
type CriterionInput struct {
	ID    string       `json:"id" required:"true" doc:"key, or numeric id" coerce:"string"`
	Value criteria.Raw `json:"value" required:"true" type:"string,number,strings" doc:"a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type; null, an empty string and an empty array remove the criterion"`
}

// RoomInput adds a room, or with an ID changes one.
type RoomInput struct {
	_           struct{}           `anyOf:"id,type"`
	ID          opt.Field[RoomID]  `json:"id" doc:"update only"`
	Type        opt.Field[string]  `json:"type" doc:"code of list 1; required for a new room"`
	Surface     opt.Field[float64] `json:"surface" doc:"m², at most 2 decimals"`
	Niveau      opt.Field[int]     `json:"niveau" doc:"0 is the ground floor, negative below"`
	Exposition  opt.Field[string]  `json:"exposition" doc:"code of list 2"`
	Vue         opt.Field[string]  `json:"vue" doc:"code of list 3"`
	Sol         opt.Field[string]  `json:"sol" doc:"code of list 4"`
	Commentaire opt.Field[string]  `json:"commentaire" max:"product.MaxShortText"`
}

// DescriptionInput gives the texts of one language; what is absent stays. A
// null Text removes the language, and so does a change that leaves no text.
type DescriptionInput struct {
	Language  string            `json:"language" required:"true" doc:"ISO 639-1"`
	Title     opt.Field[string] `json:"title" max:"form.MaxName"`
	Text      opt.Field[string] `json:"text" max:"product.MaxText" doc:"null removes the language"`
	ShortText opt.Field[string] `json:"short_text" max:"product.MaxShortText"`
}

// Rules are the settings on which the result of a change depends.
type Rules struct {
	Dictionary *criteria.Dictionary
	// Zone is the time zone of dates without an offset.
	Zone *time.Location
	// DefaultStatus is the Statut of a product created without one; empty means EnCours.
	DefaultStatus string
	// Country is the default country of products, an ISO 3166 code.
	Country string
	// EnergyScales are the scales of energy letters.
	EnergyScales energy.Scales
}

// Create returns the product that a request describes, without ids, owner, times and a
// generated reference, and adds all problems of the request. New rooms have the id 0.
func (r Rules) Create(c Change, problems *fault.Problems) Product {
	p := Product{Criteria: make(criteria.Values, min(len(c.Criteria.Value), MaxCriteria)+1)}
	w := writer{Rules: r, Form: form.Form{Problems: problems}, creating: true}
	named := w.apply(&p, c)
	w.letters(&p, named)
	if p.Status() == "" {
		p.Criteria[criteria.KeyStatus] = criteria.Unique(cmp.Or(r.DefaultStatus, criteria.StatusActive))
	}
	return p
}

// Update returns a copy of the product with a request applied, and adds all problems of the
// request (contract: PATCH /products/{productId}). New rooms have the id 0. Energy letters
// are computed again with any other change, and not without one.
func (r Rules) Update(p Product, c Change, problems *fault.Problems) Product {
	after := p.Clone()
	w := writer{Rules: r, Form: form.Form{Problems: problems}}
	named := w.apply(&after, c)
	if aboutLetters(named) || !after.Same(p) {
		w.letters(&after, named)
	}
	return after
}

// writer applies one change.
type writer struct {
	Rules
	form.Form
	creating bool
}

// apply makes the change, except energy letters, and returns the keys of the criteria in it:
// true for those that got a value.
func (w writer) apply(p *Product, c Change) (named map[string]bool) {
	w.reference(p, c.Model)
	named = w.criteria(p, c.Criteria.Value)
	w.rooms(p, c.Rooms.Value)
	w.descriptions(p, c.Descriptions.Value)
	if c.AgencyID.Null && !w.creating {
		w.Wrong("agency_id", fault.CodeRequired, nil, "a product always has an agency")
	} else if c.AgencyID.Given() {
		p.Agency = site.AgencyID(c.AgencyID.Value)
	}
	if c.UserID.Set {
		p.User = site.UserID(c.UserID.Or(0))
	}
	w.flag("web_status", &p.WebStatus, c.WebStatus)
	w.flag("intercabinet", &p.Intercabinet, c.Intercabinet)
	w.flag("seller_statistics", &p.SellerStatistics, c.SellerStatistics)
	w.Day("next_contact", &p.NextContact, c.NextContact)
	w.Between("color", &p.Color, c.Color, 1, 5)
	return named
}

func (w writer) reference(p *Product, given opt.Field[string]) {
	switch {
	case criteria.Normalise(given.Or("")) != "":
		w.Text("model", &p.Reference, given, form.MaxName)
	case given.Set && !w.creating:
		w.Wrong("model", fault.CodeRequired, nil, "a product always has a reference")
	}
}

// flag sets a flag, which null leaves as it is in a new product.
func (w writer) flag(field string, target *bool, given opt.Field[bool]) {
	if !given.Null || !w.creating {
		w.Flag(field, target, given)
	}
}

func (w writer) criteria(p *Product, changes []CriterionInput) (named map[string]bool) {
	if len(changes) > MaxCriteria {
		w.Wrong("criteria", fault.CodeOutOfRange, nil, "one request can write at most %d criteria", MaxCriteria)
		return nil
	}
	named = make(map[string]bool, len(changes))
	for i, c := range changes {
		f := func() form.Form { return w.In("criteria[%d]", i) }
		def, found := w.Dictionary.Find(c.ID)
		_, twice := named[def.Key]
		switch {
		case !found:
			f().Wrong("id", fault.CodeUnknownCriterion, c.ID, "no criterion has this key or id")
			continue
		case twice:
			f().Wrong("id", fault.CodeDuplicateCriterion, c.ID, "%s is given twice", def.Key)
			continue
		case !def.Active:
			f().Wrong("id", fault.CodeCriterionInactive, c.ID, "%s is not active", def.Key)
			continue
		}
		named[def.Key] = !c.Value.Empty()
		w.criterion(f, p, def, c.Value)
	}
	return named
}

// criterion sets the value of a criterion. f returns the form for its problems.
func (w writer) criterion(f func() form.Form, p *Product, def criteria.Definition, raw criteria.Raw) {
	const field = "value"
	if raw.Empty() {
		if def.Key == criteria.KeyStatus && !w.creating {
			f().Wrong(field, fault.CodeRequired, nil, "a product always has a Statut")
			return
		}
		delete(p.Criteria, def.Key)
		return
	}
	value, problem := def.Parse(raw, criteria.Reading{Zone: w.Zone})
	if problem != nil {
		f().Refuse(field, *problem)
		return
	}
	p.Criteria[def.Key] = value
}

func (w writer) rooms(p *Product, changes []RoomInput) {
	tooMany := func() {
		w.Wrong("rooms", fault.CodeOutOfRange, nil, "a product can have at most %d rooms", MaxRooms)
	}
	if len(changes) > MaxRooms {
		tooMany()
		return
	}
	added, seen := 0, map[RoomID]bool{}
	for i, c := range changes {
		f := w.In("rooms[%d]", i)
		if !w.creating && c.Vue.Or("") != "" && c.Sol.Or("") != "" {
			f.Wrong("sol", fault.CodeVueSolExclusive, nil, "an update of a room carries vue or sol, not both")
			continue
		}
		if !c.ID.Given() {
			added++
			room := Room{}
			w.room(f, &room, c)
			p.Rooms = append(p.Rooms, room)
			continue
		}
		n := slices.IndexFunc(p.Rooms, func(r Room) bool { return r.ID == c.ID.Value && r.ID != 0 })
		switch {
		case w.creating:
			f.Wrong("id", fault.CodeRoomIDNotAllowed, c.ID.Value, "a new room cannot choose its id")
		case n < 0:
			f.Wrong("id", fault.CodeUnknownRoom, c.ID.Value, "the product has no room with this id")
		case form.Once(f, "id", c.ID.Value, seen):
			w.room(f, &p.Rooms[n], c)
		}
	}
	if added > 0 && len(p.Rooms) > MaxRooms {
		tooMany()
	}
}

func (w writer) room(f form.Form, r *Room, c RoomInput) {
	if c.Type.Or("") == "" && (c.Type.Set || r.Type == "") {
		f.Wrong("type", fault.CodeRequired, nil, "a room always has a type")
	} else {
		w.choice(f, "type", &r.Type, c.Type, criteria.RoomTypes)
	}
	w.choice(f, "exposition", &r.Exposition, c.Exposition, criteria.Expositions)
	w.choice(f, "vue", &r.Vue, c.Vue, criteria.Views)
	w.choice(f, "sol", &r.Sol, c.Sol, criteria.FloorTypes)
	f.Text("commentaire", &r.Commentaire, c.Commentaire, MaxShortText)
	if c.Niveau.Given() && (c.Niveau.Value < -99 || c.Niveau.Value > 999) {
		f.Wrong("niveau", fault.CodeOutOfRange, c.Niveau.Value, "a level lies between -99 and 999")
	} else {
		form.Maybe(&r.Niveau, c.Niveau)
	}
	switch s, fits := criteria.Fit(c.Surface.Or(0), 2); {
	case !(s >= 0 && s <= 1e6):
		f.Wrong("surface", fault.CodeOutOfRange, c.Surface.Value, "a surface in m² is at least 0")
	case !fits:
		f.Wrong("surface", fault.CodeOutOfRange, c.Surface.Value, "a surface in m² has at most 2 decimals")
	default:
		c.Surface.Value = s
		form.Maybe(&r.Surface, c.Surface)
	}
}

// choice sets a field to a code of a list; null and "" clear it.
func (w writer) choice(f form.Form, field string, target *string, given opt.Field[string], id criteria.ListID) {
	if code := given.Or(""); code != "" {
		list, _ := w.Dictionary.List(id)
		if c, found := list.Choice(code); !found || !c.Active {
			f.Refuse(field, fault.Detail{
				Code: fault.CodeCriteriaValueUnknown, Value: code, Accepted: criteria.ActiveCodes(list.Choices),
				Message: fault.Textf("the value is not a code of list %d", id),
			})
			return
		}
	}
	if given.Set {
		*target = given.Or("")
	}
}

func (w writer) descriptions(p *Product, changes []DescriptionInput) {
	tooMany := func() {
		w.Wrong("descriptions", fault.CodeOutOfRange, nil, "a product can have at most %d descriptions", MaxDescriptions)
	}
	if len(changes) > MaxDescriptions {
		tooMany()
		return
	}
	seen := map[string]bool{}
	for i, c := range changes {
		f := w.In("descriptions[%d]", i)
		language := strings.ToLower(strings.TrimSpace(c.Language))
		if len(language) != 2 || strings.Trim(language, "abcdefghijklmnopqrstuvwxyz") != "" {
			f.Wrong("language", fault.CodeInvalidFormat, c.Language, "a language is a two-letter code such as fr")
			continue
		}
		if form.Once(f, "language", language, seen) {
			w.description(f, p, language, c)
		}
	}
	if len(p.Descriptions) > MaxDescriptions {
		tooMany()
	}
}

func (w writer) description(f form.Form, p *Product, language string, c DescriptionInput) {
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
	d := &p.Descriptions[n]
	f.Text("title", &d.Title, c.Title, MaxTitle)
	f.Text("text", &d.Text, c.Text, MaxText)
	f.Text("short_text", &d.ShortText, c.ShortText, MaxShortText)
	if d.Title == "" && d.Text == "" && d.ShortText == "" {
		p.Descriptions = slices.Delete(p.Descriptions, n, n+1)
	}
}
