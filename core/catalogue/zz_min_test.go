package catalogue_test
import ("testing";"slices";"fmt";"time";"os";"github.com/vitrine-crm/vitrine/core/catalogue/cataloguetest";"github.com/vitrine-crm/vitrine/core/catalogue")
func TestMin(t *testing.T){
 for _, n := range []int{large, small} { ix := build(n); qs := cataloguetest.Queries(2000,n,2)
 for _, what := range []string{"search","count"} {
 type r struct{d time.Duration; i int}
 best := make([]r, len(qs))
 for i, q := range qs { best[i]=r{time.Hour,i}; for range 9 { s:=time.Now(); if what=="search" {ix.Search(q)} else {ix.Count(q.Filter)}; if d:=time.Since(s); d<best[i].d {best[i].d=d} } }
 slices.SortFunc(best, func(a,b r) int { return int(a.d-b.d) })
 fmt.Println(n, what, "p50",best[1000].d,"p90",best[1800].d,"p99",best[1980].d,"max",best[1999].d)
 if os.Getenv("WORST")!="" { for _, k := range []int{1999,1995,1990,1985,1980,1960,1940,1900,1850,1800} { q:=qs[best[k].i]; fmt.Println(k, best[k].d, ix.Count(q.Filter), q.Order, q.Skip, q.Filter.Keyword, len(q.Filter.Agencies)); for _, c := range q.Filter.Criteria { fmt.Printf("   %v %v %v n=%d\n", c.Criterion, c.Operator, c.Texts, ix.Count(catalogueFilter(c))) } } }
 }}
}
func catalogueFilter(c criteriaCondition) productFilter { return productFilter{Agencies: cataloguetest.Agencies(), Criteria: []criteriaCondition{c}} }
var _ catalogue.Query
