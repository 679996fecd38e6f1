package console

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// productPage is one product, whole.
type productPage struct {
	ID               int64
	Reference, Title string
	State            state
	Figures          []figure
	// Groups are the criteria by type.
	Groups []factGroup
	// Energy and Climate are the scales of the letters.
	Energy, Climate *scale
	Regime          string
	Position        *locator
	Address         string
	Pictures        []pictureView
	Descriptions    []descriptionView
	Rooms           []roomView
	// Missing is what keeps the product off the web, SyncErrors what receivers of
	// webhooks said of it.
	Missing    []fact
	SyncErrors []syncErrorView
	History    []eventView
	NoHistory  empty
	// Older is the address of the page with earlier events.
	Older string
	Curl  string
}

func (p productPage) title() string { return "Product " + p.Reference }

// factGroup is criteria of one type.
type factGroup struct {
	Label string
	Facts []fact
}

// scale is the letters of an energy label, of which one is the product's.
type scale struct {
	Label, Letter, Value string
	Letters              []letter
}

// letter is one of a scale; Class says how it is drawn.
type letter struct {
	Name, Class, X string
	Current        bool
}

type pictureView struct {
	ID             int64
	Label, Facts   string
	Private, Cover bool
	Width, Height  int
}

type descriptionView struct{ Language, Title, Text string }

type roomView struct{ Kind, Surface, Level, Comment string }

type syncErrorView struct {
	Hook          int64
	Event, Reason string
	At            moment
}

type eventView struct {
	ID      int64
	Type    string
	At      moment
	Changed string
}

// shownBlocks are what the page asks of a product.
const shownBlocks = "criteres_text,criteres_number,criteres_fulltext,criteres_flag,criteres_publication_errors,descriptions,rooms,products_photos"

func showProduct(v *pageRequest) (any, error) {
	_, c, read, err := readNamed(v, v.Site.Listing.GetProduct, func(id int64) listing.ReadProduct { return listing.ReadProduct{ID: id, Fetch: shownBlocks} })
	if err != nil {
		return nil, err
	}
	found, err := read.All(v.ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, kernel.Unknown("no product has this id")
	}
	p := v.productPage(c, found[0])
	return p, v.addHistory(c, &p)
}

func (v *pageRequest) productPage(c kernel.Caller, one listing.Product) productPage {
	added, changed := v.when(one.DateAdded.Time), v.when(one.LastModified.Time)
	p := productPage{
		ID: one.ID, Reference: one.Model, Title: said(one.Title), State: productState(c, &one.ProductFields),
		Figures: []figure{
			{Label: "Price", Value: orNone(amount(one.Price, "")), Unit: unitOf(one.Price, c.Site.Settings().Currency)},
			{Label: "Surface", Value: orNone(amount(one.Surface, "")), Unit: unitOf(one.Surface, "m²")},
			{Label: "Rooms", Value: orNone(amount(one.RoomsNumber, ""))},
			{Label: "Added", Time: &added},
			{Label: "Changed", Time: &changed},
		},
		Groups: criteriaGroups(c, one), Regime: said(one.Energy.Regime),
		Energy:    energyScale("Energy", one.Energy.ConsoEner, one.Energy.ConsoEnerg, "kWh/m²/year"),
		Climate:   energyScale("Climate", one.Energy.GES, one.Energy.ValeurGES, "kg CO₂/m²/year"),
		Address:   strings.Join(strings.Fields(said(one.Address)+" "+said(one.PostalCode)+" "+said(one.City)+" "+said(one.Country)), " "),
		NoHistory: empty{Title: "Nothing is remembered", Text: "What happens to the product appears here, for as long as events are kept."},
		Curl:      apiCurl("GET", fmt.Sprintf("/products/%d?fetch=%s", one.ID, shownBlocks), ""),
	}
	if one.Position != nil {
		p.Position = locate(one.Position.Latitude, one.Position.Longitude, one.Position.Source)
	}
	v.addBlocks(&p, c, one)
	return p
}

func orNone(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func unitOf(n *float64, unit string) string {
	if n == nil {
		return ""
	}
	return unit
}

// addBlocks adds what was fetched with the product.
func (v *pageRequest) addBlocks(p *productPage, c kernel.Caller, one listing.Product) {
	for i, photo := range list(one.ProductsPhotos) {
		label := said(photo.Label)
		if label == "" {
			label = "Picture " + strconv.Itoa(i+1)
		}
		p.Pictures = append(p.Pictures, pictureView{
			ID: photo.ID, Label: label, Private: photo.Visibility == "private", Cover: i == 0 && photo.Visibility == "public",
			Facts: fmt.Sprintf("%d × %d", photo.Width, photo.Height), Width: 160, Height: max(1, 160*photo.Height/max(1, photo.Width)),
		})
	}
	for _, d := range list(one.Descriptions) {
		p.Descriptions = append(p.Descriptions, descriptionView{d.Language, said(d.Title), d.Text})
	}
	types, _ := c.Site.Dictionary.List(1)
	for _, r := range list(one.Rooms) {
		chosen, _ := types.Choice(r.Type)
		room := roomView{Kind: chosen.Label, Surface: amount(r.Surface, "m²"), Comment: said(r.Commentaire)}
		if room.Kind == "" {
			room.Kind = r.Type
		}
		if r.Niveau != nil {
			room.Level = strconv.Itoa(*r.Niveau)
		}
		p.Rooms = append(p.Rooms, room)
	}
	for _, m := range list(one.CriteresPublicationErrors) {
		p.Missing = append(p.Missing, fact{m.Code, m.Message})
	}
	for _, e := range list(one.SyncErrors) {
		p.SyncErrors = append(p.SyncErrors, syncErrorView{e.HookID, e.EventType, e.Reason, v.when(e.OccurredAt.Time)})
	}
}

// list returns a list that may be absent.
func list[T any](of *[]T) []T {
	if of == nil {
		return nil
	}
	return *of
}

// criteriaGroups returns the criteria of a product by type, with their labels.
func criteriaGroups(c kernel.Caller, one listing.Product) (groups []factGroup) {
	for _, g := range []struct {
		label  string
		values *[]listing.CriterionValue
	}{
		{"Choices, dates and short texts", one.CriteresText}, {"Numbers", one.CriteresNumber}, {"Yes or no", one.CriteresFlag}, {"Long texts", one.CriteresFulltext},
	} {
		group := factGroup{Label: g.label}
		for _, value := range list(g.values) {
			group.Facts = append(group.Facts, criterionFact(c, value))
		}
		if len(group.Facts) > 0 {
			group.Facts = sortedFacts(group.Facts)
			groups = append(groups, group)
		}
	}
	return groups
}

func criterionFact(c kernel.Caller, value listing.CriterionValue) fact {
	d, _ := c.Site.Dictionary.ByKey(value.ID)
	f := fact{Label: d.Label, Value: fmt.Sprint(value.Value)}
	if f.Label == "" {
		f.Label = value.ID
	}
	switch n := value.Value.(type) {
	case int:
		f.Value = map[int]string{0: "no", 1: "yes"}[n]
	case float64:
		// Without a unit it may be a year, which has no commas.
		f.Value = strconv.FormatFloat(n, 'f', -1, 64)
		if d.Unit != "" {
			f.Value = amount(&n, d.Unit)
		}
	}
	if value.Label != nil {
		f.Value = *value.Label
	}
	if value.Derived {
		f.Value += " (computed)"
	}
	return f
}

// energyScale draws the letters of a label; nil for a product without one.
func energyScale(label string, of *string, value *float64, unit string) *scale {
	if of == nil {
		return nil
	}
	s := &scale{Label: label, Letter: *of, Value: amount(value, unit)}
	for i, name := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		s.Letters = append(s.Letters, letter{Name: name, Class: "letter-" + strings.ToLower(name), X: strconv.Itoa(i * 34), Current: name == *of})
	}
	return s
}

// addHistory adds what happened to the product.
func (v *pageRequest) addHistory(c kernel.Caller, p *productPage) error {
	in := listing.ReadEvents{ID: p.ID}
	if before, err := strconv.ParseInt(v.query("before"), 10, 64); err == nil && before > 0 {
		in.Before = opt.Of(before)
	}
	events, err := v.Site.Listing.ProductEvents(v.ctx, c, in)
	for _, e := range events.Data {
		p.History = append(p.History, eventView{e.ID, e.Type, v.when(e.At.Time), strings.Join(e.Changed, ", ")})
	}
	if events.NextCursor != nil {
		p.Older = link(v.Prefix, "products", p.ID) + "?before=" + strconv.FormatInt(*events.NextCursor, 10) + "#history"
	}
	return err
}

// smallWidth is how wide the copies are that the page shows.
const smallWidth = 320

// pictureFile hands out a small copy of a picture, private ones too: the page may be
// at another address than the API, whose pictures its policy does not admit.
func pictureFile(v *pageRequest) (download, error) {
	id, err := v.id("id")
	if err != nil {
		return download{}, err
	}
	picture, err := v.id("picture")
	if err != nil {
		return download{}, err
	}
	c, err := v.enter()
	if err != nil {
		return download{}, err
	}
	one, err := v.Site.Listing.GetPicture(v.ctx, c, listing.PicturePath{ID: id, PictureID: picture})
	if err != nil {
		return download{}, err
	}
	address := one.Data.URL
	for _, size := range one.Data.Sizes {
		if size.Width == smallWidth {
			address = size.URL
		}
	}
	asked, err := photoRequest(address, int64(c.Site.ID), id)
	if err != nil {
		return download{}, err
	}
	file, err := v.Site.Listing.OpenPhoto(v.ctx, asked)
	if err != nil {
		return download{}, err
	}
	defer file.Content.Close()
	content, err := io.ReadAll(file.Content)
	return download{Name: asked.File, Type: file.ContentType, Content: content}, err
}

// photoRequest takes the URL of a picture apart.
func photoRequest(address string, of, id int64) (listing.PhotoRequest, error) {
	u, err := url.Parse(address)
	if err != nil {
		return listing.PhotoRequest{}, fmt.Errorf("the URL of a picture: %w", err)
	}
	return listing.PhotoRequest{
		Site: of, Product: id, File: path.Base(u.Path), Expires: u.Query().Get("expires"), Signature: u.Query().Get("signature"),
	}, nil
}
