package product

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
)

// GapCode is why a product should not be published as it is.
type GapCode string

// The codes.
const (
	// GapMissing is a criterion the site requires for publication.
	GapMissing GapCode = "missing"
	// GapInvalid is a value that its criterion would not accept today.
	GapInvalid GapCode = "invalid"
	// GapLegalMention is what the law wants an advertisement to state.
	GapLegalMention GapCode = "legal_mention_missing"
	// GapVoid is a diagnosis that holds no more.
	GapVoid GapCode = "diagnosis_void"
	// GapPhoto is a product without any public photo.
	GapPhoto GapCode = "photo_missing"
)

// Gap is one thing that keeps a product off the web.
type Gap struct {
	Key     string // of the criterion; empty when it is about none
	Code    GapCode
	Message string
}

// Advert is what a product shows of itself.
type Advert struct {
	Values criteria.Values
	// Photos is the number of public photos.
	Photos int
	// Country is where the product is that does not say; an ISO 3166 code.
	Country string
	// Today is the day, YYYY-MM-DD, where the site is, whose zone is Zone.
	Today string
	Zone  *time.Location
}

// Gaps lists what keeps a product off the web, in the order of the definitions
// of its site, each criterion once. Criteria that are not active, or not for this
// type of property, are nobody's to fill in.
func Gaps(a Advert, d *criteria.Dictionary) []Gap {
	var gaps []Gap
	due := a.mentions()
	for def := range d.All() {
		if !def.Active {
			continue
		}
		if value, has := a.Values[def.Key]; has {
			if _, problem := def.Parse(criteria.Restate(value), criteria.Reading{Zone: time.UTC}); problem != nil {
				gaps = append(gaps, Gap{def.Key, GapInvalid, problem.Message.String()})
			} else if def.Key == criteria.KeyEnergyDate && a.french() && diagnosed(a) && energy.Void(DiagnosedOn(a.Values, a.Zone), a.Today) {
				gaps = append(gaps, Gap{def.Key, GapVoid, def.Key + ": a DPE made before July 2021, or more than ten years ago, holds no more"})
			}
			continue
		}
		if len(def.PropertyTypes) > 0 && !slices.Contains(def.PropertyTypes, a.code(criteria.KeyPropertyType)) {
			continue
		}
		if message, wanted := due[def.Key]; wanted {
			gaps = append(gaps, Gap{def.Key, GapLegalMention, def.Key + ": " + message})
		} else if def.RequiredForPublication {
			gaps = append(gaps, Gap{def.Key, GapMissing, def.Key + ": the site requires it for publication"})
		}
	}
	if a.Photos == 0 {
		gaps = append(gaps, Gap{Code: GapPhoto, Message: "the product has no public photo"})
	}
	return gaps
}

func (a Advert) code(key string) string { return a.Values.Code(key) }

func (a Advert) has(key string) bool {
	_, has := a.Values[key]
	return has
}

// french reports whether the product is in France.
func (a Advert) french() bool { return cmp.Or(a.code(criteria.KeyCountry), a.Country) == "FR" }

// DiagnosedOn returns the day of the energy diagnosis of a product in a zone, YYYY-MM-DD;
// empty where nobody says.
func DiagnosedOn(v criteria.Values, zone *time.Location) string {
	made, known := v[criteria.KeyEnergyDate].(criteria.Date)
	if !known {
		return ""
	}
	return dayIn(made, zone)
}

// mentions returns the criteria an advertisement for the product has to state by
// law, with what each is for.
func (a Advert) mentions() map[string]string {
	due := map[string]string{}
	if !a.french() {
		return due
	}
	for _, m := range frenchMentions {
		if m.due(a) {
			due[m.key] = m.message
		}
	}
	return due
}
