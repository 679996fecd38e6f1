package porttest

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// RecordsProduct holds a way to change a product beside the use cases to the law: there is
// an event about the product, by which searches find out, and the product has the
// version and the time of that event, by which readers do. It tells what is missing.
func RecordsProduct(ctx context.Context, s port.Store, id site.ID, p product.ID, change func() error) error {
	return recorded(ctx, s, id, event.ProductUpdate, int64(p), change, func(tx port.Tx) (int64, time.Time, error) {
		found, err := tx.Products().Get(id, p)
		return found.Version, found.Modified, err
	})
}

// RecordsCustomer is RecordsProduct for a customer.
func RecordsCustomer(ctx context.Context, s port.Store, id site.ID, c customer.ID, change func() error) error {
	return recorded(ctx, s, id, event.CustomerUpdate, int64(c), change, func(tx port.Tx) (int64, time.Time, error) {
		found, err := tx.Customers().Get(id, c)
		return found.Version, found.Modified, err
	})
}

func recorded(ctx context.Context, s port.Store, id site.ID, t event.Type, resource int64, change func() error, read func(port.Tx) (int64, time.Time, error)) error {
	head, err := s.Head(ctx, id)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	return s.View(ctx, func(tx port.Tx) error {
		events, err := tx.Ledger().After(id, head.Seq, 1000)
		if err != nil {
			return err
		}
		version, modified, err := read(tx)
		if err != nil {
			return err
		}
		var told *event.Event
		for i, e := range events {
			if e.Type == t && e.Resource == resource {
				told = &events[i]
			}
		}
		switch {
		case told == nil:
			return fmt.Errorf("no %s tells of %d", t, resource)
		case version != told.Seq:
			return fmt.Errorf("the version of %d is %d, and that of its %s is %d", resource, version, t, told.Seq)
		case modified.Before(told.At):
			return fmt.Errorf("%d was modified at %s, before its %s at %s", resource, modified, t, told.At)
		}
		return nil
	})
}
