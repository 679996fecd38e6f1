package product

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Differences names what differs between a state of a product and the one after it:
// keys of criteria first, in their order, then fields and parts as requests call them.
// Names alone: no value is in it.
func (p Product) Differences(after Product) []string { return edit.Fields(p.Edits(after)) }

// Edits is Differences with the values before and after. Of pictures it has how many there
// are.
func (p Product) Edits(after Product) []edit.Edit {
	edits := append(p.criteriaEdits(after), edit.Whole(p.plain(), after.plain())...)
	if !slices.EqualFunc(p.Rooms, after.Rooms, Room.same) {
		type parts struct{ Rooms []Room }
		edits = append(edits, edit.Whole(parts{p.Rooms}, parts{after.Rooms})...)
	}
	if !slices.EqualFunc(p.Pictures, after.Pictures, Picture.same) {
		edits = append(edits, edit.Edit{Field: "pictures", Before: strconv.Itoa(len(p.Pictures)), After: strconv.Itoa(len(after.Pictures))})
	}
	here, _ := p.Place()
	there, _ := after.Place()
	if here != there {
		edits = append(edits, edit.Edit{Field: "position", Before: here.text(), After: there.text()})
	}
	return append(edits, p.textEdits(after)...)
}

// plain has the fields of a product that have one value each.
type plain struct {
	Model            string
	AgencyID         site.AgencyID
	UserID           site.UserID
	CustomerID       customer.ID
	ParentID         ID
	WebStatus        bool
	Intercabinet     bool
	SellerStatistics bool
	NextContact      string
	Color            int
}

func (p Product) plain() plain {
	return plain{
		p.Reference, p.Agency, p.User, p.Customer, p.Parent, p.WebStatus, p.Intercabinet, p.SellerStatistics, p.NextContact, p.Color,
	}
}

// text returns the place as latitude and longitude; empty where it is not known.
func (p Place) text() string {
	if p == (Place{}) {
		return ""
	}
	return fmt.Sprintf("%g, %g", p.Latitude, p.Longitude)
}

func (p Product) criteriaEdits(after Product) (edits []edit.Edit) {
	every := p.Criteria.Clone()
	maps.Copy(every, after.Criteria)
	for _, key := range slices.Sorted(maps.Keys(every)) {
		if !criteria.Equal(p.Criteria[key], after.Criteria[key]) {
			edits = append(edits, edit.Edit{Field: key, Before: textOf(p.Criteria[key]), After: textOf(after.Criteria[key])})
		}
	}
	return edits
}

// textOf returns a value as text: a flag as 1 or 0, and several codes with commas.
func textOf(v criteria.Value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case criteria.Multiple:
		return strings.Join(v, ", ")
	case criteria.Flag:
		if v {
			return "1"
		}
		return "0"
	}
	return fmt.Sprint(v)
}

// textEdits are those of the languages whose texts differ.
func (p Product) textEdits(after Product) (edits []edit.Edit) {
	texts := map[string][2]Description{}
	for _, d := range p.Descriptions {
		texts[d.Language] = [2]Description{d}
	}
	for _, d := range after.Descriptions {
		texts[d.Language] = [2]Description{texts[d.Language][0], d}
	}
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		both := texts[language]
		if both[0] == both[1] {
			continue
		}
		whole := edit.Edit{Field: "description " + language}
		both[0].Language, both[1].Language = "", ""
		for _, part := range edit.Whole(both[0], both[1]) {
			whole.Before, whole.After = said(whole.Before, part.Field, part.Before), said(whole.After, part.Field, part.After)
		}
		edits = append(edits, whole)
	}
	return edits
}

// said adds a part to a text, with what it is.
func said(text, what, part string) string {
	if part == "" {
		return text
	}
	if text != "" {
		text += "\n"
	}
	return text + what + ": " + part
}
