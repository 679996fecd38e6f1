package exchange

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// What a listing is about.
var (
	dwellings = []string{"Appartement", "Maison", "Villa", "Studio", "Loft", "Duplex", "Chalet", "Peniche", "ResidenceServices"}
	sales     = []string{"Vente", "VenteNeuf", "Viager", "CessionBail", "CessionFonds"}
	rentals   = []string{"Location", "LocationSaisonniere"}
)

// among reports of values whether the code of a criterion is one of some.
func among(key string, codes ...string) func(criteria.Values) bool {
	return func(v criteria.Values) bool { return slices.Contains(codes, v.Code(key)) }
}

func not(is func(criteria.Values) bool) func(criteria.Values) bool {
	return func(v criteria.Values) bool { return !is(v) }
}

// transmission begins a feed of OpenImmo.
func transmission(umfang, modus string) string {
	return `<openimmo><uebertragung art="ONLINE" umfang="` + umfang + `" modus="` + modus + `" version="1.2.7" sendersoftware="Vitrine" senderversion="1"/>` + "\n"
}

// openImmo is version 1.2.7, its fields in the order of its schema.
var openImmo = format{
	name: OpenImmo, noun: "element", hint: "immobilie in openimmo", file: "openimmo.xml", listings: feedListings,
	say: sayableInXML, yes: "true", no: "false", language: "de",
	writer: feedWriting(feedEnds{
		begins: transmission("VOLL", "NEW"), partial: transmission("TEIL", "CHANGE"),
		owner: []string{"anbieternr", "firma", "openimmo_anid"}, ends: "</openimmo>\n",
	}),
	feed: feedShape{
		listing: "immobilie", signs: []string{"openimmo", "immobilie"}, holder: "verwaltung_techn", held: true, mark: "verwaltung_techn", owner: "anbieter",
		references: []string{"objektnr_extern", "objektnr_intern", "openimmo_obid"}, attributes: true,
		skipped: []string{
			"kontaktperson", "weitere_adresse", "format", "check", "kennung_ursprung", "aktiv_von", "aktiv_bis", "gruppen_kennung", "master", "stand_vom",
		},
		apart: []string{
			"anhaenge/anhang@gruppe=FILMLINK", "anhaenge/anhang@gruppe=PANORAMA", "anhaenge/anhang@gruppe=DOKUMENTE", "anhaenge/anhang@gruppe=LINKS",
			"anhaenge/anhang@gruppe=ANBIETERLOGO", "anhaenge/anhang@gruppe=QRCODE", "anhaenge/anhang@gruppe=FILM", "anhaenge/anhang@gruppe=EPASS-SKALA",
			"anhaenge/anhang@gruppe=ANBOBJURL",
		},
	}.made(),
	fields: []field{
		{"../anbieternr", keyAgency, text},
		{"../openimmo_anid", keyAgency, readOnly},
		{"../firma", keyAgency, readOnly},
		{"../firma", keyAgency + ".name", writeOnly},

		{"objektkategorie/nutzungsart@WOHNEN", "TypeBien", onlyYes(dwellings...).or("NON").unread()},
		{"objektkategorie/nutzungsart@GEWERBE", "TypeBien", onlyNo(dwellings...).unread()},
		{"objektkategorie/vermarktungsart@KAUF", "TypeTransaction", onlyYes(sales...).or("NON")},
		{"objektkategorie/vermarktungsart@MIETE_PACHT", "TypeTransaction", onlyYes(rentals...).or("NON")},
		{"objektkategorie/objektart/*", "TypeBien", someOf(
			pair{"wohnung", "Appartement"}, pair{"wohnung@wohnungtyp=APARTMENT", "Appartement"}, pair{"wohnung@wohnungtyp=MAISONETTE", "Duplex"},
			pair{"wohnung@wohnungtyp=LOFT-STUDIO-ATELIER", "Loft"}, pair{"wohnung@wohnungtyp=APARTMENT", "Studio"},
			pair{"haus@haustyp=VILLA", "Villa"}, pair{"haus@haustyp=CHALET", "Chalet"}, pair{"haus@haustyp=BERGHUETTE", "Chalet"},
			pair{"zinshaus_renditeobjekt", "Immeuble"}, pair{"haus@haustyp=MEHRFAMILIENHAUS", "Immeuble"}, pair{"haus@haustyp=APARTMENTHAUS", "Immeuble"}, pair{"haus", "Maison"},
			pair{"grundstueck", "Terrain"}, pair{"buero_praxen", "Bureau"}, pair{"einzelhandel@handel_typ=EINKAUFSZENTRUM", "CentreCommercial"},
			pair{"einzelhandel", "LocalCommercial"}, pair{"einzelhandel", "FondsCommerce"},
			pair{"gastgewerbe@gastgew_typ=RESTAURANT", "Restaurant"}, pair{"gastgewerbe@gastgew_typ=GASTRONOMIE", "Restaurant"},
			pair{"gastgewerbe@gastgew_typ=HOTELS", "Hotel"}, pair{"gastgewerbe@gastgew_typ=PENSIONEN", "Hotel"}, pair{"gastgewerbe", "LocalCommercial"},
			pair{"hallen_lager_prod@hallen_typ=LAGER", "Entrepot"}, pair{"hallen_lager_prod@hallen_typ=LAGERFLAECHEN", "Entrepot"}, pair{"hallen_lager_prod", "LocalActivite"},
			pair{"parken@parken_typ=EINZELGARAGE", "Garage"}, pair{"parken@parken_typ=DOPPELGARAGE", "Garage"}, pair{"parken", "Parking"},
			pair{"zinshaus_renditeobjekt@zins_typ=BETREUTES-WOHNEN", "ResidenceServices"},
			pair{"sonstige", "Divers"}, pair{"zimmer", "Divers"}, pair{"land_und_forstwirtschaft", "Divers"}, pair{"freizeitimmobilie_gewerblich", "Divers"},
		).or("sonstige")},

		{"geo/plz", "CodePostal", postalCode},
		{"geo/ort", "Ville", text},
		{"geo/geokoordinaten@breitengrad", keyLatitude, text},
		{"geo/geokoordinaten@laengengrad", keyLongitude, text},
		{"geo/strasse", "Adresse", text},
		{"geo/hausnummer", keyHouse, readOnly},
		{"geo/land@iso_land", "Pays", codes(
			pair{"FRA", "FR"}, pair{"BEL", "BE"}, pair{"LUX", "LU"}, pair{"CHE", "CH"}, pair{"DEU", "DE"}, pair{"ESP", "ES"},
			pair{"ITA", "IT"}, pair{"PRT", "PT"}, pair{"NLD", "NL"}, pair{"GBR", "GB"}, pair{"MCO", "MC"},
		)},
		{"geo/etage", "Etage", floor},
		{"geo/anzahl_etagen", "NbEtages", number},
		{"geo/regionaler_zusatz", "Quartier", text},

		{"kontaktperson/email_zentrale", keyAgency + ".email", writeOnly},
		{"kontaktperson/tel_zentrale", keyAgency + ".phone", writeOnly},
		{"kontaktperson/name", keyAgency + ".name", writeOnly},

		{"preise/kaufpreis", "Prix", price.only(not(among("TypeTransaction", rentals...)))},
		{"preise/warmmiete", "Prix", price.only(among("TypeTransaction", rentals...))},
		{"preise/kaltmiete", "Prix", price.unwritten()},
		{"preise/nettokaltmiete", "Prix", price.unwritten()},
		{"preise/pauschalmiete", "Prix", price.unwritten()},
		{"preise/pacht", "Prix", price.unwritten()},
		{"preise/nebenkosten", "Charges", rent},
		{"preise/hausgeld", "Charges", rent.unwritten()},
		{"preise/provisionbrutto", "Honoraires", fees},
		{"preise/waehrung@iso_waehrung", keyCurrency, text},
		{"preise/kaution", "DepotGarantie", money},

		{"flaechen/wohnflaeche", "Surface", area.only(among("TypeBien", append(dwellings, "")...))},
		{"flaechen/gesamtflaeche", "Surface", area.only(not(among("TypeBien", append(dwellings, "")...)))},
		{"flaechen/nutzflaeche", "Surface", area.unwritten()},
		{"flaechen/bueroflaeche", "Surface", area.unwritten()},
		{"flaechen/ladenflaeche", "Surface", area.unwritten()},
		{"flaechen/lagerflaeche", "Surface", area.unwritten()},
		{"flaechen/grundstuecksflaeche", "SurfaceTerrain", land},
		{"flaechen/anzahl_zimmer", "NbPieces", number},
		{"flaechen/anzahl_schlafzimmer", "NbChambres", number},
		{"flaechen/anzahl_badezimmer", "NbSallesBain", number},
		{"flaechen/anzahl_sep_wc", "NbWC", number},
		{"flaechen/anzahl_balkone", "Balcon", some},
		{"flaechen/anzahl_terrassen", "Terrasse", some},
		{"flaechen/anzahl_stellplaetze", "NbParking", number},

		{"ausstattung/kueche@EBK", "Equipements.CUISINE_EQUIPEE", yesNo},
		{"ausstattung/kamin", "Equipements.CHEMINEE", yesNo},
		{"ausstattung/heizungsart@ETAGE", "Chauffage", onlyYes("INDIVIDUEL")},
		{"ausstattung/befeuerung@GAS", "EnergieChauffage", onlyYes("GAZ")},
		{"ausstattung/befeuerung@OEL", "EnergieChauffage", onlyYes("FIOUL")},
		{"ausstattung/befeuerung@ELEKTRO", "EnergieChauffage", onlyYes("ELECTRICITE")},
		{"ausstattung/befeuerung@LUFTWP", "EnergieChauffage", onlyYes("POMPE_A_CHALEUR")},
		{"ausstattung/befeuerung@ERDWAERME", "EnergieChauffage", onlyYes("POMPE_A_CHALEUR").unwritten()},
		{"ausstattung/befeuerung@WASSER-ELEKTRO", "EnergieChauffage", onlyYes("POMPE_A_CHALEUR").unwritten()},
		{"ausstattung/befeuerung@FERN", "EnergieChauffage", onlyYes("RESEAU_CHALEUR")},
		{"ausstattung/befeuerung@PELLET", "EnergieChauffage", onlyYes("GRANULES")},
		{"ausstattung/befeuerung@HOLZ", "EnergieChauffage", onlyYes("BOIS")},
		{"ausstattung/befeuerung@FLUESSIGGAS", "EnergieChauffage", onlyYes("GAZ").unwritten()},
		{"ausstattung/befeuerung@SOLAR", "EnergieChauffage", onlyYes("SOLAIRE")},
		{"ausstattung/klimatisiert", "Equipements.CLIMATISATION", yesNo},
		{"ausstattung/fahrstuhl@PERSONEN", "Ascenseur", yesNo},
		{"ausstattung/gartennutzung", "Jardin", yesNo},
		{"ausstattung/moebliert@moeb", "Meuble", codesOfFlag("VOLL", "", "TEIL")},
		{"ausstattung/swimmingpool", "Piscine", yesNo},
		{"ausstattung/wintergarten", "Annexes.VERANDA", yesNo},
		{"ausstattung/sicherheitstechnik@ALARMANLAGE", "Equipements.ALARME", yesNo},
		{"ausstattung/unterkellert@keller", "Cave", codesOfFlag("JA", "NEIN", "TEIL")},
		{"ausstattung/abstellraum", "Annexes.CELLIER", yesNo},
		{"ausstattung/fahrradraum", "Annexes.LOCAL_VELOS", yesNo},
		{"ausstattung/dachboden", "Annexes.GRENIER", yesNo},

		{"zustand_angaben/baujahr", "AnneeConstruction", amount},
		{"zustand_angaben/zustand@zustand_art", "EtatGeneral", codes(
			pair{"ERSTBEZUG", "NEUF"}, pair{"NEUWERTIG", "EXCELLENT"}, pair{"GEPFLEGT", "BON"}, pair{"VOLL_SANIERT", "RENOVE"}, pair{"TEIL_VOLLSANIERT", "RENOVE"},
			pair{"TEIL_VOLLRENOVIERT", "RENOVE"}, pair{"TEIL_SANIERT", "RENOVE"}, pair{"MODERNISIERT", "RENOVE"}, pair{"TEIL_VOLLRENOVIERUNGSBED", "A_RAFRAICHIR"},
			pair{"SANIERUNGSBEDUERFTIG", "A_RENOVER"}, pair{"BAUFAELLIG", "A_RENOVER"}, pair{"ENTKERNT", "A_RENOVER"}, pair{"ABRISSOBJEKT", "A_RENOVER"},
			pair{"PROJEKTIERT", "NEUF"}, pair{"ROHBAU", "NEUF"}, pair{"NACH_VEREINBARUNG", ""},
		)},
		{"zustand_angaben/energiepass/epart", "conso_energ", always("BEDARF")},
		{"zustand_angaben/energiepass/endenergiebedarf", "conso_energ", energy},
		{"zustand_angaben/energiepass/energieverbrauchkennwert", "conso_energ", energy.unwritten()},
		{"zustand_angaben/energiepass/wertklasse", "ConsoEner", letter},
		{"zustand_angaben/energiepass/ausstelldatum", "DateDPE", day},

		{"freitexte/objekttitel", keyTitle + ".0", text},
		{"freitexte/objektbeschreibung", keyText + ".0", text},
		{"freitexte/ausstatt_beschr", keyText + ".0", readOnly},
		{"freitexte/lage", keyText + ".0", readOnly},
		{"freitexte/sonstige_angaben", keyText + ".0", readOnly},
		{"freitexte/dreizeiler", keyText + ".0", readOnly},
		{"freitexte/objekt_text@lang=*", keyText + ".*", text},

		{"anhaenge/anhang+@location", keyPicture, always("REMOTE")},
		{"anhaenge/anhang+@gruppe", keyPicture + ".1", always("TITELBILD")},
		{"anhaenge/anhang+@gruppe", keyPicture, always("BILD")},
		{"anhaenge/anhang+/anhangtitel", keyCaption, text},
		{"anhaenge/anhang+/format", keyPicture, always("image/jpeg")},
		{"anhaenge/anhang+/daten/pfad", keyPicture, text},
		{"anhaenge/anhang@gruppe=FILMLINK@location", "LienVideo", always("REMOTE")},
		{"anhaenge/anhang@gruppe=FILMLINK/format", "LienVideo", always("text/html")},
		{"anhaenge/anhang@gruppe=FILMLINK/daten/pfad", "LienVideo", text},
		{"anhaenge/anhang@gruppe=PANORAMA@location", "VisiteVirtuelle", always("REMOTE")},
		{"anhaenge/anhang@gruppe=PANORAMA/format", "VisiteVirtuelle", always("text/html")},
		{"anhaenge/anhang@gruppe=PANORAMA/daten/pfad", "VisiteVirtuelle", text},

		{"verwaltung_objekt/objektadresse_freigeben", "AdresseMasquee", yesNo.opposite()},
		{"verwaltung_objekt/abdatum", "DisponibleLe", day},
		{"verwaltung_objekt/verfuegbar_ab", "DisponibleLe", day.unwritten()},

		{"verwaltung_techn/objektnr_intern", keyID, text},
		{"verwaltung_techn/objektnr_extern", keyReference, text},
		{"verwaltung_techn/objektnr_intern", keyReference, readOnly},
		{"verwaltung_techn/aktion@aktionart", keyGone, codesOfFlag("DELETE", "CHANGE")},
		{"verwaltung_techn/openimmo_obid", keyReference, readOnly},
		{"verwaltung_techn/openimmo_obid", keyID, text.unread()},
		{"verwaltung_techn/stand_vom", keyModified, writeOnly},
		{"verwaltung_techn/sprache", keyLanguage + ".0", text},
	},
}.made()
