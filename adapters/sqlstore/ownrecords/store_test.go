// Package ownrecords_test is an example: a CRM that keeps its products and customers
// in tables of its own, and has the rest from sqlstore, in the same transactions.
package ownrecords_test

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore/ownrecords"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
)

// schema makes the tables of the CRM, in the database of the store. Columns that the CRM has not
// filled in its own rows are NULL.
var schema = []string{
	`CREATE TABLE crm_product (
		site_id       BIGINT NOT NULL DEFAULT 1,
		id            BIGINT NOT NULL,
		agency_id     BIGINT NOT NULL DEFAULT 11,
		price         DOUBLE PRECISION,
		city          TEXT,
		listed_at     TIMESTAMP,
		customer_id   BIGINT,
		parent_id     BIGINT,
		reference_key TEXT,
		deleted_at    BIGINT,
		document      TEXT,
		PRIMARY KEY (site_id, id),
		UNIQUE (site_id, agency_id, reference_key)
	)`,
	`CREATE INDEX crm_product_owner ON crm_product (site_id, customer_id)`,
	`CREATE INDEX crm_product_lot ON crm_product (site_id, parent_id)`,
	`CREATE INDEX crm_product_deleted ON crm_product (deleted_at)`,
	`CREATE TABLE crm_customer (
		site_id   BIGINT NOT NULL DEFAULT 1,
		id        BIGINT NOT NULL,
		agency_id BIGINT NOT NULL DEFAULT 11,
		lastname  TEXT,
		document  TEXT,
		PRIMARY KEY (site_id, id)
	)`,
}

// tables say which columns of the CRM hold what.
var tables = ownrecords.Tables{
	Products: &ownrecords.Table[product.Product]{Name: "crm_product", Columns: []ownrecords.Column[product.Product]{
		ownrecords.Criterion[criteria.Number]("price", criteria.KeyPrice),
		ownrecords.Criterion[criteria.Text]("city", criteria.KeyCity),
		ownrecords.Time("listed_at", func(p *product.Product) *time.Time { return &p.Added }),
	}},
	Customers: &ownrecords.Table[customer.Customer]{Name: "crm_customer", Columns: []ownrecords.Column[customer.Customer]{
		ownrecords.Field("lastname", func(c *customer.Customer) *string { return &c.Lastname }),
	}},
}

// storeOf returns the port.Store of the CRM. Its tables are a migration of its own.
func storeOf(ctx context.Context, s *sqlstore.Store) (*ownrecords.Store, error) {
	err := s.Update(ctx, func(tx port.Tx) error {
		statements, err := sqlstore.StatementsOf(tx)
		for _, statement := range schema {
			if err == nil {
				_, err = statements.Exec(statement)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return ownrecords.New(ctx, s, tables)
}
