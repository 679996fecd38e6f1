package office

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func listActionTypes(_ context.Context, c kernel.Caller, _ kernel.Nothing) ([]ActionType, error) {
	types := slices.SortedFunc(maps.Values(c.Site.ActionTypes), func(a, b customer.ActionType) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
	records := []ActionType{}
	for _, t := range types {
		r := ActionType{
			ID: int64(t.ID), Model: t.Code, Label: t.Label, IsActive: t.Active, Target: string(t.Target), Color: kernel.Nullable(t.Color),
			Position: t.Position, Children: []ChildAction{}, AppearsInHistory: t.InHistory(),
		}
		for _, child := range t.Children {
			r.Children = append(r.Children, ChildAction{ID: child.ID, Model: child.Code, Label: child.Label, IsActive: child.Active})
		}
		records = append(records, r)
	}
	return records, nil
}
