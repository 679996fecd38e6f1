package exchange

import (
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// offers are what a listing can be about, in column 3.
var offers = codes(
	pair{"vente", "Vente"}, pair{"location", "Location"}, pair{"location vacances", "LocationSaisonniere"}, pair{"viager", "Viager"},
	pair{"cession de bail", "CessionBail"}, pair{"vente-fonds-de-commerce", "CessionFonds"}, pair{"vente fonds-de-commerce", "CessionFonds"},
	pair{"fonds de commerce", "CessionFonds"}, pair{"vente de prestige", "Vente"}, pair{"produit d'investissement", "Vente"}, pair{"vente", "VenteNeuf"},
)

// columns are those that the reader and the writer know, by their ranks in the specification 4.09, from
// 1. Of two for the same criterion the earlier one is read first. Of two with the same rank the sum is
// written.
var columns = slices.Concat([]field{
	{"1", keyAgency, text},
	{"2", keyReference, text},
	{"3", "TypeTransaction", offers},
	{"181", "TypeBien", someOf(
		pair{"villa", "Villa"}, pair{"Chalet", "Chalet"}, pair{"Duplex", "Duplex"}, pair{"Entrepôt", "Entrepot"}, pair{"Local d'activités", "LocalActivite"},
	)},
	{"4", "TypeBien", codes(
		pair{"appartement", "Appartement"}, pair{"maison/villa", "Maison"}, pair{"maison", "Maison"}, pair{"maison avec terrain", "Maison"},
		pair{"hôtel particulier", "Maison"}, pair{"château", "Maison"}, pair{"immeuble", "Immeuble"}, pair{"bâtiment", "Immeuble"},
		pair{"bureaux", "Bureau"}, pair{"boutique", "LocalCommercial"}, pair{"local", "LocalActivite"}, pair{"local", "Entrepot"},
		pair{"loft/atelier/surface", "Loft"}, pair{"parking/box", "Parking"}, pair{"parking/box", "Garage"}, pair{"terrain", "Terrain"},
		pair{"entreprises", "FondsCommerce"}, pair{"inconnu", "Divers"}, pair{"maison/villa", "Villa"}, pair{"maison/villa", "Chalet"},
		pair{"appartement", "Studio"}, pair{"appartement", "Duplex"},
	).or("inconnu")},
	{"108", "CodePostal", postalCode},
	{"5", "CodePostal", postalCode},
	{"109", "Ville", text},
	{"6", "Ville", text},
	{"7", "Pays", codes(
		pair{"France", "FR"}, pair{"Belgique", "BE"}, pair{"Luxembourg", "LU"}, pair{"Suisse", "CH"}, pair{"Allemagne", "DE"}, pair{"Espagne", "ES"},
		pair{"Italie", "IT"}, pair{"Portugal", "PT"}, pair{"Pays-Bas", "NL"}, pair{"Royaume-Uni", "GB"}, pair{"Monaco", "MC"},
	).anything()},
	{"8", "Adresse", text},
	{"9", "Quartier", text},
	{"11", "Prix", price},
	{"15", "Honoraires", fees},
	{"16", "Surface", area},
	{"17", "SurfaceTerrain", land},
	{"18", "NbPieces", number},
	{"19", "NbChambres", number},
	{"22", "DisponibleLe", date},
	{"23", "Charges", rent},
	{"24", "Etage", floor},
	{"25", "NbEtages", number},
	{"26", "Meuble", yesNo},
	{"27", "AnneeConstruction", amount},
	{"29", "NbSallesBain", number},
	{"30", "NbSallesEau", number},
	{"31", "NbWC", number},
	{"33", "Chauffage", bits(bit{4096, "COLLECTIF"}, bit{8192, "INDIVIDUEL"})},
	{"33", "EnergieChauffage", bits(bit{512, "GAZ"}, bit{1024, "FIOUL"}, bit{2048, "ELECTRICITE"})},
	{"28", "EtatGeneral", onlyYes("RENOVE")},
	{"39", "Balcon", some},
	{"41", "Ascenseur", yesNo},
	{"42", "Cave", yesNo},
	{"43", "NbParking", number},
	{"44", "NbGarage", number},
	{"47", "Gardien", yesNo},
	{"48", "Terrasse", yesNo},
	{"65", "Piscine", yesNo},
	{"83", "TypeMandat", codes(pair{"OUI", "EXCLUSIF"}, pair{"NON", ""})},
	{"104", "VisiteVirtuelle", text},
	{"112", "NumeroMandat", text},
	{"113", "DateMandat", date},
	{"122", "Remarques", text.unwritten()},
	{"161", "DepotGarantie", money},
	{"163", "EtatGeneral", onlyYes("A_RENOVER", "A_RAFRAICHIR")},
	{"176", "conso_energ", energy},
	{"177", "ConsoEner", text},
	{"178", "valeur_GES", energy},
	{"179", "GES", text},
	{"258", "Copropriete", yesNo},
	{"259", "NbLotsCopro", number},
	{"260", "ChargesCopro", dues},
	{"261", "ProcedureCopro", yesNo},
	{"302", "ChargeHonoraires", codes(pair{"1", "ACQUEREUR"}, pair{"2", "VENDEUR"}, pair{"3", "PARTAGE"})},
	{"303", "PrixNetVendeur", price.only(buyerPays)},
	{"324", "DateDPE", date},
	{"326", "DepensesEnergieMin", dues},
	{"327", "DepensesEnergieMax", dues},
	{"328", "AnneeRefEnergie", year},
	{"45", "Equipements.DIGICODE", yesNo},
	{"46", "Equipements.INTERPHONE", yesNo},
	{"61", "Equipements.ALARME", yesNo},
	{"64", "Equipements.CLIMATISATION", yesNo},
	{"68", "Equipements.CHEMINEE", yesNo},
	{"73", "Equipements.PLACARDS", yesNo},
	{"75", "Proximites.LAC", yesNo},
	{"77", "Proximites.PISTES", yesNo},
	{"38", "Exposition.N", yesNo},
	{"35", "Exposition.S", yesNo},
	{"36", "Exposition.E", yesNo},
	{"37", "Exposition.O", yesNo},
	{"298", keyLatitude, text},
	{"299", keyLongitude, text},
	{"300", keyNothing, readOnly}, // how precise that is
	{"20", keyTitle + ".fr", text},
	{"21", keyText + ".fr", text},
	{"110", keyShared, readOnly},
	{"175", keyID, text},
	{"301", keyNothing, always(Version)},
	{"325", keyNothing, readOnly}, // the version of the energy label
}, furtherLanguages(), pictureColumns())

// buyerPays reports whether a price without fees is that without what the buyer pays, and not what the
// seller keeps.
func buyerPays(values criteria.Values) bool { return values.Code("ChargeHonoraires") != "VENDEUR" }

type bit = struct {
	bit  int
	code string
}

// Columns that the reader of rows looks at.
const (
	agencyColumn      = 1
	referenceColumn   = 2
	transactionColumn = 3
	versionColumn     = 301
	lastColumn        = 329
)

// Version is that of the Poliris format which is written.
const Version = "4.09"

// furtherLanguages returns the columns of three more languages: code, proximity, title and text of each.
func furtherLanguages() (all []field) {
	for i := range 3 {
		at, part := func(n int) string { return strconv.Itoa(124 + 4*i + n) }, "."+strconv.Itoa(i)
		all = append(all, field{at(0), keyLanguage + part, upper}, field{at(2), keyTitle + part, text}, field{at(3), keyText + part, text})
	}
	return all
}

// pictureColumns returns those of pictures 1 to 30, and of the titles of the first nine.
func pictureColumns() (all []field) {
	n := 0
	for _, span := range [][2]int{{85, 93}, {164, 174}, {264, 273}} {
		for rank := span[0]; rank <= span[1]; rank++ {
			n++
			all = append(all, field{strconv.Itoa(rank), keyPicture + "." + strconv.Itoa(n), text})
		}
	}
	for n := range 9 {
		all = append(all, field{strconv.Itoa(94 + n), keyCaption + "." + strconv.Itoa(n+1), text})
	}
	return all
}
