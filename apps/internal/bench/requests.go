package main

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// body writes JSON out of parts that always have some.
func body(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// filters returns those of a query as a client writes them.
func filters(f product.Filter) rig.Object {
	var clauses []rig.Object
	for _, c := range f.Criteria {
		clauses = append(clauses, rig.Object{"id": c.Criterion, "operator": c.Operator.String(), "value": operand(c)})
	}
	in := rig.Object{"criterias": clauses}
	if len(f.Agencies) == 1 {
		in["agency_id"] = agencyOf(bigID, f.Agencies[0])
	}
	if !f.Keyword.Empty() {
		in["keyword"] = f.Keyword.Phrase
	}
	if !f.ModifiedSince.IsZero() {
		in["last_modified"] = f.ModifiedSince.Format(time.RFC3339)
	}
	if f.WebStatus != nil {
		in["status_web"] = *f.WebStatus
	}
	return in
}

func operand(c criteria.Condition) any {
	switch c.Type {
	case criteria.NUMBER:
		return c.Number
	case criteria.DATE:
		return time.UnixMicro(int64(c.Number)).UTC().Format(time.DateOnly)
	case criteria.FLAG:
		return criteria.Plain(criteria.Flag(c.Flag))
	case criteria.TEXT:
		return oneOrAll(c.Texts)
	default:
		return oneOrAll(c.Codes)
	}
}

func oneOrAll(values []string) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

// search returns a query as a client writes it.
func search(q catalogue.Query) []byte {
	in := filters(q.Filter)
	switch {
	case q.After != 0:
		in["cursor"] = catalogue.EncodeCursor(q.After)
	case q.Order != product.Order{Key: product.ByID} || q.Skip > 0:
		in["sort_type"], in["sort_order"], in["skip"] = q.Order.Key, "asc", q.Skip
		if q.Order.Descending {
			in["sort_order"] = "desc"
		}
	}
	return body(in)
}

// creations are requests to create products with so many criteria.
func creations(count, values int) [][]byte {
	var bodies [][]byte
	for candidate := range cataloguetest.Products(50*count, seed+1) {
		given := candidate.Product.Criteria
		if len(given) < values {
			continue
		}
		var listed []rig.Object
		for _, key := range slices.Sorted(maps.Keys(given))[:values] {
			listed = append(listed, rig.Object{"id": key, "value": criteria.Plain(given[key])})
		}
		bodies = append(bodies, body(rig.Object{"web_status": candidate.Product.WebStatus, "criteria": listed}))
		if len(bodies) == count {
			break
		}
	}
	return bodies
}
