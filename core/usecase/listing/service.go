package listing

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// Service is the use cases about products.
type Service struct {
	API
	kernel.Area[API]
	// References returns the references of some products by their ids, and leaves out those
	// that are not there or not seen. It checks what GetProduct checks.
	References kernel.UseCase[ReadReferences, map[int64]string]
	// Titled finds products by words of their titles. It checks what GetProduct checks.
	Titled kernel.UseCase[FindTitled, []Titled]

	k           *kernel.Kernel
	matching    CountMatching
	products    kernel.ReplicaKind[*catalogue.Index]
	rejected    kernel.SnapshotKind[rejected]
	derivations *derivations
	changed     kernel.UseCase[kernel.Adopted, kernel.None]
}

// CountMatching counts for each of some products the open search requests of
// agencies in scope that it matches. Package people supplies it.
type CountMatching func(ctx context.Context, c kernel.Caller, products []product.Product) (map[product.ID]int, error)

// New makes the area on a kernel.
func New(k *kernel.Kernel, matching CountMatching) *Service {
	s := &Service{
		k: k, matching: matching, derivations: newDerivations(),
		products: kernel.ReplicaKind[*catalogue.Index]{
			Name: "catalogue", Load: loadIndex, Replay: replayIndex, Changes: changesOfIndex, Written: writtenToIndex,
		},
		rejected: kernel.SnapshotKind[rejected]{
			Name: "rejections", Revision: func(r *rejected) int64 { return r.revision }, Load: loadRejected(k.Store), Bytes: (*rejected).bytes,
		},
	}
	s.References = kernel.Ruled(getRule(), reads(s, Unit.references))
	s.Titled = kernel.Ruled(getRule(), reads(s, Unit.titled))
	s.changed = kernel.Ruled(updateRule(), writes(s, Unit.changed))
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}
