package exchange

// column is a column of the Poliris CSV that has a criterion.
type column struct {
	rank int // from 1, as the specification of SeLoger counts
	key  string
	translation
}

// offers are what a listing can be about, in column 3.
var offers = codes(
	pair{"vente", "Vente"}, pair{"location", "Location"}, pair{"location vacances", "LocationSaisonniere"}, pair{"viager", "Viager"},
	pair{"cession de bail", "CessionBail"}, pair{"vente-fonds-de-commerce", "CessionFonds"}, pair{"vente fonds-de-commerce", "CessionFonds"},
	pair{"fonds de commerce", "CessionFonds"}, pair{"vente de prestige", "Vente"}, pair{"produit d'investissement", "Vente"}, pair{"vente", "VenteNeuf"},
)

// columns are those that the reader and the writer know, by the specification
// 4.09. Of two for the same criterion the earlier one is read first. Of two with
// the same rank the sum is written.
var columns = []column{
	{transactionColumn, "TypeTransaction", offers},
	{181, "TypeBien", someOf(
		pair{"villa", "Villa"}, pair{"Chalet", "Chalet"}, pair{"Duplex", "Duplex"}, pair{"Entrepôt", "Entrepot"}, pair{"Local d'activités", "LocalActivite"},
	)},
	{4, "TypeBien", codes(
		pair{"appartement", "Appartement"}, pair{"maison/villa", "Maison"}, pair{"maison", "Maison"}, pair{"maison avec terrain", "Maison"},
		pair{"hôtel particulier", "Maison"}, pair{"château", "Maison"}, pair{"immeuble", "Immeuble"}, pair{"bâtiment", "Immeuble"},
		pair{"bureaux", "Bureau"}, pair{"boutique", "LocalCommercial"}, pair{"local", "LocalActivite"}, pair{"local", "Entrepot"},
		pair{"loft/atelier/surface", "Loft"}, pair{"parking/box", "Parking"}, pair{"parking/box", "Garage"}, pair{"terrain", "Terrain"},
		pair{"entreprises", "FondsCommerce"}, pair{"inconnu", "Divers"}, pair{"maison/villa", "Villa"}, pair{"maison/villa", "Chalet"},
		pair{"appartement", "Studio"}, pair{"appartement", "Duplex"},
	).or("inconnu")},
	{108, "CodePostal", postalCode},
	{5, "CodePostal", postalCode},
	{109, "Ville", text},
	{6, "Ville", text},
	{countryColumn, "Pays", codes(
		pair{"France", "FR"}, pair{"Belgique", "BE"}, pair{"Luxembourg", "LU"}, pair{"Suisse", "CH"}, pair{"Allemagne", "DE"}, pair{"Espagne", "ES"},
		pair{"Italie", "IT"}, pair{"Portugal", "PT"}, pair{"Pays-Bas", "NL"}, pair{"Royaume-Uni", "GB"}, pair{"Monaco", "MC"},
	).anything()},
	{8, "Adresse", text},
	{9, "Quartier", text},
	{11, "Prix", price},
	{15, "Honoraires", fees},
	{16, "Surface", area},
	{17, "SurfaceTerrain", land},
	{18, "NbPieces", number},
	{19, "NbChambres", number},
	{22, "DisponibleLe", date},
	{23, "Charges", rent},
	{24, "Etage", floor},
	{25, "NbEtages", number},
	{26, "Meuble", yesNo},
	{27, "AnneeConstruction", amount},
	{29, "NbSallesBain", number},
	{30, "NbSallesEau", number},
	{31, "NbWC", number},
	{33, "Chauffage", bits(bit{4096, "COLLECTIF"}, bit{8192, "INDIVIDUEL"})},
	{33, "EnergieChauffage", bits(bit{512, "GAZ"}, bit{1024, "FIOUL"}, bit{2048, "ELECTRICITE"})},
	{28, "EtatGeneral", onlyYes("RENOVE")},
	{39, "Balcon", some},
	{41, "Ascenseur", yesNo},
	{42, "Cave", yesNo},
	{43, "NbParking", number},
	{44, "NbGarage", number},
	{47, "Gardien", yesNo},
	{48, "Terrasse", yesNo},
	{65, "Piscine", yesNo},
	{83, "TypeMandat", codes(pair{"OUI", "EXCLUSIF"}, pair{"NON", ""})},
	{104, "VisiteVirtuelle", text},
	{112, "NumeroMandat", text},
	{113, "DateMandat", date},
	{122, "Remarques", text.unwritten()},
	{161, "DepotGarantie", money},
	{163, "EtatGeneral", onlyYes("A_RENOVER", "A_RAFRAICHIR")},
	{176, "conso_energ", energy},
	{177, "ConsoEner", text},
	{178, "valeur_GES", energy},
	{179, "GES", text},
	{258, "Copropriete", yesNo},
	{259, "NbLotsCopro", number},
	{260, "ChargesCopro", dues},
	{261, "ProcedureCopro", yesNo},
	{302, "ChargeHonoraires", codes(pair{"1", "ACQUEREUR"}, pair{"2", "VENDEUR"}, pair{"3", "PARTAGE"})},
	{withoutFeesColumn, "PrixNetVendeur", price},
	{324, "DateDPE", date},
	{326, "DepensesEnergieMin", dues},
	{327, "DepensesEnergieMax", dues},
	{328, "AnneeRefEnergie", year},
}

// members are the columns that say OUI when a code is among those of a criterion
// with several.
var members = []struct {
	rank      int
	key, code string
}{
	{45, "Equipements", "DIGICODE"},
	{46, "Equipements", "INTERPHONE"},
	{61, "Equipements", "ALARME"},
	{64, "Equipements", "CLIMATISATION"},
	{68, "Equipements", "CHEMINEE"},
	{73, "Equipements", "PLACARDS"},
	{75, "Proximites", "LAC"},
	{77, "Proximites", "PISTES"},
}

// directions are the columns that say OUI for a point of the compass, and what
// several of them are together. Opposite ones make a flat that has both.
var (
	directions = []struct {
		rank   int
		letter byte
	}{{38, 'N'}, {35, 'S'}, {36, 'E'}, {37, 'O'}}
	orientations = []string{"N", "S", "E", "O", "NE", "NO", "SE", "SO"}
)

const (
	keyOrientation = "Exposition"
	bothWays       = "TRAVERSANT"
)

type bit = struct {
	bit  int
	code string
}

// Columns that are no criterion.
const (
	agencyColumn       = 1
	referenceColumn    = 2
	transactionColumn  = 3
	countryColumn      = 7
	titleColumn        = 20
	textColumn         = 21
	firstPictureTitle  = 94 // those of the first pictures, one after the other
	pictureTitles      = 9
	intercabinetColumn = 110
	languagesColumn    = 124 // code, proximity, title and text of each further language
	languages          = 3
	technicalColumn    = 175
	latitudeColumn     = 298
	longitudeColumn    = 299
	precisionColumn    = 300
	versionColumn      = 301
	withoutFeesColumn  = 303 // the price without the fees that the buyer bears
	dpeVersion         = 325
	lastColumn         = 329
)

// Version is that of the Poliris format which is written.
const Version = "4.09"

// pictureColumns returns those of pictures 1 to 30, in order.
func pictureColumns() []int {
	var ranks []int
	for _, span := range [][2]int{{85, 93}, {164, 174}, {264, 273}} {
		for rank := span[0]; rank <= span[1]; rank++ {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}
