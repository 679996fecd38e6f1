package backoffice_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

func failedRequests(name, query string) operator.Filter {
	return operator.Filter{Name: name, Page: "/requests", Query: query}
}

// filters are those that are stored of an operator.
func (w *world) filters(a backoffice.Actor) (kept []operator.Filter) {
	w.View(func(tx port.Tx) error {
		known, err := tx.Operators().Get(a.Operator.ID)
		kept = known.Filters
		return err
	})
	return kept
}

func TestAFilterIsSavedReplacedAndRemovedByItsOperatorAlone(t *testing.T) {
	w := newWorld(t)
	anne := w.operator(t, "anne@example.org", operator.Reader, 1)
	do(t, w.SaveFilter, w.admin, failedRequests(" failed ", "site=1&status=5"))
	do(t, w.SaveFilter, anne, failedRequests("failed", "status=4"))
	do(t, w.SaveFilter, w.admin, failedRequests("failed", "status=2"))
	if kept := w.filters(w.admin); !slices.Equal(kept, []operator.Filter{failedRequests("failed", "status=2")}) {
		t.Errorf("the administrator has %v", kept)
	}
	_, err := w.RemoveFilter(t.Context(), anne, backoffice.RemoveFilter{Page: "/events", Name: "failed"})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	do(t, w.RemoveFilter, w.admin, backoffice.RemoveFilter{Page: "/requests", Name: "failed"})
	if kept := w.filters(w.admin); len(kept) > 0 {
		t.Errorf("the administrator still has %v", kept)
	}
	if kept := w.filters(anne); !slices.Equal(kept, []operator.Filter{failedRequests("failed", "status=4")}) {
		t.Errorf("Anne has %v", kept)
	}
	// Another change of the operator keeps them.
	do(t, w.ChangeOperator, w.admin, backoffice.ChangeOperator{ID: int64(anne.Operator.ID), Name: "Anne", Post: backoffice.Post{Role: "reader", Sites: []int64{1}}})
	if kept := w.filters(anne); len(kept) != 1 {
		t.Errorf("then Anne has %v", kept)
	}
}

func TestAWrongFilterIsRefusedByItsFieldAndChangesNothing(t *testing.T) {
	w := newWorld(t)
	for field, wrong := range map[string][]operator.Filter{
		"name": {
			failedRequests(" ", "status=5"), failedRequests(strings.Repeat("é", operator.MaxFilterName+1), "status=5"), failedRequests("a\x00", "status=5"),
		},
		"page": {
			{Name: "a", Query: "b=c"}, {Name: "a", Page: "requests", Query: "b=c"}, {Name: "a", Page: "/" + strings.Repeat("a", operator.MaxFilterPage), Query: "b=c"},
		},
		"query": {
			failedRequests("a", ""), failedRequests("a", "%zz"), failedRequests("a", "a="+strings.Repeat("a", operator.MaxFilterQuery)),
		},
	} {
		for _, f := range wrong {
			_, err := w.SaveFilter(t.Context(), w.admin, f)
			if known := fault.From(err); known.Kind != fault.Invalid || len(known.Details) != 1 || known.Details[0].Field != field {
				t.Errorf("%q: %v", f, err)
			}
		}
	}
	if kept := w.filters(w.admin); len(kept) > 0 {
		t.Errorf("saved are %v", kept)
	}
	longest := failedRequests(strings.Repeat("é", operator.MaxFilterName), "a="+strings.Repeat("a", operator.MaxFilterQuery-2))
	do(t, w.SaveFilter, w.admin, longest)
}

// All are saved at once: none is lost, and there are never more than the bound.
func TestFiltersSavedAtOnceAreAllKeptUpToTheBound(t *testing.T) {
	w := newWorld(t)
	var all sync.WaitGroup
	for n := range operator.MaxFilters {
		all.Go(func() {
			if _, err := w.SaveFilter(t.Context(), w.admin, failedRequests(fmt.Sprint(n), "status=5")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	_, err := w.SaveFilter(t.Context(), w.admin, failedRequests("one more", "status=5"))
	apitest.Refused(t, err, fault.Invalid, fault.CodeOutOfRange)
	do(t, w.SaveFilter, w.admin, failedRequests("0", "status=4"))
	if kept := w.filters(w.admin); len(kept) != operator.MaxFilters {
		t.Errorf("%d are kept", len(kept))
	}
}
