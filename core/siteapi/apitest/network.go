package apitest

import (
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Network has site 1 with the agencies 11 and 12, and 13 that has left the
// network; site 2 with agency 21; and the credentials full, for everything at
// site 1, rival, for everything at site 2, group, for both, website, which reads
// for a website, and disabled.
func Network() transfer.Setup {
	no := false
	zero := 0.0
	criteria := []transfer.SetupCriterion{
		{ID: 1, Key: "TypeBien", Type: "UNIQUE", Label: "Type", Position: 1, Values: choices("Appartement", "Maison", "Terrain")},
		{ID: 2, Key: "TypeTransaction", Type: "UNIQUE", Label: "Transaction", Position: 2, Values: choices("Vente", "Location")},
		{ID: 3, Key: "Statut", Type: "UNIQUE", Label: "Statut", Position: 3, Values: choices("EnCours", "Projet", "Vendu", "Archive", "SousOffre", "Option", "SousCompromis", "Loue", "VenduParTiers")},
		{ID: 4, Key: "NbPieces", Type: "NUMBER", Label: "Pièces", Position: 4},
		{ID: 5, Key: "Surface", Type: "NUMBER", Label: "Surface", Unit: "m²", Position: 5, Min: &zero},
		{ID: 6, Key: "Prix", Type: "NUMBER", Label: "Prix", Position: 6, Min: &zero},
		{ID: 7, Key: "Adresse", Type: "TEXT", Label: "Adresse", Position: 7},
		{ID: 8, Key: "CodePostal", Type: "TEXT", Label: "Code postal", Position: 8},
		{ID: 9, Key: "Ville", Type: "TEXT", Label: "Ville", Position: 9},
		{ID: 10, Key: "Alentour", Type: "TEXT", Label: "Position", Position: 10},
		{ID: 11, Key: "Ascenseur", Type: "FLAG", Label: "Ascenseur", Position: 11},
		{ID: 12, Key: "Equipements", Type: "MULTIPLE", Label: "Équipements", Position: 12, Values: choices("PISCINE", "CHEMINEE", "ALARME")},
		{ID: 13, Key: "DateMandat", Type: "DATE", Label: "Date du mandat", Position: 13},
		{ID: 14, Key: "VisiteVirtuelle", Type: "TEXT", Label: "Visite", Position: 14},
		{ID: 15, Key: "AdresseMasquee", Type: "FLAG", Label: "Adresse masquée", Position: 15},
		{ID: 16, Key: "Remarques", Type: "TEXT", Label: "Remarques", Position: 16, IsFulltext: true, IsSearchable: &no, IsPrivate: true},
		{ID: 17, Key: "Gardien", Type: "FLAG", Label: "Gardien", Position: 17, IsActive: &no},
	}
	lists := []transfer.SetupList{
		{ID: 1, Key: "room_types", Label: "Pièces", Values: choices("SEJOUR", "CHAMBRE", "CUISINE")},
		{ID: 2, Key: "expositions", Label: "Expositions", Values: choices("N", "S")},
		{ID: 3, Key: "views", Label: "Vues", Values: choices("JARDIN", "MER")},
		{ID: 4, Key: "floor_types", Label: "Sols", Values: choices("PARQUET", "CARRELAGE")},
	}
	closed := transfer.SetupChoice{ID: 32, Model: "CR_FAX", Label: "Par télécopie", IsActive: &no}
	actions := []transfer.SetupActionType{
		{ID: 1, Model: "APPEL", Label: "Appel", Target: "product", Position: 2},
		{ID: 2, Model: "VISITE", Label: "Visite", Target: "both", Position: 1, Color: "#27ae60", Children: []transfer.SetupChoice{
			{ID: 21, Model: "PREMIERE", Label: "Première visite"}, {ID: 22, Model: "CONTRE", Label: "Contre-visite", IsActive: &no},
		}},
		{ID: 3, Model: "COMPTE_RENDU", Label: "Compte rendu", Target: "product", Position: 3, Children: []transfer.SetupChoice{closed}},
		{ID: 4, Model: "TELECOPIE", Label: "Télécopie", Target: "both", Position: 3, IsActive: &no},
		{ID: 5, Model: "RELANCE", Label: "Relance", Target: "customer", Position: 4},
	}
	everything := func(id string, sites ...int64) transfer.SetupCredential {
		all := []string{access.All}
		return transfer.SetupCredential{ID: id, Secret: id + "-secret", Sites: sites, Packs: all, Permissions: all, Rights: all}
	}
	disabled := everything("disabled", 1)
	disabled.Disabled = true
	return transfer.Setup{
		Sites: []transfer.SetupSite{
			{
				ID: 1, Name: "Réseau", SetupVocabulary: transfer.SetupVocabulary{Criteria: criteria, Lists: lists, ActionTypes: actions},
				Agencies: []transfer.SetupAgency{
					{ID: 11, Name: "Onze", SIREN: "001234567"}, {ID: 12, Name: "Douze"}, {ID: 13, Name: "Treize", InScope: &no},
				},
				Users: []transfer.SetupUser{
					{ID: 101, AgencyID: 11, Firstname: "Anne", Lastname: "Arnaud"},
					{ID: 102, AgencyID: 12, Firstname: "Bruno", Lastname: "Blanc", IsActive: &no},
					{ID: 103, AgencyID: 13, Firstname: "Chloé", Lastname: "Caron"},
				},
				Customers: []transfer.SetupCustomer{
					{ID: 1001, AgencyID: 11, Type: "VENDEUR", Firstname: "Éloïse", Lastname: "Lefèvre", Email: "eloise@example.org"},
					{ID: 1003, AgencyID: 13, Type: "VENDEUR", Lastname: "Dehors"},
				},
			},
			{
				ID: 2, Name: "Quais", DefaultStatus: "Projet", SetupVocabulary: transfer.SetupVocabulary{Criteria: criteria, Lists: lists},
				Agencies:  []transfer.SetupAgency{{ID: 21, Name: "Vingt-et-un"}},
				Users:     []transfer.SetupUser{{ID: 201, AgencyID: 21, Firstname: "Denis", Lastname: "Duval"}},
				Customers: []transfer.SetupCustomer{{ID: 2001, AgencyID: 21, Type: "VENDEUR", Lastname: "Rival"}},
			},
		},
		Credentials: []transfer.SetupCredential{
			everything("full", 1), everything("rival", 2), everything("group", 1, 2), disabled,
			{
				ID: "website", Secret: "website-secret", Sites: []int64{1}, Packs: []string{"websites", "webhooks"},
				Permissions: []string{"SITE_PRODUCT:READ", "SITE_CONFIG", "SITE_HOOK:READ"},
				Rights:      []string{"RS:PRODUCT_SEARCH", "RS:PRODUCT_GET", "RS:CRITERE_PRODUCT_ALL", "RS:HOOK_LIST"},
			},
		},
	}
}

// PeopleLists are the lists that customers and follow-ups choose from.
func PeopleLists() []transfer.SetupList {
	return []transfer.SetupList{
		{ID: 5, Key: "customer_types", Values: choices("ACQUEREUR", "VENDEUR", "PROSPECT")},
		{ID: 9, Key: "follow_up_statuses", Values: choices("PROPOSE", "VISITE")},
	}
}

// choices are values of a criterion or a list, with ids in their order.
func choices(codes ...string) (out []transfer.SetupChoice) {
	for i, code := range codes {
		out = append(out, transfer.SetupChoice{ID: int64(i + 1), Model: code, Label: "Label " + code})
	}
	return out
}

// Provision brings the sites to what a setup describes.
func (w *World) Provision(s transfer.Setup) {
	w.T.Helper()
	if _, err := w.Transfer.Provision(w.T.Context(), s); err != nil {
		w.T.Fatal(err)
	}
}

// Redefine changes the definitions of the criteria of site 1 of Network.
func (w *World) Redefine(change func(*transfer.SetupCriterion)) {
	w.T.Helper()
	setup := Network()
	setup.Sites = setup.Sites[:1]
	for i := range setup.Sites[0].Criteria {
		change(&setup.Sites[0].Criteria[i])
	}
	w.Provision(setup)
}
