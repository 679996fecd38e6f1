package siteapi

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// settings is everything about a site that changes rarely and is needed often,
// as it was at one revision. It is immutable.
type settings struct {
	revision   int64
	site       site.Site
	zone       *time.Location
	scope      site.Scope
	agencies   []site.Agency
	users      map[site.UserID]site.User
	staff      map[site.AgencyID][]site.User
	dictionary *criteria.Dictionary
	actions    action.Types
	// unsearchable are the keys of criteria no search can name.
	unsearchable map[string]bool
	// veil hides from website credentials what they have no use for.
	veil product.Veil
}

func (s *settings) rules() product.Rules {
	chosen := s.site.Settings
	return product.Rules{
		Dictionary: s.dictionary, Zone: s.zone, DefaultStatus: chosen.DefaultStatus,
		Country: chosen.Country, EnergyScales: chosen.EnergyScales,
	}
}

func (s *settings) agency(id site.AgencyID) (site.Agency, bool) {
	for _, a := range s.agencies {
		if a.ID == id {
			return a, true
		}
	}
	return site.Agency{}, false
}

func (s *Service) loadSettings(ctx context.Context, id site.ID) (*settings, error) {
	fresh := &settings{users: map[site.UserID]site.User{}, staff: map[site.AgencyID][]site.User{}, actions: action.Types{}}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		head, err := tx.Ledger().Head(id)
		if err != nil {
			return err
		}
		fresh.revision = head.Settings
		if fresh.site, err = tx.Sites().Get(id); err != nil {
			return err
		}
		if fresh.agencies, err = tx.Agencies().Of(id); err != nil {
			return err
		}
		users, err := tx.Users().Of(id)
		if err != nil {
			return err
		}
		for _, u := range users {
			fresh.users[u.ID] = u
			fresh.staff[u.Agency] = append(fresh.staff[u.Agency], u)
		}
		definitions, err := tx.Criteria().Of(id)
		if err != nil {
			return err
		}
		types, err := tx.ActionTypes().Of(id)
		if err != nil {
			return err
		}
		for _, t := range types {
			fresh.actions[t.ID] = t
		}
		lists, err := tx.Lists().Of(id)
		if err != nil {
			return err
		}
		fresh.dictionary = criteria.NewDictionary(definitions, lists)
		fresh.unsearchable = map[string]bool{}
		fresh.veil = product.Veil{Private: map[string]bool{}, Addresses: true}
		for _, d := range definitions {
			if !d.Searchable {
				fresh.unsearchable[d.Key] = true
			}
			if d.Private {
				fresh.veil.Private[d.Key] = true
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	fresh.site.Settings = fresh.site.Settings.WithDefaults()
	fresh.scope = fresh.site.Scope()
	if fresh.zone, err = s.ports.Zone(fresh.site.Settings.TimeZone); err != nil {
		return nil, fmt.Errorf("site %d: %w", id, err)
	}
	return fresh, nil
}
