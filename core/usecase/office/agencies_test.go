package office_test

import (
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestS9_DiscoveryListsActiveAgenciesById(t *testing.T) {
	w := apitest.New(t)
	records, err := w.Office.Discover(t.Context(), w.As("full", 1), kernel.Nothing{})
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

func TestS12_SiteShowsItsManufacturersList(t *testing.T) {
	w := apitest.New(t)
	record, err := w.Office.GetSite(t.Context(), w.As("full", 1), kernel.Nothing{})
	if err != nil || len(record.ManufacturersList) != 2 || record.ManufacturersList[0] != 11 || record.Settings.DefaultStatus != "EnCours" {
		t.Errorf("the site is %+v, %v", record, err)
	}
}

func TestAG1_AG2_AgencyPages(t *testing.T) {
	w := apitest.New(t)
	setup := apitest.Network()
	for id := int64(30); id < 35; id++ {
		setup.Sites[0].Agencies = append(setup.Sites[0].Agencies, transfer.SetupAgency{ID: id, Name: "Agence " + strconv.FormatInt(id, 10)})
	}
	w.Provision(setup)
	caller := w.As("full", 1)
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
	return office.ListAgencies{PageQuery: kernel.PageQuery{PerPage: opt.Of(perPage), Cursor: cursor}}
}

func TestAG3_PerPageOutOfRange(t *testing.T) {
	w := apitest.New(t)
	for _, n := range []int{-1, 0, 201} {
		_, err := w.Office.ListAgencies(t.Context(), w.As("full", 1), pageOf(n, ""))
		apitest.RefusedField(t, err, fault.CodeOutOfRange, "per_page")
	}
	_, err := w.Office.ListAgencies(t.Context(), w.As("full", 1), pageOf(1, "?"))
	apitest.RefusedField(t, err, fault.CodeInvalidCursor, "cursor")
}

func TestAG6_AgencyOutsideTheScope(t *testing.T) {
	w := apitest.New(t)
	read := func(id int64) error {
		_, err := w.Office.GetAgency(t.Context(), w.As("full", 1), office.ReadAgency{ID: id})
		return err
	}
	if err := read(11); err != nil {
		t.Error(err)
	}
	apitest.Refused(t, read(13), fault.Forbidden, fault.CodeResourceOutOfScope)
	apitest.Refused(t, read(21), fault.NotFound, fault.CodeNotFound)
	apitest.Refused(t, read(99), fault.NotFound, fault.CodeNotFound)
}

func TestAG4_AG5_AgencyFormats(t *testing.T) {
	w := apitest.New(t)
	caller := w.As("full", 1)
	full, err := w.Office.GetAgency(t.Context(), caller, office.ReadAgency{ID: 11})
	if err != nil || full.Full == nil || full.Document != nil || len(full.Full.Users) != 1 {
		t.Errorf("full: %+v, %v", full, err)
	}
	document, err := w.Office.GetAgency(t.Context(), caller, office.ReadAgency{ID: 11, Format: "tag_document"})
	if err != nil || document.Full != nil || document.Document == nil || document.Document.ID != "11" {
		t.Errorf("document: %+v, %v", document, err)
	}
	_, err = w.Office.GetAgency(t.Context(), caller, office.ReadAgency{ID: 11, Format: "pdf"})
	apitest.RefusedField(t, err, fault.CodeInvalidFormat, "format")
}
