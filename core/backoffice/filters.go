package backoffice

import (
	"context"
	"net/url"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func (s *Service) saveFilter(ctx context.Context, a Actor, in operator.Filter) (kernel.None, error) {
	in.Name = strings.TrimSpace(in.Name)
	if err := checkFilter(in); err != nil {
		return kernel.None{}, err
	}
	return s.changeFilters(ctx, a, func(mine operator.Operator) ([]operator.Filter, error) {
		filters := mine.WithFilter(in)
		if len(filters) > operator.MaxFilters {
			return nil, kernel.Invalid("name", fault.CodeOutOfRange, "you have %d saved filters, which is as many as you may: remove one first", operator.MaxFilters)
		}
		return filters, nil
	})
}

// checkFilter returns what is wrong with a filter. Which pages there are the console knows.
func checkFilter(f operator.Filter) error {
	var problems fault.Problems
	if kernel.CheckText("name", f.Name, operator.MaxFilterName, &problems) && f.Name == "" {
		problems.Add("name", fault.CodeOutOfRange, "a name has 1 to %d characters", operator.MaxFilterName)
	}
	if kernel.CheckText("page", f.Page, operator.MaxFilterPage, &problems) && !strings.HasPrefix(f.Page, "/") {
		problems.Add("page", fault.CodeInvalidFormat, "a path begins with /")
	}
	if kernel.CheckText("query", f.Query, operator.MaxFilterQuery, &problems) {
		if asked, err := url.ParseQuery(f.Query); err != nil || len(asked) == 0 {
			problems.Add("query", fault.CodeInvalidFormat, "the parameters of a filter")
		}
	}
	return problems.Err()
}

// RemoveFilter names one of the actor's filters.
type RemoveFilter struct{ Page, Name string }

func (s *Service) removeFilter(ctx context.Context, a Actor, in RemoveFilter) (kernel.None, error) {
	return s.changeFilters(ctx, a, func(mine operator.Operator) ([]operator.Filter, error) {
		left, found := mine.WithoutFilter(in.Page, in.Name)
		if !found {
			return nil, kernel.Unknown("you have no such filter")
		}
		return left, nil
	})
}

// changeFilters stores other filters of the actor, who is locked meanwhile: what is saved at once
// is all there.
func (s *Service) changeFilters(ctx context.Context, a Actor, change func(operator.Operator) ([]operator.Filter, error)) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		mine, err := u.Operators().Get(a.Operator.ID)
		if err != nil {
			return kernel.None{}, err
		}
		if mine.Filters, err = change(mine); err != nil {
			return kernel.None{}, err
		}
		return kernel.None{}, u.Operators().Replace(mine)
	})
}
