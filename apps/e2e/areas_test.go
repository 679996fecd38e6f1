package e2e_test

import "testing"

// TestAreaCodesThatCanMatchNothingAreRefused: in search requests and in leads.
func TestAreaCodesThatCanMatchNothingAreRefused(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		path, _ := c.lookingFor(11, object{"transaction_type": "Vente"})
		defer func() { c.delete(path).is(204) }() // others look for what matches nobody
		areas := func(kind, code string) object { return object{"areas": list{object{"type": kind, "code": code}}} }
		for kind, codes := range map[string][2][]string{
			"DEPARTMENT":  {{"01", "2A", "2B", "971", "976"}, {"999", "20", "7"}},
			"INSEE":       {{"69383", "2A004"}, {"x", "99999"}},
			"POSTAL_CODE": {{"69003", "1050", "SW1A 1AA"}, {"!!", "x"}},
		} {
			for _, code := range codes[0] {
				c.patch(path, areas(kind, code)).is(204)
				c.get(path).is(200).equals("data.areas.0.code", code)
			}
			for _, code := range codes[1] {
				c.patch(path, areas(kind, code)).refused(422, "invalid_format", "areas[0].code")
				lead := areas(kind, code)
				lead["agency_id"], lead["transaction_type"], lead["email"] = 11, "Vente", "loin@example.org"
				c.post("/leads/buyers", lead).refused(422, "invalid_format", "areas[0].code")
			}
		}
	})
}
