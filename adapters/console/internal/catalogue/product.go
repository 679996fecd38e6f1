package catalogue

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/formats"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// productPage is one product, whole.
type productPage struct {
	ID               int64
	Reference, Title string
	State            kit.State
	Figures          []kit.Figure
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
	Missing    []kit.Fact
	SyncErrors []syncErrorView
	History    []kit.HistoryRow
	NoHistory  kit.Empty
	// Older is the address of the page with earlier events.
	Older string
	Curl  string
}

func (p productPage) TabTitle() string { return p.Reference }

// factGroup is criteria of one group of the vocabulary.
type factGroup struct {
	Label string
	Facts []kit.Fact
}

// scale is the letters of an energy label, of which one is the product's.
type scale struct {
	Label         kit.Text
	Letter, Value string
	Letters       []letter
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
	At            kit.Moment
}

// shownBlocks are what the page asks of a product.
const shownBlocks = "criteres_text,criteres_number,criteres_fulltext,criteres_flag,criteres_publication_errors,descriptions,rooms,products_photos"

func showProduct(v *kit.Request) (any, error) {
	_, c, read, err := kit.ReadNamed(v, v.Site.Listing.GetProduct, func(id int64) listing.ReadProduct { return listing.ReadProduct{ID: id, Fetch: shownBlocks} })
	if err != nil {
		return nil, err
	}
	found, err := read.All(v.Ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, kernel.Unknown("no product has this id")
	}
	p := newProductPage(v, c, found[0])
	return p, addHistory(v, c, &p)
}

func newProductPage(v *kit.Request, c kernel.Caller, one listing.Product) productPage {
	added, changed := v.When(one.DateAdded.Time), v.When(one.LastModified.Time)
	p := productPage{
		ID: one.ID, Reference: one.Model, Title: kit.Said(one.Title), State: productState(v, c, &one.ProductFields),
		Figures: []kit.Figure{
			{Label: "Price", Value: kit.OrNone(v.Amount(one.Price, "")), Unit: kit.UnitOf(one.Price, c.Site.Settings().Currency)},
			{Label: "Surface", Value: kit.OrNone(v.Amount(one.Surface, "")), Unit: kit.UnitOf(one.Surface, "m²")},
			{Label: "Rooms", Value: kit.OrNone(v.Amount(one.RoomsNumber, ""))},
			{Label: "Added", Time: &added},
			{Label: "Changed", Time: &changed},
		},
		Groups: criteriaGroups(v, c, one), Regime: kit.Said(one.Energy.Regime),
		Energy:    energyScale(v, "Energy", one.Energy.ConsoEner, one.Energy.ConsoEnerg, "kWh/m²/year"),
		Climate:   energyScale(v, "Climate", one.Energy.GES, one.Energy.ValeurGES, "kg CO₂/m²/year"),
		Address:   strings.Join(strings.Fields(kit.Said(one.Address)+" "+kit.Said(one.PostalCode)+" "+kit.Said(one.City)+" "+kit.Said(one.Country)), " "),
		NoHistory: kit.Empty{Title: "Nothing is remembered", Text: "What happens to the product appears here, for as long as events are kept."},
		Curl:      formats.Curl(v, "GET", fmt.Sprintf("%s/products/%d?fetch=%s", kernel.BasePath, one.ID, shownBlocks), ""),
	}
	if one.Position != nil {
		p.Position = locate(one.Position.Latitude, one.Position.Longitude, one.Position.Source)
	}
	addBlocks(v, &p, c, one)
	return p
}

// addBlocks adds what was fetched with the product.
func addBlocks(v *kit.Request, p *productPage, c kernel.Caller, one listing.Product) {
	for i, photo := range list(one.ProductsPhotos) {
		label := cmp.Or(kit.Said(photo.Label), v.Say("Picture %d", i+1))
		p.Pictures = append(p.Pictures, pictureView{
			ID: photo.ID, Label: label, Private: photo.Visibility == "private", Cover: i == 0 && photo.Visibility == "public",
			Facts: fmt.Sprintf("%d × %d", photo.Width, photo.Height), Width: 160, Height: max(1, 160*photo.Height/max(1, photo.Width)),
		})
	}
	for _, d := range list(one.Descriptions) {
		p.Descriptions = append(p.Descriptions, descriptionView{d.Language, kit.Said(d.Title), d.Text})
	}
	for _, r := range list(one.Rooms) {
		room := roomView{Kind: kit.WordOf(c, criteria.RoomTypes, r.Type), Surface: v.Amount(r.Surface, "m²"), Comment: kit.Said(r.Commentaire)}
		if r.Niveau != nil {
			room.Level = strconv.Itoa(*r.Niveau)
		}
		p.Rooms = append(p.Rooms, room)
	}
	for _, m := range list(one.CriteresPublicationErrors) {
		p.Missing = append(p.Missing, kit.Fact{Label: m.Code, Value: m.Message})
	}
	for _, e := range list(one.SyncErrors) {
		p.SyncErrors = append(p.SyncErrors, syncErrorView{e.HookID, e.EventType, v.Read(e.Reason), v.When(e.OccurredAt.Time)})
	}
}

// list returns a list that may be absent.
func list[T any](of *[]T) []T {
	if of == nil {
		return nil
	}
	return *of
}

// criteriaGroups returns the criteria of a product in the order of the site's vocabulary, by the groups of
// the vocabulary. Those in no group are last.
func criteriaGroups(v *kit.Request, c kernel.Caller, one listing.Product) []factGroup {
	type criterion struct {
		criteria.Definition
		fact kit.Fact
	}
	var all []criterion
	for _, values := range []*[]listing.CriterionValue{one.CriteresText, one.CriteresNumber, one.CriteresFlag, one.CriteresFulltext} {
		for _, value := range list(values) {
			d, _ := c.Site.Dictionary.ByKey(value.ID)
			all = append(all, criterion{d, criterionFact(v, d, value)})
		}
	}
	slices.SortStableFunc(all, func(a, b criterion) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), strings.Compare(a.fact.Label, b.fact.Label))
	})
	var groups []factGroup
	others := factGroup{Label: v.Say("Other criteria")}
	for _, one := range all {
		if one.Group == "" {
			others.Facts = append(others.Facts, one.fact)
			continue
		}
		i := slices.IndexFunc(groups, func(g factGroup) bool { return g.Label == one.Group })
		if i < 0 {
			i, groups = len(groups), append(groups, factGroup{Label: one.Group})
		}
		groups[i].Facts = append(groups[i].Facts, one.fact)
	}
	if len(groups) == 0 {
		others.Label = v.Say("Criteria")
	}
	if len(others.Facts) > 0 {
		groups = append(groups, others)
	}
	return groups
}

func criterionFact(v *kit.Request, d criteria.Definition, value listing.CriterionValue) kit.Fact {
	f := kit.Fact{Label: cmp.Or(d.Label, value.ID), Value: fmt.Sprint(value.Value)}
	switch n := value.Value.(type) {
	case int:
		f.Value = v.Show(map[int]kit.Text{0: "no", 1: "yes"}[n])
	case float64:
		// Without a unit it may be a year, which has no commas.
		f.Value = strconv.FormatFloat(n, 'f', -1, 64)
		if d.Unit != "" {
			f.Value = v.Amount(&n, d.Unit)
		}
	}
	if value.Label != nil {
		f.Value = *value.Label
	}
	if value.Derived {
		f.Value = v.Say("%s (computed)", f.Value)
	}
	return f
}

// energyScale draws the letters of a label; nil for a product without one.
func energyScale(v *kit.Request, label kit.Text, of *string, value *float64, unit kit.Text) *scale {
	if of == nil {
		return nil
	}
	s := &scale{Label: label, Letter: *of, Value: v.Amount(value, v.Show(unit))}
	for i, name := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		s.Letters = append(s.Letters, letter{Name: name, Class: "letter-" + strings.ToLower(name), X: strconv.Itoa(i * 34), Current: name == *of})
	}
	return s
}

// addHistory adds what happened to the product.
func addHistory(v *kit.Request, c kernel.Caller, p *productPage) error {
	before, _ := strconv.ParseInt(v.Query("before"), 10, 64)
	rows, next, err := v.History(c, event.ProductUpdate.Resource(), p.ID, before)
	if p.History = rows; next > 0 {
		p.Older = v.Link("products", p.ID) + "?before=" + strconv.FormatInt(next, 10) + "#history"
	}
	return err
}

// smallWidth is how wide the copies are that the page shows.
const smallWidth = 320

// pictureFile hands out a small copy of a picture, private ones too: the page may be
// at another address than the API, whose pictures its policy does not admit.
func pictureFile(v *kit.Request) (kit.Download, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Download{}, err
	}
	picture, err := v.ID("picture")
	if err != nil {
		return kit.Download{}, err
	}
	c, err := v.Enter()
	if err != nil {
		return kit.Download{}, err
	}
	one, err := v.Site.Listing.GetPicture(v.Ctx, c, listing.PicturePath{ID: id, PictureID: picture})
	if err != nil {
		return kit.Download{}, err
	}
	address := one.Data.URL
	for _, size := range one.Data.Sizes {
		if size.Width == smallWidth {
			address = size.URL
		}
	}
	asked, err := photoRequest(address, int64(c.Site.ID), id)
	if err != nil {
		return kit.Download{}, err
	}
	file, err := v.Site.Listing.OpenPhoto(v.Ctx, asked)
	if err != nil {
		return kit.Download{}, err
	}
	defer file.Content.Close()
	content, err := io.ReadAll(file.Content)
	return kit.Download{Name: asked.File, Type: file.ContentType, Content: content}, err
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
