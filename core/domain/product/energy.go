package product

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
)

// Derived reports which energy letters among the criteria of a product were
// computed from its numbers. All others were declared: somebody sent them.
type Derived struct {
	Energy  bool // ConsoEner
	Climate bool // GES
	// Regime is the name of the scale they were read off; empty when neither was.
	Regime string
}

// Any reports whether a letter was computed.
func (d Derived) Any() bool { return d.Energy || d.Climate }

// Has reports whether the value of a criterion was computed.
func (d Derived) Has(key string) bool {
	return d.Energy && key == criteria.KeyEnergyLetter || d.Climate && key == criteria.KeyClimateLetter
}

// families are the codes of TypeBien whose buildings have energy scales.
var families = map[string]energy.Family{
	"Appartement": energy.Apartment, "Studio": energy.Apartment, "Loft": energy.Apartment, "Duplex": energy.Apartment,
	"Maison": energy.House, "Villa": energy.House, "Chalet": energy.House,
	"Immeuble": energy.Block,
	"Bureau":   energy.Office,
	"Hotel":    energy.Continuous, "ResidenceServices": energy.Continuous,
	"LocalCommercial": energy.Tertiary, "FondsCommerce": energy.Tertiary, "Entrepot": energy.Tertiary,
	"LocalActivite": energy.Tertiary, "Restaurant": energy.Tertiary,
	"CentreCommercial": energy.ShoppingCentre,
}

// letters brings the letters of a product up to date with the rest of it. named
// are the criteria a request names, true for those it gives a value.
func (w writer) letters(p *Product, named map[string]bool) {
	label := w.EnergyScales.Label(w.building(p.Criteria))
	w.letter(p, criteria.KeyEnergyLetter, label.Energy, &p.Derived.Energy, named, criteria.KeyConsumption)
	w.letter(p, criteria.KeyClimateLetter, label.Climate, &p.Derived.Climate, named, criteria.KeyEmission)
	p.Derived.Regime = ""
	if p.Derived.Any() {
		p.Derived.Regime = label.Regime
	}
}

// letter decides about one letter. A letter that is sent wins and stays; it
// gives way when its own number is sent later and yields another.
func (w writer) letter(p *Product, key string, computed energy.Letter, derived *bool, named map[string]bool, number string) {
	possible := computed != "" && w.knows(key, string(computed))
	_, has := p.Criteria[key]
	declared, givesWay := has && !*derived, named[number] && possible
	switch {
	case named[key], declared && !givesWay:
		*derived = false
	case possible:
		p.Criteria[key] = criteria.Unique(computed)
		*derived = true
	default:
		delete(p.Criteria, key)
		*derived = false
	}
}

// knows reports whether a product could be given the letter.
func (w writer) knows(key, letter string) bool {
	def, found := w.Dictionary.ByKey(key)
	choice, listed := def.Choice(letter)
	return found && def.Type == criteria.UNIQUE && def.Active && listed && choice.Active
}

// building returns what the criteria of a product say of its energy label.
func (w writer) building(v criteria.Values) energy.Building {
	b := energy.Building{
		Family: families[v.Code(criteria.KeyPropertyType)], Country: v.Code(criteria.KeyCountry),
		PostalCode:  v.Text(criteria.KeyPostalCode),
		Consumption: numberOf(v, criteria.KeyConsumption), Emission: numberOf(v, criteria.KeyEmission),
	}
	if b.Country == "" {
		b.Country = w.Country
	}
	b.Altitude, _ = v.Number(criteria.KeyAltitude)
	if b.Surface, _ = v.Number(criteria.KeyReferenceSurface); b.Surface == 0 {
		b.Surface, _ = v.Number(criteria.KeySurface)
	}
	b.Assessed = DiagnosedOn(v, w.Zone)
	return b
}

// dayIn returns the calendar day of a date in a zone.
func dayIn(d criteria.Date, zone *time.Location) string {
	if d.Timed {
		return d.At.In(zone).Format(time.DateOnly)
	}
	return d.At.Format(time.DateOnly)
}

func numberOf(v criteria.Values, key string) *float64 {
	n, ok := v.Number(key)
	if !ok {
		return nil
	}
	return &n
}

// aboutLetters reports whether a request names a letter or the number it is
// read off.
func aboutLetters(named map[string]bool) bool {
	for _, key := range []string{
		criteria.KeyEnergyLetter, criteria.KeyClimateLetter, criteria.KeyConsumption, criteria.KeyEmission,
	} {
		if _, ok := named[key]; ok {
			return true
		}
	}
	return false
}
