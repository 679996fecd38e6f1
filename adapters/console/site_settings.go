package console

import (
	"errors"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

func showSettings(v *pageRequest) (any, error) {
	c, own, err := v.settings()
	if err != nil {
		return nil, err
	}
	f := v.form()
	status, err := v.statusField(c, f, own.DefaultStatus)
	scales := f.some("energy_scales", "Energy letters are computed by", own.EnergyScales, append(named(energy.Names()), choice{Value: energy.NoScale, Label: "none of them"}))
	scales.Narrow, scales.Hint = true, strings.TrimSpace("If nothing is ticked, by the usual ones: "+strings.Join(energy.Usual(), ", ")+". "+scales.Hint)
	return formPage{
		Form: f, Heading: "Settings", Button: "Save", Back: link(v.Prefix, "site"), BackLabel: "Site",
		Action: v.actionOn(own.Version, "site", "settings"),
		Fields: []field{
			f.text("name", "Name", "", own.Name).required(),
			status,
			f.text("timezone", "Time zone", "As the IANA names it, such as Europe/Paris.", own.Timezone).required(),
			f.text("currency", "Currency", "A code of ISO 4217, such as EUR.", own.Currency).required(),
			f.text("country", "Country", "A code of ISO 3166, such as FR.", own.Country).required(),
			f.text("language", "Language", "A code of ISO 639-1, such as fr.", own.Language).required(),
			f.text("reference_pattern", "References of new products", "With {agency} and {number}.", own.ReferencePattern).required(),
			scales,
		},
	}, err
}

// statusField returns the status that new products get: a choice where the site has
// statuses.
func (v *pageRequest) statusField(c kernel.Caller, f *form, first string) (field, error) {
	const name, label = "default_status", "Status of new products"
	statuses, err := v.Site.Office.ListCriterionValues(v.ctx, c, office.ReadCriterionValues{Criteria: criteria.KeyStatus})
	if errors.Is(err, fault.NotFound) || err == nil && len(statuses) == 0 {
		return f.text(name, label, "", first).required(), nil
	}
	choices := make([]choice, len(statuses))
	for i, s := range statuses {
		choices[i] = choice{Value: s.Model, Label: s.Label}
	}
	return f.one(name, label, "", first, choices), err
}

func changeSettings(v *pageRequest) (done, error) {
	_, err := v.Backoffice.ChangeSettings(v.ctx, v.actor, at(v, office.ChangeSettings{
		IfMatch: v.ifStill(), Name: opt.Of(v.sent("name")), DefaultStatus: opt.Of(v.sent("default_status")), Timezone: opt.Of(v.sent("timezone")),
		Currency: opt.Of(v.sent("currency")), Country: opt.Of(v.sent("country")), Language: opt.Of(v.sent("language")),
		ReferencePattern: opt.Of(v.sent("reference_pattern")), EnergyScales: opt.Of(v.r.PostForm["energy_scales"]),
	}))
	return went("site").saying("The settings are changed."), err
}
