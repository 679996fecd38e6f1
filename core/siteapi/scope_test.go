package siteapi_test

import (
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/office"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

func TestS9_DiscoveryListsActiveAgenciesById(t *testing.T) {
	w := newWorld(t)
	records, err := w.Office.Discover(t.Context(), w.as("full", 1), api.Nothing{})
	if err != nil || len(records) != 2 || records[0].AgencyID != 11 || records[1].AgencyID != 12 {
		t.Fatalf("discovered %+v, %v", records, err)
	}
	if siren := records[0].SIREN; siren == nil || *siren != "001234567" {
		t.Error("a SIREN keeps its leading zeros")
	}
	if records[1].Email != nil {
		t.Error("an unknown e-mail is null")
	}
}

func TestAG1_AG2_AgencyPages(t *testing.T) {
	w := newWorld(t)
	setup := smallNetwork()
	for id := int64(30); id < 35; id++ {
		setup.Sites[0].Agencies = append(setup.Sites[0].Agencies, transfer.SetupAgency{ID: id, Name: "Agence " + strconv.FormatInt(id, 10)})
	}
	if _, err := w.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	caller := w.as("full", 1)
	var forwards, backwards []int64
	cursor := ""
	var last office.AgencyPage
	for {
		page, err := w.Office.ListAgencies(t.Context(), caller, pageOf(3, cursor))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range page.Data {
			forwards = append(forwards, a.ID)
		}
		last = page
		if page.Meta.NextCursor == nil {
			break
		}
		cursor = *page.Meta.NextCursor
	}
	if len(forwards) != 7 || forwards[0] != 11 || forwards[6] != 34 {
		t.Errorf("forwards: %v", forwards)
	}
	if last.Links.Next != nil || last.Links.First != nil || last.Links.Last != nil || last.Links.Prev == nil {
		t.Errorf("the links of the last page are %+v", last.Links)
	}
	for last.Meta.PrevCursor != nil {
		page, err := w.Office.ListAgencies(t.Context(), caller, pageOf(3, *last.Meta.PrevCursor))
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Data {
			backwards = append(backwards, page.Data[len(page.Data)-1-i].ID)
		}
		last = page
	}
	if len(backwards) != 6 || backwards[0] != 33 || backwards[5] != 11 {
		t.Errorf("backwards: %v", backwards)
	}
}

func pageOf(perPage int, cursor string) office.ListAgencies {
	return office.ListAgencies{PageQuery: api.PageQuery{PerPage: opt.Of(perPage), Cursor: cursor}}
}

func TestAG3_PerPageOutOfRange(t *testing.T) {
	w := newWorld(t)
	for _, n := range []int{-1, 0, 201} {
		_, err := w.Office.ListAgencies(t.Context(), w.as("full", 1), pageOf(n, ""))
		refusedField(t, err, fault.CodeOutOfRange, "per_page")
	}
	_, err := w.Office.ListAgencies(t.Context(), w.as("full", 1), pageOf(1, "?"))
	refusedField(t, err, fault.CodeInvalidCursor, "cursor")
}

func TestAG6_AgencyOutsideTheScope(t *testing.T) {
	w := newWorld(t)
	read := func(id int64) error {
		_, err := w.Office.GetAgency(t.Context(), w.as("full", 1), office.ReadAgency{ID: id})
		return err
	}
	if err := read(11); err != nil {
		t.Error(err)
	}
	refused(t, read(13), fault.Forbidden, fault.CodeResourceOutOfScope)
	refused(t, read(21), fault.NotFound, fault.CodeNotFound)
	refused(t, read(99), fault.NotFound, fault.CodeNotFound)
}

func TestAG4_AG5_AgencyFormats(t *testing.T) {
	w := newWorld(t)
	caller := w.as("full", 1)
	full, err := w.Office.GetAgency(t.Context(), caller, office.ReadAgency{ID: 11})
	if err != nil || full.Full == nil || full.Document != nil || len(full.Full.Users) != 1 {
		t.Errorf("full: %+v, %v", full, err)
	}
	document, err := w.Office.GetAgency(t.Context(), caller, office.ReadAgency{ID: 11, Format: "tag_document"})
	if err != nil || document.Full != nil || document.Document == nil || document.Document.ID != "11" {
		t.Errorf("document: %+v, %v", document, err)
	}
	_, err = w.Office.GetAgency(t.Context(), caller, office.ReadAgency{ID: 11, Format: "pdf"})
	refusedField(t, err, fault.CodeInvalidFormat, "format")
}

func TestS12_SiteShowsItsManufacturersList(t *testing.T) {
	w := newWorld(t)
	record, err := w.Office.GetSite(t.Context(), w.as("full", 1), api.Nothing{})
	if err != nil || len(record.ManufacturersList) != 2 || record.ManufacturersList[0] != 11 || record.Settings.DefaultStatus != "EnCours" {
		t.Errorf("the site is %+v, %v", record, err)
	}
}

func TestC2_C4_C5_C6_CriteriaAndLists(t *testing.T) {
	w := newWorld(t)
	caller := w.as("full", 1)
	for _, name := range []string{"TypeBien", "1", "typebien"} {
		d, err := w.Office.GetCriterion(t.Context(), caller, office.ReadCriterion{Criteria: name})
		if err != nil || d.Key != "TypeBien" || len(d.Values) != 3 {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	_, err := w.Office.GetCriterion(t.Context(), caller, office.ReadCriterion{Criteria: "Nope"})
	refused(t, err, fault.NotFound, fault.CodeNotFound)
	all, err := w.Office.ListCriteria(t.Context(), caller, api.Nothing{})
	if err != nil || len(all) != 17 || all[16].IsActive {
		t.Errorf("%d definitions, %v", len(all), err)
	}
	none, err := w.Office.ListCriterionValues(t.Context(), caller, office.ReadCriterionValues{Criteria: "Prix"})
	if err != nil || none == nil || len(none) != 0 {
		t.Errorf("a number has the values %v, %v", none, err)
	}
	rooms, err := w.Office.ListListValues(t.Context(), caller, office.ReadListValues{List: 1})
	if err != nil || len(rooms) != 3 || rooms[0].Model != "SEJOUR" {
		t.Errorf("list 1: %+v, %v", rooms, err)
	}
	_, err = w.Office.ListListValues(t.Context(), caller, office.ReadListValues{List: 99})
	refused(t, err, fault.NotFound, fault.CodeNotFound)
}

func TestC5_C10_RemovedValuesAreRetired(t *testing.T) {
	w := newWorld(t)
	setup := smallNetwork()
	kept := append([]transfer.SetupCriterion{}, setup.Sites[0].Criteria...)
	kept[0].Values = kept[0].Values[:2] // Terrain goes
	setup.Sites[0].Criteria = kept
	if _, err := w.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	caller := w.as("full", 1)
	active, _ := w.Office.ListCriterionValues(t.Context(), caller, office.ReadCriterionValues{Criteria: "TypeBien"})
	every, _ := w.Office.ListCriterionValues(t.Context(), caller, office.ReadCriterionValues{Criteria: "TypeBien", IncludeInactive: true})
	if len(active) != 2 || len(every) != 3 {
		t.Errorf("%d active values of %d, want 2 of 3", len(active), len(every))
	}
}
