package product

import (
	"maps"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Differences names what differs between a state of a product and the one after it:
// keys of criteria first, in their order, then fields and parts as requests call them.
// Names alone: no value is in it.
func (p Product) Differences(after Product) []string {
	names := p.differingCriteria(after)
	here, _ := p.Place()
	there, _ := after.Place()
	for _, part := range []struct {
		name    string
		differs bool
	}{
		{"model", p.Reference != after.Reference},
		{"agency_id", p.Agency != after.Agency},
		{"user_id", p.User != after.User},
		{"customer_id", p.Customer != after.Customer},
		{"parent_id", p.Parent != after.Parent},
		{"web_status", p.WebStatus != after.WebStatus},
		{"intercabinet", p.Intercabinet != after.Intercabinet},
		{"seller_statistics", p.SellerStatistics != after.SellerStatistics},
		{"next_contact", p.NextContact != after.NextContact},
		{"color", p.Color != after.Color},
		{"rooms", !slices.EqualFunc(p.Rooms, after.Rooms, Room.same)},
		{"pictures", !slices.EqualFunc(p.Pictures, after.Pictures, Picture.same)},
		{"position", here != there},
	} {
		if part.differs {
			names = append(names, part.name)
		}
	}
	return append(names, p.differingTexts(after)...)
}

func (p Product) differingCriteria(after Product) (names []string) {
	every := p.Criteria.Clone()
	maps.Copy(every, after.Criteria)
	for _, key := range slices.Sorted(maps.Keys(every)) {
		if !criteria.Equal(p.Criteria[key], after.Criteria[key]) {
			names = append(names, key)
		}
	}
	return names
}

// differingTexts names the languages whose texts differ.
func (p Product) differingTexts(after Product) (names []string) {
	texts := map[string][2]Description{}
	for _, d := range p.Descriptions {
		texts[d.Language] = [2]Description{d}
	}
	for _, d := range after.Descriptions {
		texts[d.Language] = [2]Description{texts[d.Language][0], d}
	}
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		if both := texts[language]; both[0] != both[1] {
			names = append(names, "description "+language)
		}
	}
	return names
}
