package demand

import (
	"reflect"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Same reports whether two states of a search request show no difference to
// anyone.
func (r SearchRequest) Same(s SearchRequest) bool {
	r.Modified, r.Version = s.Modified, s.Version
	return reflect.DeepEqual(r.listed(), s.listed())
}

// listed makes empty lists the same as none, as stores may.
func (r SearchRequest) listed() SearchRequest {
	r.PropertyTypes = append([]string(nil), r.PropertyTypes...)
	r.Criteria = append([]criteria.Condition(nil), r.Criteria...)
	r.KeyPoints = append([]KeyPoint(nil), r.KeyPoints...)
	r.Areas = append([]Area(nil), r.Areas...)
	return r
}

// Same reports whether two states of a follow-up show no difference to anyone.
func (f FollowUp) Same(g FollowUp) bool {
	f.Modified, f.Version = g.Modified, g.Version
	f.History, g.History = append([]Step(nil), f.History...), append([]Step(nil), g.History...)
	return reflect.DeepEqual(f, g)
}
