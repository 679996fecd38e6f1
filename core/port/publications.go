package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// PublicationTargets holds the portals that get the listings of sites.
type PublicationTargets struct {
	SiteTable[operator.TargetID, operator.PublicationTarget]
}

// Due lists at most n targets, of any site, that are to be looked at, the first due first.
func (t PublicationTargets) Due(at time.Time, n int) ([]operator.PublicationTarget, error) {
	return t.due(at, n)
}

// All lists the targets of all sites, by site and id.
func (t PublicationTargets) All() ([]operator.PublicationTarget, error) {
	return t.find(Query{Limit: All})
}

// TargetRuns holds what was handed over to publication targets.
type TargetRuns struct {
	Table[operator.TargetRunID, operator.TargetRun]
}

// Of lists at most n runs of a target but for the skipped latest ones, latest first.
func (r TargetRuns) Of(id site.ID, target operator.TargetID, skipped, n int) ([]operator.TargetRun, error) {
	return r.find(Query{Site: id, Where: []Condition{ofTarget(target)}, By: "id", Desc: true, Skip: skipped, Limit: max(n, 0)})
}

func ofTarget(id operator.TargetID) Condition {
	return Condition{Field: "target_id", Is: Equal, Value: int64(id)}
}

// AllPlacements holds on which portals products are, under the ids of these.
type AllPlacements struct {
	Table[product.ID, operator.Placements]
}

// On lists at most n of those on a target with an id above after, by id.
func (p AllPlacements) On(id site.ID, target operator.TargetID, after product.ID, n int) ([]operator.Placements, error) {
	return p.find(Query{
		Site: id, Where: []Condition{LinkedTo("target", target)}, After: &Place{ID: int64(after)}, Limit: max(n, 0),
	})
}
