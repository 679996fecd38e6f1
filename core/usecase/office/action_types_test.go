package office_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

func TestActionTypesComeByPosition(t *testing.T) {
	w := apitest.New(t)
	types, err := w.Office.ListActionTypes(t.Context(), w.As("full", 1), kernel.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, kind := range types {
		got = append(got, fmt.Sprint(kind.Model, " ", kind.Target, " ", kind.IsActive, " ", kind.AppearsInHistory, " ", len(kind.Children)))
	}
	want := []string{"VISITE both true true 2", "APPEL product true false 0", "COMPTE_RENDU product true false 1", "TELECOPIE both false false 0", "RELANCE customer true false 0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if types[0].Children[1] != (office.ChildAction{ID: 22, Model: "CONTRE", Label: "Contre-visite"}) || *types[0].Color != "#27ae60" || types[1].Color != nil {
		t.Errorf("%+v", types)
	}
}
