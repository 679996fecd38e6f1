package sites

import (
	"errors"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

func showSettings(v *kit.Request) (any, error) {
	c, own, err := settings(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	status, err := statusField(v, c, f, own.DefaultStatus)
	scales := f.Some("energy_scales", "Energy letters are computed by", own.EnergyScales, append(kit.Named(energy.Names()), kit.Choice{Value: energy.NoScale, Label: v.Say("none of them")}))
	scales.Narrow, scales.Hint = true, strings.TrimSpace(v.Say("If nothing is ticked, by the usual ones: %s.", strings.Join(energy.Usual(), ", "))+" "+scales.Hint)
	return kit.FormPage{
		Form: f, Heading: v.Say("Settings"), Button: "Save", Back: v.Link("site"), BackLabel: v.Say("Site"),
		Action: v.ActionOn(own.Version, "site", "settings"),
		Fields: []kit.Field{
			f.Text("name", "Name", "", own.Name).MustFill(),
			status,
			f.Text("timezone", "Time zone", "As the IANA names it, such as Europe/Paris.", own.Timezone).MustFill(),
			f.Text("currency", "Currency", "A code of ISO 4217, such as EUR.", own.Currency).MustFill(),
			f.Text("country", "Country", "A code of ISO 3166, such as FR.", own.Country).MustFill(),
			f.Text("language", "Language", "A code of ISO 639-1, such as fr.", own.Language).MustFill(),
			f.Text("reference_pattern", "References of new products", "With {agency} and {number}.", own.ReferencePattern).MustFill(),
			scales,
		},
	}, err
}

// statusField returns the status that new products get: a choice where the site has
// statuses.
func statusField(v *kit.Request, c kernel.Caller, f *kit.Form, first string) (kit.Field, error) {
	const name, label = "default_status", "Status of new products"
	statuses, err := v.Site.Office.ListCriterionValues(v.Ctx, c, office.ReadCriterionValues{Criteria: criteria.KeyStatus})
	if errors.Is(err, fault.NotFound) || err == nil && len(statuses) == 0 {
		return f.Text(name, label, "", first).MustFill(), nil
	}
	choices := make([]kit.Choice, len(statuses))
	for i, s := range statuses {
		choices[i] = kit.Choice{Value: s.Model, Label: s.Label}
	}
	return f.One(name, label, "", first, choices), err
}

func changeSettings(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.ChangeSettings(v.Ctx, v.Actor, kit.At(v, office.ChangeSettings{
		IfMatch: v.IfStill(), Name: opt.Of(v.Sent("name")), DefaultStatus: opt.Of(v.Sent("default_status")), Timezone: opt.Of(v.Sent("timezone")),
		Currency: opt.Of(v.Sent("currency")), Country: opt.Of(v.Sent("country")), Language: opt.Of(v.Sent("language")),
		ReferencePattern: opt.Of(v.Sent("reference_pattern")), EnergyScales: opt.Of(v.HTTP.PostForm["energy_scales"]),
	}))
	return kit.Went("site").Saying("The settings are changed."), err
}
