package product

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// mention is something an advertisement states by law.
type mention struct {
	key     string
	due     func(Advert) bool
	message string
}

// Criteria that only the law speaks of.
const (
	keyFeesBearer  = "ChargeHonoraires"
	keyFees        = "Honoraires"
	keyCondominium = "Copropriete"
)

// frenchMentions are the mentions of French law: the loi Hoguet and the arrêté of 10
// January 2017 on prices and fees, the loi ALUR on copropriété (article L721-1 of
// the Code de la construction et de l'habitation), articles L126-26 to L126-33
// and R126-21 of it on the DPE, and article R125-25 of the Code de
// l'environnement on risks.
var frenchMentions = []mention{
	{criteria.KeyPrice, always, "an advertisement states the price, fees that the buyer bears included, or the rent, charges included"},
	{"NumeroMandat", always, "an agent advertises under a written mandate, which has a number"},
	{keyFeesBearer, resale, "an advertisement for a sale states who bears the fees"},
	{keyFees, either(feesOnBuyer, homeToLet), "an advertisement states the fees that the buyer or tenant bears"},
	{"PrixNetVendeur", feesOnBuyer, "with fees that the buyer bears, an advertisement states the price without them too"},

	{keyCondominium, both(sale, flat), "an advertisement for a sale states whether the property is in copropriété"},
	{"NbLotsCopro", inCondominium, "a sale in copropriété states the number of lots"},
	{"ChargesCopro", inCondominium, "a sale in copropriété states the seller's share of the charges of a year"},
	{"ProcedureCopro", inCondominium, "a sale in copropriété states whether a procedure is under way against it"},
	{"SurfaceCarrez", both(inCondominium, measured), "a sale in copropriété states the Carrez surface"},

	{criteria.KeySurface, homeToLet, "an advertisement for a rental states the living area"},
	{"Charges", homeToLet, "an advertisement for a rental states the charges"},
	{"DepotGarantie", homeToLet, "an advertisement for a rental states the deposit"},
	{"Meuble", homeToLet, "an advertisement for a rental states whether the dwelling is furnished"},

	{criteria.KeyEnergyLetter, both(diagnosed, lacks(criteria.KeyConsumption)), "an advertisement shows the energy letter of the DPE; NS if the building is not subject to it"},
	{criteria.KeyClimateLetter, both(diagnosed, lacks(criteria.KeyEmission)), "an advertisement shows the climate letter of the DPE; NS if the building is not subject to it"},
	{criteria.KeyEnergyDate, diagnosed, "the scale of the DPE depends on its date"},
	{"DepensesEnergieMin", costed, "an advertisement for a dwelling states the yearly energy costs of the DPE, from"},
	{"DepensesEnergieMax", costed, "an advertisement for a dwelling states the yearly energy costs of the DPE, to"},
	{"AnneeRefEnergie", costed, "an advertisement for a dwelling states the year of the energy prices behind its costs"},

	{"Georisques", either(sale, rental, seasonal), "an advertisement refers to georisques.gouv.fr where the property is exposed to risks; state 1 or 0"},
}

func always(Advert) bool { return true }

func either(conditions ...func(Advert) bool) func(Advert) bool {
	return func(a Advert) bool {
		return slices.ContainsFunc(conditions, func(holds func(Advert) bool) bool { return holds(a) })
	}
}

func both(one, other func(Advert) bool) func(Advert) bool {
	return func(a Advert) bool { return one(a) && other(a) }
}

func lacks(key string) func(Advert) bool { return func(a Advert) bool { return !a.has(key) } }

// one returns the condition that a UNIQUE criterion has one of some codes.
func one(key string, codes ...string) func(Advert) bool {
	return func(a Advert) bool { return slices.Contains(codes, a.code(key)) }
}

// What is offered.
var (
	sale     = one(criteria.KeyTransactionType, "Vente", "VenteNeuf", "Viager")
	resale   = one(criteria.KeyTransactionType, "Vente", "Viager")
	rental   = one(criteria.KeyTransactionType, "Location")
	seasonal = one(criteria.KeyTransactionType, "LocationSaisonniere")
)

// What it is.
var (
	flat     = one(criteria.KeyPropertyType, "Appartement", "Studio", "Loft", "Duplex")
	house    = one(criteria.KeyPropertyType, "Maison", "Villa", "Chalet")
	dwelling = either(flat, house)
	// unlabelled is what has neither a DPE nor a measured area, or does not say.
	unlabelled = one(criteria.KeyPropertyType, "", "Terrain", "Parking", "Garage", "Cave", "Divers", "Peniche")
)

func measured(a Advert) bool { return !unlabelled(a) }

func homeToLet(a Advert) bool { return rental(a) && dwelling(a) }

func feesOnBuyer(a Advert) bool { return sale(a) && one(keyFeesBearer, "ACQUEREUR", "PARTAGE")(a) }

func inCondominium(a Advert) bool { return sale(a) && a.Values.Flag(keyCondominium) }

// diagnosed returns what is offered with a DPE. One letter NS says that the building
// is not subject to it.
func diagnosed(a Advert) bool {
	exempt := either(one(criteria.KeyEnergyLetter, "NS"), one(criteria.KeyClimateLetter, "NS"))
	return (sale(a) || rental(a)) && measured(a) && !exempt(a)
}

// costed returns a dwelling of which the DPE tells the energy costs; one left blank
// (VI) tells none.
func costed(a Advert) bool {
	return diagnosed(a) && dwelling(a) && !one(criteria.KeyEnergyLetter, "VI")(a)
}
