package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// leaseFields are the fields of a lease (transactions.md, section 6).
var leaseFields = []string{
	"id", "number", "status", "type", "product_id", "agency_id", "user_id", "landlords", "tenants", "guarantors", "room", "date_start", "duration_months", "date_end",
	"family_company", "short_reason", "rent", "rent_supplement", "supplement_reason", "control", "charges", "charges_mode", "deposit", "surface", "zone",
	"fees_landlord", "fees_tenant", "fees_inventory_landlord", "fees_inventory_tenant", "vat_rate", "entry_inventory", "exit_inventory", "indexation", "date_signature",
	"notice", "ended_on", "deposit_return_due", "revisions", "warnings", "cancellation_reason", "comment", "date_added", "last_modified",
}

func TestLease_CreationDefaults(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		tenant := d.who("LOCATAIRE")
		ledger := d.ledger()
		made := d.post("/leases", d.letting(home, tenant)).is(201)
		id := made.id("data.id")
		if got := made.header.Get("Location"); !strings.HasSuffix(got, leasePath(id)) {
			t.Errorf("Location is %q", got)
		}
		ledger.tells(heard("LEASE_CREATE", id))
		got := d.get(leasePath(id)).is(200).hasFields(leaseFields).has(object{
			"status": "PROJET", "type": "VIDE", "product_id": home, "agency_id": 11, "user_id": 101, "landlords": list{float64(owner)}, "tenants": list{float64(tenant)},
			"guarantors": list{}, "room": nil, "date_start": "2026-06-01", "duration_months": 36, "date_end": "2029-05-31", "family_company": false, "short_reason": nil,
			"rent": 800, "rent_supplement": nil, "supplement_reason": nil, "control": nil, "charges": nil, "charges_mode": nil, "deposit": nil, "surface": 50, "zone": nil,
			"fees_landlord": nil, "fees_tenant": nil, "fees_inventory_landlord": nil, "fees_inventory_tenant": nil, "vat_rate": 20, "entry_inventory": nil, "exit_inventory": nil,
			"indexation": nil, "date_signature": nil, "notice": nil, "ended_on": nil, "deposit_return_due": nil, "revisions": list{}, "warnings": list{}, "cancellation_reason": nil, "comment": nil,
		})
		if !strings.HasPrefix(got.text("data.number"), "11-B") {
			t.Errorf("the number is %q", got.text("data.number"))
		}
	})
}

// TestLease_TheTermOfADurationIsReadOnly: what GET shows may be sent back, in each status.
func TestLease_TheTermOfADurationIsReadOnly(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		tenant := d.who("LOCATAIRE")
		draft := d.lease(home, tenant)
		d.patch(leasePath(draft), object{"duration_months": 48, "date_end": "2029-05-31"}).is(204) // the former term
		d.get(leasePath(draft)).is(200).has(object{"duration_months": 48, "date_end": "2030-05-31"})
		d.patch(leasePath(draft), object{"date_end": "2031-05-31"}).refused(422, "lease_duration", "date_end")
		for _, status := range []string{"PROJET", "SIGNE", "EN_COURS", "PREAVIS", "TERMINE"} {
			id := d.leaseIn(status, d.owned(d.who("BAILLEUR")), tenant)
			whole := d.get(leasePath(id)).is(200).at("data").(object)
			ledger := d.ledger()
			d.patch(leasePath(id), object{"date_end": whole["date_end"]}).is(204)
			d.patch(leasePath(id), whole).is(204)
			ledger.tells()
		}
	})
}

func TestLease_EveryFieldIsKept(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		landlord, tenant, guarantor := d.who("BAILLEUR"), d.who("LOCATAIRE"), d.who("PARTENAIRE")
		all := object{
			"type": "MEUBLE", "landlords": list{landlord}, "guarantors": list{guarantor}, "room": "chambre 2", "duration_months": 12, "user_id": 102, "rent": 800.5,
			"rent_supplement": 50, "supplement_reason": "terrasse", "control": object{"reference_rent": 15, "reference_rent_max": 18}, "charges": 60, "charges_mode": "FORFAIT",
			"deposit": 1601, "surface": 45.5, "zone": "TRES_TENDUE", "fees_landlord": 600, "fees_tenant": 540, "fees_inventory_landlord": 200, "fees_inventory_tenant": 130,
			"vat_rate": 10, "entry_inventory": "2026-06-01", "indexation": object{"index": "IRL", "quarter": "2025-T3"}, "comment": "calme",
		}
		id := d.lease(home, tenant, all)
		got := d.get(leasePath(id)).is(200)
		for name, want := range all {
			switch v := want.(type) {
			case object:
				for inner, value := range v {
					got.equals("data."+name+"."+inner, value)
				}
			case list:
				got.equals("data."+name+".0", v[0])
			default:
				got.equals("data."+name, want)
			}
		}
	})
}

// TestLease_TypesAndTheirRules: the table of section 6.
func TestLease_TypesAndTheirRules(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant, company := d.who("LOCATAIRE"), d.who("BAILLEUR", object{"company": "SCI Bail"})
		home, owner := d.flat()
		index := func(name, quarter string) object {
			return object{"indexation": object{"index": name, "quarter": quarter}}
		}
		for _, test := range []struct {
			kind   string
			sent   object
			code   string // empty: it is made
			fields []string
		}{
			{"VIDE", object{"duration_months": 35}, "lease_duration", []string{"duration_months"}},
			{"VIDE", object{"duration_months": nil}, "required", []string{"duration_months"}},
			{"VIDE", object{"duration_months": 35, "short_reason": "mutation"}, "", nil},
			{"VIDE", object{"duration_months": 11, "short_reason": "mutation"}, "lease_duration", []string{"duration_months"}},
			{"VIDE", object{"landlords": list{company}}, "lease_duration", []string{"duration_months"}},
			{"VIDE", object{"landlords": list{company}, "duration_months": 72}, "", nil},
			{"VIDE", object{"landlords": list{company}, "family_company": true}, "", nil},
			{"VIDE", object{"landlords": list{owner, company}, "duration_months": 71}, "lease_duration", []string{"duration_months"}},
			{"VIDE", object{"date_end": "2029-05-31"}, "lease_duration", []string{"date_end"}},
			{"VIDE", object{"deposit": 800}, "", nil},
			{"VIDE", object{"deposit": 800.01}, "deposit_above_cap", []string{"deposit"}},
			{"VIDE", index("IRL", "2025-T3"), "", nil},
			{"VIDE", index("ILC", "2024-T3"), "invalid_indexation", []string{"indexation.index"}},
			{"VIDE", index("IRL", "2021-T1"), "unknown_index_value", []string{"indexation.quarter"}},
			{"VIDE", index("IRL", "2025T3"), "invalid_format", []string{"indexation.quarter"}},
			{"MEUBLE", object{"duration_months": 11}, "lease_duration", []string{"duration_months"}},
			{"MEUBLE", object{"duration_months": 12, "deposit": 1600}, "", nil},
			{"MEUBLE", object{"duration_months": 12, "deposit": 1601}, "deposit_above_cap", []string{"deposit"}},
			{"ETUDIANT", object{"duration_months": 9}, "", nil},
			{"ETUDIANT", object{"duration_months": 10}, "lease_duration", []string{"duration_months"}},
			{"MOBILITE", object{"duration_months": 10}, "", nil},
			{"MOBILITE", object{"duration_months": 11}, "lease_duration", []string{"duration_months"}},
			{"MOBILITE", object{"duration_months": 5, "deposit": 1}, "deposit_above_cap", []string{"deposit"}},
			{"MOBILITE", object{"duration_months": 5, "charges": 5, "charges_mode": "PROVISION"}, "charges_mode_not_allowed", []string{"charges_mode"}},
			{"MOBILITE", object{"duration_months": 5, "charges": 5, "charges_mode": "FORFAIT"}, "", nil},
			{"MOBILITE", merged(object{"duration_months": 5}, index("IRL", "2025-T3")), "invalid_indexation", []string{"indexation.index"}},
			{"SAISONNIER", object{"duration_months": nil}, "required", []string{"date_end"}},
			{"SAISONNIER", object{"duration_months": nil, "date_end": "2026-08-29"}, "", nil}, // ninety days
			{"SAISONNIER", object{"duration_months": nil, "date_end": "2026-08-30"}, "lease_duration", []string{"date_end"}},
			{"SAISONNIER", object{"duration_months": nil, "date_end": "2026-05-31"}, "lease_duration", []string{"date_end"}},
			{"SAISONNIER", object{"duration_months": 2, "date_end": "2026-07-01"}, "lease_duration", []string{"duration_months"}},
			{"PROFESSIONNEL", object{"duration_months": 71}, "lease_duration", []string{"duration_months"}},
			{"PROFESSIONNEL", merged(object{"duration_months": 72, "deposit": 1e6}, index("ILAT", "2024-T3")), "", nil},
			{"COMMERCIAL", object{"duration_months": 107}, "lease_duration", []string{"duration_months"}},
			{"COMMERCIAL", merged(object{"duration_months": 108}, index("ILC", "2024-T3")), "", nil},
			{"COMMERCIAL", merged(object{"duration_months": 108}, index("IRL", "2025-T3")), "invalid_indexation", []string{"indexation.index"}},
			{"DEROGATOIRE", object{"duration_months": 36}, "", nil},
			{"DEROGATOIRE", object{"duration_months": 37}, "lease_duration", []string{"duration_months"}},
			{"PARKING", object{"duration_months": nil}, "", nil},
			{"CODE_CIVIL", merged(object{"duration_months": nil, "date_end": "2027-06-01"}, index("IRL", "2025-T3")), "", nil},
			{"VIDE", object{"rent_supplement": 50}, "required", []string{"supplement_reason"}},
			{"VIDE", object{"charges": 50}, "required", []string{"charges_mode"}},
			{"VIDE", object{"charges_mode": "FORFAIT"}, "required", []string{"charges"}},
			{"VIDE", object{"control": object{"reference_rent_max": 16}}, "", nil},
			{"VIDE", object{"control": object{"reference_rent_max": 15.99}}, "rent_above_reference", []string{"rent"}},
			{"VIDE", object{"control": object{"reference_rent_max": 16}, "surface": nil}, "required", []string{"surface"}},
			{"VIDE", object{"control": object{"reference_rent": 16}}, "required", []string{"control.reference_rent_max"}},
			{"VIDE", object{"zone": "TENDUE", "fees_landlord": 600, "fees_tenant": 504.5}, "", nil},
			{"VIDE", object{"zone": "TENDUE", "fees_landlord": 600, "fees_tenant": 504.51}, "fees_above_cap", []string{"fees_tenant"}},
			{"VIDE", object{"zone": "TENDUE", "fees_landlord": 300, "fees_tenant": 301}, "fees_above_cap", []string{"fees_tenant"}},
			{"VIDE", object{"zone": "TENDUE", "fees_inventory_landlord": 600, "fees_inventory_tenant": 151.51}, "fees_above_cap", []string{"fees_inventory_tenant"}},
			{"VIDE", object{"fees_landlord": 600, "fees_tenant": 5}, "required", []string{"zone"}},
			{"COMMERCIAL", object{"duration_months": 108, "fees_tenant": 50000}, "", nil},
			{"VIDE", object{"landlords": list{tenant}}, "party_on_both_sides", []string{"tenants[0]"}},
			{"VIDE", object{"guarantors": list{owner}}, "party_on_both_sides", []string{"guarantors[0]"}},
			{"VIDE", object{"landlords": list{}}, "required", []string{"landlords"}},
			{"VIDE", object{"tenants": nil}, "required", []string{"tenants"}},
			{"VIDE", object{"date_start": nil}, "required", []string{"date_start"}},
			{"VIDE", object{"rent": nil}, "required", []string{"rent"}},
			{"VIDE", object{"rent": 0}, "out_of_range", []string{"rent"}},
			{"CHATEAU", nil, "criteria_value_unrecognised", []string{"type"}},
			{"", nil, "required", []string{"type"}},
		} {
			got := d.post("/leases", d.letting(home, tenant, object{"type": test.kind}, test.sent))
			if test.code == "" {
				got.is(201)
				continue
			}
			got.refused(422, test.code, test.fields...)
		}
		unowned := d.post("/products", object{"agency_id": 11, "criteria": criteria("TypeBien", "Appartement")}).is(201).id("data.id")
		d.post("/leases", d.letting(unowned, tenant)).refused(422, "required", "landlords")
		// Everything is checked on every write, and null is no value.
		id := d.lease(home, tenant)
		d.patch(leasePath(id), object{"deposit": 801}).refused(422, "deposit_above_cap", "deposit")
		for _, name := range []string{"type", "date_start", "rent", "tenants", "landlords", "duration_months"} {
			d.patch(leasePath(id), object{name: nil}).refused(422, "required", name)
		}
		d.patch(leasePath(id), object{"type": "SAISONNIER", "duration_months": nil, "date_end": "2026-07-01"}).is(204)
		d.get(leasePath(id)).is(200).has(object{"duration_months": nil, "date_end": "2026-07-01"})
	})
}

// running makes a lease that began two years ago.
func (d dealer) running(home, tenant int64, more ...object) int64 {
	d.t.Helper()
	id := d.lease(home, tenant, append([]object{{"date_start": "2024-05-01"}}, more...)...)
	d.post(leasePath(id, "sign"), object{"date_signature": "2024-04-20"}).is(204)
	d.status(leasePath(id), "EN_COURS")
	return id
}

var leaseStatuses = []string{"PROJET", "SIGNE", "EN_COURS", "PREAVIS", "TERMINE", "ANNULE"}

func (d dealer) leaseIn(status string, home, tenant int64) int64 {
	d.t.Helper()
	switch status {
	case "PROJET":
		return d.lease(home, tenant)
	case "SIGNE":
		return d.let(home, tenant)
	case "ANNULE":
		id := d.let(home, tenant)
		d.post(leasePath(id, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		return id
	}
	id := d.running(home, tenant, object{"deposit": 800})
	if status == "PREAVIS" {
		d.post(leasePath(id, "notice"), object{"by": "LOCATAIRE", "received_on": dealsToday}).is(204)
	}
	if status == "TERMINE" {
		d.post(leasePath(id, "end"), object{"date": dealsToday}).is(204)
	}
	d.status(leasePath(id), status)
	return id
}

func TestLease_TransitionTable(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		ledger := d.ledger()
		tenant := d.who("LOCATAIRE")
		for _, from := range leaseStatuses {
			for _, move := range []struct {
				by   string
				body any
				to   map[string]string
			}{
				{"sign", object{"date_signature": dealsToday}, map[string]string{"PROJET": "SIGNE"}},
				{"notice", object{"by": "LOCATAIRE", "received_on": dealsToday}, map[string]string{"EN_COURS": "PREAVIS"}},
				{"cancel-notice", nil, map[string]string{"PREAVIS": "EN_COURS"}},
				{"end", object{"date": dealsToday, "inventory_conform": true}, map[string]string{"EN_COURS": "TERMINE", "PREAVIS": "TERMINE"}},
				{"cancel", object{"cancellation_reason": "ACCORD"}, map[string]string{"PROJET": "ANNULE", "SIGNE": "ANNULE"}},
			} {
				home, _ := d.flat("NumeroMandat", nil)
				id := d.leaseIn(from, home, tenant)
				ledger.news()
				got := d.post(leasePath(id, move.by), move.body)
				to, allowed := move.to[from]
				if !allowed {
					got.refused(409, "invalid_transition", "status").equals("error.details.0.value", from)
					ledger.tells()
					continue
				}
				got.is(204).empty()
				after := d.status(leasePath(id), to)
				if tag := got.header.Get("ETag"); tag == "" || !strings.HasPrefix(after.header.Get("ETag"), strings.TrimSuffix(tag, `"`)) {
					t.Errorf("%s: the ETag is %q, then %q", got.request, tag, after.header.Get("ETag"))
				}
				want := []string{heard("LEASE_UPDATE", id)}
				if from == "PROJET" && to == "SIGNE" || from == "SIGNE" {
					want = []string{heard("PRODUCT_UPDATE", home), heard("LEASE_UPDATE", id)}
				}
				ledger.tells(want...)
			}
		}
	})
}

func TestLease_NoticeRules(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant, company := d.who("LOCATAIRE"), d.who("BAILLEUR", object{"company": "SCI"})
		for _, test := range []struct {
			kind   string
			months any
			more   object
			notice object
			code   string
			ends   string
			given  int
		}{
			{"VIDE", 36, nil, object{"by": "LOCATAIRE"}, "", "2026-08-04", 3},
			{"VIDE", 36, nil, object{"by": "LOCATAIRE", "reason": "MUTATION"}, "", "2026-06-04", 1},
			{"VIDE", 36, nil, object{"by": "LOCATAIRE", "reason": "HUMEUR"}, "criteria_value_unrecognised", "reason", 0},
			{"VIDE", 36, nil, object{"by": "BAILLEUR"}, "required", "reason", 0},
			{"VIDE", 36, nil, object{"by": "BAILLEUR", "reason": "HUMEUR"}, "criteria_value_unrecognised", "reason", 0},
			{"VIDE", 36, nil, object{"by": "BAILLEUR", "reason": "VENTE"}, "", "2027-04-30", 6},
			{"VIDE", 36, object{"date_start": "2023-06-01"}, object{"by": "BAILLEUR", "reason": "VENTE"}, "notice_too_late", "2025-11-30", 0},
			{"VIDE", 36, object{"date_start": "2023-05-01"}, object{"by": "BAILLEUR", "reason": "VENTE"}, "", "2029-04-30", 6}, // renewed
			{"VIDE", 72, object{"date_start": "2020-05-01", "landlords": list{company}}, object{"by": "BAILLEUR", "reason": "REPRISE"}, "", "2032-04-30", 6},
			{"MEUBLE", 12, nil, object{"by": "LOCATAIRE"}, "", "2026-06-04", 1},
			{"MEUBLE", 12, nil, object{"by": "BAILLEUR", "reason": "REPRISE"}, "", "2027-04-30", 3},
			{"ETUDIANT", 9, object{"date_start": "2026-01-01"}, object{"by": "LOCATAIRE"}, "", "2026-06-04", 1},
			{"ETUDIANT", 9, object{"date_start": "2026-01-01"}, object{"by": "BAILLEUR"}, "notice_not_allowed", "", 0},
			{"MOBILITE", 6, object{"date_start": "2026-01-01"}, object{"by": "LOCATAIRE"}, "", "2026-06-04", 1},
			{"MOBILITE", 6, object{"date_start": "2026-01-01"}, object{"by": "BAILLEUR"}, "notice_not_allowed", "", 0},
			{"SAISONNIER", nil, object{"date_start": "2026-05-01", "date_end": "2026-05-20"}, object{"by": "LOCATAIRE"}, "notice_not_allowed", "", 0},
			{"PROFESSIONNEL", 72, nil, object{"by": "LOCATAIRE"}, "", "2026-11-04", 6},
			{"PROFESSIONNEL", 72, nil, object{"by": "BAILLEUR"}, "", "2030-04-30", 6},
			{"COMMERCIAL", 108, nil, object{"by": "LOCATAIRE"}, "", "2027-04-30", 6},
			{"COMMERCIAL", 108, object{"date_start": "2023-06-01"}, object{"by": "LOCATAIRE"}, "", "2029-05-31", 6},
			{"COMMERCIAL", 108, nil, object{"by": "BAILLEUR"}, "", "2027-04-30", 6},
			{"DEROGATOIRE", 36, nil, object{"by": "BAILLEUR"}, "notice_not_allowed", "", 0},
			{"PARKING", nil, nil, object{"by": "BAILLEUR"}, "", "2026-06-04", 1},
			{"CODE_CIVIL", nil, nil, object{"by": "LOCATAIRE"}, "", "2026-06-04", 1},
			{"VIDE", 36, nil, object{"by": "VOISIN"}, "criteria_value_unrecognised", "by", 0},
			{"VIDE", 36, nil, object{"by": nil}, "required", "by", 0},
			{"VIDE", 36, nil, object{"by": "LOCATAIRE", "received_on": "2026-05-05"}, "out_of_range", "received_on", 0},
			{"VIDE", 36, nil, object{"by": "LOCATAIRE", "received_on": nil}, "required", "received_on", 0},
		} {
			home, _ := d.flat()
			id := d.running(home, tenant, object{"type": test.kind, "duration_months": test.months}, test.more)
			got := d.post(leasePath(id, "notice"), merged(object{"received_on": dealsToday}, test.notice))
			switch test.code {
			case "":
				got.is(204)
				d.get(leasePath(id)).is(200).has(object{
					"status": "PREAVIS", "notice.by": test.notice["by"], "notice.received_on": dealsToday, "notice.reason": test.notice["reason"], "notice.months": test.given, "notice.ends_on": test.ends,
				})
				d.post(leasePath(id, "cancel-notice"), nil).is(204)
				d.get(leasePath(id)).is(200).has(object{"status": "EN_COURS", "notice": nil})
			case "notice_too_late":
				got.refused(409, test.code, "received_on").equals("error.details.0.value", test.ends)
			case "notice_not_allowed":
				got.refused(409, test.code)
			default:
				got.refused(422, test.code, test.ends)
			}
		}
	})
}

func TestLease_TheClockGoesOnFromFarBack(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		home, _ := d.flat()
		// Renewed since: the present term.
		old := d.running(home, tenant, object{"date_start": "2019-02-01"})
		d.get(leasePath(old)).is(200).has(object{"date_end": "2028-01-31"})
		ledger := d.ledger()
		d.post(leasePath(old, "notice"), object{"by": "LOCATAIRE", "received_on": "2026-01-15"}).is(204) // over at once
		ledger.tells(heard("LEASE_UPDATE", old))
		d.get(leasePath(old)).is(200).has(object{"status": "TERMINE", "ended_on": "2026-04-15"})
		// Terms that end are over when they are signed late.
		home, _ = d.flat()
		id := d.lease(home, tenant, object{"type": "ETUDIANT", "duration_months": 9, "date_start": "2025-05-01"})
		d.signLease(id).is(204)
		d.get(leasePath(id)).is(200).has(object{"status": "TERMINE", "ended_on": "2026-01-31", "date_end": "2026-01-31"})
		// A shop goes on without a term.
		home, _ = d.flat()
		shop := d.running(home, tenant, object{"type": "COMMERCIAL", "duration_months": 108, "date_start": "2015-01-01"})
		d.get(leasePath(shop)).is(200).has(object{"status": "EN_COURS", "date_end": nil})
	})
}

func TestLease_Overlap(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		home, _ := d.flat()
		stay := func(from, to string, more ...object) object {
			return merged(object{"type": "SAISONNIER", "duration_months": nil, "date_start": from, "date_end": to}, more...)
		}
		first := d.let(home, tenant, stay("2026-06-01", "2026-06-10"))
		d.signLease(d.lease(home, tenant, stay("2026-06-10", "2026-06-12"))).refused(409, "lease_exists").equals("error.details.0.value", first)
		d.signLease(d.lease(home, tenant, stay("2026-05-20", "2026-06-01"))).refused(409, "lease_exists")
		d.signLease(d.lease(home, tenant, stay("2026-06-11", "2026-06-12"))).is(204)
		d.signLease(d.lease(home, tenant)).refused(409, "lease_exists") // from June on, renewed
		room := func(name string) object { return object{"room": name} }
		home, _ = d.flat()
		d.signLease(d.lease(home, tenant, room("Chambre 2"))).is(204)
		d.signLease(d.lease(home, tenant, room("chambre 2"))).refused(409, "lease_exists")
		d.signLease(d.lease(home, tenant)).refused(409, "lease_exists")
		d.signLease(d.lease(home, tenant, room("chambre 3"))).is(204)
	})
}

func TestLease_EndAndDeposit(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		for _, test := range []struct {
			deposit any
			conform any
			due     any
		}{{800, true, "2026-05-30"}, {800, false, "2026-06-30"}, {800, nil, "2026-06-30"}, {nil, true, nil}, {0, true, nil}} {
			home, _ := d.flat()
			id := d.running(home, tenant, object{"deposit": test.deposit})
			d.post(leasePath(id, "end"), object{}).refused(422, "required", "date")
			d.post(leasePath(id, "end"), object{"date": "2026-05-05"}).refused(422, "out_of_range", "date")
			d.post(leasePath(id, "end"), object{"date": "2024-04-30"}).refused(422, "out_of_range", "date")
			d.post(leasePath(id, "end"), object{"date": "2026-04-30", "inventory_conform": test.conform}).is(204)
			d.get(leasePath(id)).is(200).has(object{"status": "TERMINE", "ended_on": "2026-04-30", "deposit_return_due": test.due})
		}
	})
}

func TestLease_RentRevision(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		home, _ := d.flat()
		indexed := func(quarter string) object {
			return object{"indexation": object{"index": "IRL", "quarter": quarter}, "rent": 850}
		}
		revise := func(id int64, body object) answer { t.Helper(); return d.post(leasePath(id, "revisions"), body) }
		draft := d.lease(home, tenant, indexed("2022-T4"))
		revise(draft, object{"asked_on": "x"}).refused(422, "invalid_format", "asked_on")
		revise(draft, object{"asked_on": "2026-05-05"}).refused(422, "out_of_range", "asked_on")
		revise(draft, object{"quarter": "2022-4"}).refused(422, "invalid_format", "quarter")
		revise(draft, object{}).refused(409, "invalid_transition", "status")
		plain := d.running(home, tenant)
		revise(plain, object{}).refused(409, "no_indexation")
		for _, letter := range []string{"F", "G"} {
			cold, _ := d.flat("ConsoEner", letter)
			revise(d.running(cold, tenant, indexed("2022-T4")), object{}).refused(409, "revision_frozen")
			shop := d.running(d.owned(d.who("VENDEUR"), "ConsoEner", letter), tenant, object{"type": "COMMERCIAL", "duration_months": 108, "rent": 2500, "indexation": object{"index": "ILC", "quarter": "2024-T3"}})
			revise(shop, object{"quarter": "2024-T4"}).is(201)
			d.get(leasePath(shop)).is(200).has(object{"rent": 2456.25})
		}
		home, _ = d.flat()
		id := d.running(home, tenant, indexed("2022-T4"))
		revise(id, object{"asked_on": "2025-04-30"}).refused(409, "revision_too_early")
		revise(id, object{"quarter": "2022-T4"}).refused(422, "out_of_range", "quarter")
		revise(id, object{"quarter": "2026-T4"}).refused(422, "unknown_index_value", "quarter")
		ledger := d.ledger()
		made := revise(id, object{}).is(201) // two anniversaries on: 2024-T4
		made.equals("data", object{"id": 1.0})
		if made.header.Get("Location") == "" || made.header.Get("ETag") == "" {
			t.Errorf("the headers are %v", made.header)
		}
		ledger.tells(heard("LEASE_UPDATE", id))
		d.get(leasePath(id)).is(200).has(object{"rent": 895.7, "indexation.quarter": "2024-T4", "revisions": list{object{"id": 1.0, "asked_on": dealsToday, "quarter": "2024-T4", "from_rent": 850.0, "rent": 895.7}}})
		revise(id, object{}).refused(409, "already_revised")
		revise(id, object{"asked_on": "2025-06-01"}).refused(409, "already_revised")
	})
}

func TestLease_WhatCanBeChangedInWhichStatus(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		ledger := d.ledger()
		tenant, guarantor := d.who("LOCATAIRE"), d.who("PARTENAIRE")
		until := leaseStatuses[:4]
		for _, status := range leaseStatuses {
			home, _ := d.flat()
			another, _ := d.flat()
			id := d.leaseIn(status, home, tenant)
			for _, test := range []struct {
				sent object
				in   []string
			}{
				{object{"comment": "autre"}, leaseStatuses}, {object{"exit_inventory": "2026-05-02"}, leaseStatuses}, {object{"user_id": 102}, until},
				{object{"charges": 50, "charges_mode": "PROVISION"}, until}, {object{"guarantors": list{guarantor}}, until}, {object{"entry_inventory": "2026-05-02"}, until},
				{object{"rent": 810}, until[:1]}, {object{"type": "MEUBLE"}, until[:1]}, {object{"date_start": "2026-06-02"}, until[:1]}, {object{"duration_months": 48}, until[:1]},
				{object{"room": "x"}, until[:1]}, {object{"deposit": 700}, until[:1]}, {object{"tenants": list{tenant, d.who("LOCATAIRE")}}, until[:1]}, {object{"vat_rate": 5}, until[:1]},
				{object{"indexation": object{"index": "IRL", "quarter": "2025-T3"}}, until[:1]}, {object{"product_id": another}, nil}, {object{"zone": "TENDUE"}, until[:1]},
			} {
				ledger.news()
				got := d.patch(leasePath(id), test.sent)
				if !slices.Contains(test.in, status) {
					got.refused(409, "invalid_transition", "status").equals("error.details.0.value", status)
					ledger.tells()
					continue
				}
				got.is(204)
				ledger.tells(heard("LEASE_UPDATE", id))
				d.patch(leasePath(id), test.sent).is(204)
				ledger.tells()
			}
			if status == "PROJET" {
				d.delete(leasePath(id)).is(204).empty()
			} else {
				d.delete(leasePath(id)).refused(409, "invalid_transition", "status")
			}
		}
		home, _ := d.flat()
		var first, second int
		fmt.Sscanf(d.get(leasePath(d.lease(home, tenant))).text("data.number"), "11-B%d", &first)
		if fmt.Sscanf(d.get(leasePath(d.lease(home, tenant))).text("data.number"), "11-B%d", &second); second != first+1 {
			t.Errorf("the numbers are %d and %d", first, second)
		}
	})
}

func TestLease_Warnings(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		for _, test := range []struct {
			letter any
			code   string
			kind   string
			start  string
			want   list
		}{
			{"G", "69006", "Appartement", "2025-01-01", list{"energy_not_decent", "inventory_missing"}}, {"G", "69006", "Appartement", "2024-12-31", list{"inventory_missing"}},
			{"F", "69006", "Maison", "2027-12-31", list{}}, {"F", "69006", "Maison", "2028-01-01", list{"energy_not_decent"}}, {"E", "69006", "Maison", "2034-01-01", list{"energy_not_decent"}},
			{"G", "97400", "Appartement", "2026-06-01", list{}}, {"G", "69006", "Terrain", "2026-06-01", list{}}, {nil, "69006", "Appartement", "2026-06-01", list{"dpe_missing"}},
		} {
			home, _ := d.flat("ConsoEner", test.letter, "CodePostal", test.code, "TypeBien", test.kind)
			id := d.let(home, tenant, object{"date_start": test.start})
			d.get(leasePath(id)).is(200).has(object{"warnings": test.want})
		}
	})
}

func TestEffects_OfLeases(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat("NumeroMandat", nil)
		tenant, mate := d.who("LOCATAIRE"), d.who("LOCATAIRE")
		followUp := d.post(customerPath(tenant, "follow-ups"), object{"product_id": home}).is(201).id("data.id")
		id := d.lease(home, tenant, object{"tenants": list{tenant, mate}})
		ledger := d.ledger()
		d.signLease(id).is(204)
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("FOLLOWUP_UPDATE", followUp), heard("LEASE_UPDATE", id))
		d.get(product(home)).is(200).equals("data.status", "Loue")
		d.get(customerPath(tenant, "follow-ups")).is(200).equals("data.0.status", "ACQUIS")
		d.get(customerPath(mate, "follow-ups")).is(200).equals("data", list{})
		d.post(leasePath(id, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("LEASE_UPDATE", id))
		d.get(product(home)).is(200).equals("data.status", "EnCours")
		draft := d.lease(home, tenant)
		ledger.news()
		d.post(leasePath(draft, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		ledger.tells(heard("LEASE_UPDATE", draft))
	})
}
