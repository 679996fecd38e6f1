package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// Picked is what somebody has ticked for a client: names, as in
// tokens.CredentialInput.
type Picked struct{ Packs, Permissions, Rights []string }

// OperationRecord is an operation of the API, as somebody who picks sees it.
type OperationRecord struct {
	ID, Method, Path, Summary string
	Rule                      access.Rule
	// Callable reports that what was picked suffices; otherwise Missing is the code of
	// what is missing first: a pack, a permission, a right.
	Callable bool
	Missing  fault.Code
}

// listCallable lists the operations that need a token, in the order of the table.
func (s *Service) listCallable(_ context.Context, _ Actor, in Picked) ([]OperationRecord, error) {
	client, err := tokens.CredentialInput{ID: "picked", Packs: in.Packs, Permissions: in.Permissions, Rights: in.Rights}.Credential()
	if err != nil {
		return nil, err
	}
	records := []OperationRecord{}
	for _, o := range s.site.Operations() {
		if o.Public {
			continue
		}
		r := OperationRecord{ID: o.ID, Method: o.Method, Path: o.Path, Summary: o.Summary, Rule: o.Rule, Callable: true}
		if err := o.Rule.Check(client.Grant(0)); err != nil {
			r.Callable, r.Missing = false, fault.From(err).Code
		}
		records = append(records, r)
	}
	return records, nil
}

// Preset is what clients of one kind usually need.
type Preset struct {
	ID, Label string
	Picked
}

// listPresets lists the presets that the actor may give.
func (s *Service) listPresets(_ context.Context, a Actor, _ kernel.Nothing) ([]Preset, error) {
	return slices.DeleteFunc(presets(), func(p Preset) bool {
		client, err := tokens.CredentialInput{ID: "preset", Packs: p.Packs, Permissions: p.Permissions, Rights: p.Rights}.Credential()
		return err != nil || a.Operator.Role.MayGive(client.Grant(0)) != nil
	}), nil
}

// presets returns what is common in the trade. A website shows listings and takes in leads
// and bookings; a portal shows listings, and hears of them; a valuation tool hands
// over sellers; the software of an agency does everything but set itself up.
func presets() []Preset {
	vocabulary := []string{string(access.CriteriaAll), string(access.CriteriaGet)}
	shows := []string{string(access.ProductSearch), string(access.ProductGet), string(access.AgencyList), string(access.AgencyGet)}
	hears := []string{string(access.HookList), string(access.HookGet), string(access.HookCreate), string(access.HookUpdate), string(access.HookDelete)}
	read := []string{string(access.ProductRead), string(access.AgencyRead), string(access.Config)}
	hooks := []string{string(access.HookRead), string(access.HookWrite)}
	all := []string{access.All}
	return []Preset{
		{"website", "Website of an agency", Picked{
			Packs:       []string{"websites", "leads", "webhooks", "discovery", "agencies"},
			Permissions: slices.Concat(read, hooks, []string{string(access.LeadWrite), string(access.BookingWrite)}),
			Rights:      slices.Concat(shows, vocabulary, hears, []string{string(access.LeadCreate), string(access.BookingCreate)}),
		}},
		{"portal", "Portal", Picked{
			Packs:       []string{"websites", "webhooks", "discovery", "agencies"},
			Permissions: slices.Concat(read, hooks),
			Rights:      slices.Concat(shows, vocabulary, hears),
		}},
		{"valuation", "Valuation tool", Picked{
			Packs:       []string{"leads", "discovery", "agencies"},
			Permissions: []string{string(access.LeadWrite), string(access.AgencyRead), string(access.Config)},
			Rights:      slices.Concat([]string{string(access.LeadCreate), string(access.AgencyList), string(access.AgencyGet)}, vocabulary),
		}},
		{"crm", "Software of an agency", Picked{
			Packs:       []string{"properties", "customers", "leads", "users", "agencies", "discovery", "webhooks", "sales", "agenda"},
			Permissions: all, Rights: all,
		}},
		{"all", "Everything", Picked{Packs: all, Permissions: all, Rights: all}},
	}
}
