package catalogue_test
import ("testing";"github.com/vitrine-crm/vitrine/core/catalogue/cataloguetest")
func BenchmarkZ(b *testing.B) { index, queries := largeIndex(), cataloguetest.Queries(2000, large, 2)
 for b.Loop() { for _, q := range queries { index.Search(q) } } }
