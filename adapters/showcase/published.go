package showcase

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// record is what is read of a product. A field that is not here is not published: a credential of a
// website receives more than its visitors may see, such as the number of a mandate.
type record struct {
	ID              int64      `json:"id"`
	AgencyID        int64      `json:"agency_id"`
	Title           *string    `json:"title"`
	City            *string    `json:"city"`
	PostalCode      *string    `json:"postal_code"`
	Price           *float64   `json:"price"`
	Surface         *float64   `json:"surface"`
	RoomsNumber     *float64   `json:"rooms_number"`
	DateAdded       time.Time  `json:"date_added"`
	LastModified    time.Time  `json:"last_modified"`
	Position        *position  `json:"position"`
	Descriptions    []text     `json:"descriptions"`
	Photos          []photo    `json:"products_photos"`
	AssignedTo      *agent     `json:"assigned_to"`
	CriteresText    []criteria `json:"criteres_text"`
	CriteresNumber  []criteria `json:"criteres_number"`
	CriteresFlag    []criteria `json:"criteres_flag"`
	TransactionType string     `json:"transaction_type"`
	PropertyType    string     `json:"property_type"`
}

type text struct {
	Language string `json:"language"`
	Text     string `json:"text"`
}

// position is where a product is. That of a masked address is not published.
type position struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Source    string  `json:"source"`
}

type photo struct {
	URL        string `json:"url"`
	SHA256     string `json:"sha256"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	Label      string `json:"label"`
	Visibility string `json:"visibility"`
	Sizes      []struct {
		URL   string `json:"url"`
		Width int    `json:"width"`
	} `json:"sizes"`
}

type agent struct {
	ID        int64  `json:"id"`
	Firstname string `json:"firstname"`
	Lastname  string `json:"lastname"`
}

type criteria struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Value any    `json:"value"`
}

// Listing is what is published of a product.
type Listing struct {
	ID, Agency                int64
	Path, Title, City, Postal string
	Price, Surface, Rooms     float64
	Added, Modified           time.Time
	// Place is where the property is, or its town; nil where the address is masked and the place is not that of the town.
	Place  *Place
	Texts  []string
	Photos []Photo
	// Agent is the name of who is asked, and AgentID its id in the agency.
	Agent   string
	AgentID int64
	// Transaction and Type are codes, with their labels.
	Transaction, TransactionLabel, Type, TypeLabel string
	// Facts are what the listing says besides, and Law what it says because the law wants it.
	Facts []Fact
	Law   []string
	// Energy and Climate are the letters of the DPE; their Letter is empty where there is none.
	Energy, Climate Letter
	// PriceNote says per month of a rent, and who bears the fees of a sale.
	PriceNote string
	// Lacks names what the law wants of the listing and its record does not have.
	Lacks []string
}

// Place is a point. Exact says that it is of the property, not of its town.
type Place struct {
	Latitude, Longitude float64
	Exact               bool
}

// Fact is a line of what a listing says.
type Fact struct{ Name, Value string }

// Letter is one of the DPE, from A to G, with its number. It is empty where the diagnosis has none.
type Letter struct{ Letter, Name, Figure string }

// letter returns a letter of the DPE, and none for the codes of those that have none.
func (v values) letter(key, name, figure string) Letter {
	code := v.code(key)
	if len(code) != 1 || code < "A" || code > "G" {
		return Letter{Name: name}
	}
	return Letter{code, name, figure}
}

// Per says what the price is for: the month of a rent.
func (l Listing) Per() string {
	if l.Transaction == "Location" {
		return "par mois"
	}
	return ""
}

// Label says a letter in words.
func (l Letter) Label() string {
	if l.Figure == "" {
		return "classe " + l.Name + " " + l.Letter
	}
	return "classe " + l.Name + " " + l.Letter + ", " + l.Figure
}

// Scale returns the seven letters.
func (l Letter) Scale() []string { return strings.Split("ABCDEFG", "") }

// facts are the criteria that are published, in their order, with the unit of a number.
var facts = []struct{ key, name, unit string }{
	{"Surface", "Surface habitable", "m²"}, {"SurfaceCarrez", "Surface Carrez", "m²"}, {"SurfaceTerrain", "Terrain", "m²"}, {"NbPieces", "Pièces", ""},
	{"NbChambres", "Chambres", ""}, {"NbSallesBain", "Salles de bain", ""}, {"NbSallesEau", "Salles d’eau", ""}, {"NbWC", "WC", ""}, {"Etage", "Étage", ""},
	{"NbEtages", "Étages de l’immeuble", ""}, {"AnneeConstruction", "Construction", ""}, {"EtatGeneral", "État", ""}, {"Chauffage", "Chauffage", ""},
	{"EnergieChauffage", "Énergie", ""}, {"Exposition", "Exposition", ""}, {"Ascenseur", "Ascenseur", ""}, {"Balcon", "Balcon", ""}, {"Terrasse", "Terrasse", ""},
	{"Jardin", "Jardin", ""}, {"Piscine", "Piscine", ""}, {"Cave", "Cave", ""}, {"Meuble", "Meublé", ""}, {"NbParking", "Stationnements", ""},
	{"NbGarage", "Garages", ""}, {"Equipements", "Équipements", ""}, {"Proximites", "À proximité", ""}, {"DisponibleLe", "Disponible le", ""}, {"TaxeFonciere", "Taxe foncière", "€"},
}

// values are the criteria of a product by their key.
type values map[string]criteria

// Read returns what is published of the JSON of a product.
func Read(body []byte) (Listing, error) {
	var r record
	if err := json.Unmarshal(body, &r); err != nil {
		return Listing{}, fmt.Errorf("the record of a product: %w", err)
	}
	v := values{}
	for _, c := range slices.Concat(r.CriteresText, r.CriteresNumber, r.CriteresFlag) {
		v[c.ID] = c
	}
	l := Listing{
		ID: r.ID, Agency: r.AgencyID, Title: value(r.Title), City: value(r.City), Postal: value(r.PostalCode), Price: value(r.Price), Surface: value(r.Surface),
		Rooms: value(r.RoomsNumber), Added: r.DateAdded, Modified: r.LastModified, Transaction: r.TransactionType, TransactionLabel: v.text("TypeTransaction"), Type: r.PropertyType, TypeLabel: v.text("TypeBien"),
		Energy:  v.letter("ConsoEner", "énergie", v.figure("conso_energ", "kWh/m²/an")),
		Climate: v.letter("GES", "climat", v.figure("valeur_GES", "kg CO₂/m²/an")),
	}
	if l.Title == "" {
		l.Title = strings.TrimSpace(l.TypeLabel + " " + l.City)
	}
	for _, d := range r.Descriptions {
		if d.Language == "fr" {
			l.Texts = append(l.Texts, strings.Split(d.Text, "\n")...)
		}
	}
	for _, p := range r.Photos {
		if p.Visibility == "public" {
			l.Photos = append(l.Photos, photoOf(r.ID, p))
		}
	}
	if r.AssignedTo != nil {
		l.Agent, l.AgentID = strings.TrimSpace(r.AssignedTo.Firstname+" "+r.AssignedTo.Lastname), r.AssignedTo.ID
	}
	for _, f := range facts {
		if said := v.figure(f.key, f.unit); said != "" {
			l.Facts = append(l.Facts, Fact{f.name, said})
		}
	}
	l.PriceNote, l.Law = v.law(l)
	l.Place, l.Lacks = v.place(r.Position), v.lacks(l)
	l.Path = "/annonces/" + slug(l.Title) + "-" + strconv.FormatInt(l.ID, 10)
	return l, nil
}

// place returns where a property may be shown. A masked address has the place of its town, or none. Where the
// server has no positions, that of the surroundings is taken.
func (v values) place(is *position) *Place {
	masked := v.flag("AdresseMasquee")
	if is == nil {
		latitude, longitude, found := strings.Cut(v.code("Alentour"), ",")
		lat, err := strconv.ParseFloat(strings.TrimSpace(latitude), 64)
		lng, err2 := strconv.ParseFloat(strings.TrimSpace(longitude), 64)
		if !found || err != nil || err2 != nil {
			return nil
		}
		is = &position{lat, lng, "alentour"}
	}
	exact := is.Source != "city"
	if masked && exact {
		return nil
	}
	return &Place{is.Latitude, is.Longitude, exact}
}

// law returns what stands beside the price, and the sentences that the law wants in an advertisement.
func (v values) law(l Listing) (note string, law []string) {
	add := func(format string, args ...any) { law = append(law, fmt.Sprintf(format, args...)) }
	rent := strings.HasPrefix(l.Transaction, "Location")
	net, fees := v.number("PrixNetVendeur"), v.number("Honoraires")
	switch v.code("ChargeHonoraires") {
	case "ACQUEREUR", "PARTAGE":
		note = "honoraires inclus"
		if net > 0 && l.Price > net {
			note = fmt.Sprintf("honoraires inclus, %s sans honoraires", Euros(net))
			add("Honoraires à la charge de l’acquéreur : %s %% du prix hors honoraires.", plain(math.Round((l.Price-net)/net*10000)/100))
		}
	case "VENDEUR":
		note = "honoraires à la charge du vendeur"
	}
	if rent {
		note = l.Per()
		if charges := v.number("Charges"); charges > 0 && note != "" {
			note = fmt.Sprintf("par mois, dont %s de charges", Euros(charges))
		}
		if deposit := v.number("DepotGarantie"); deposit > 0 {
			add("Dépôt de garantie : %s.", Euros(deposit))
		}
		if fees > 0 {
			add("Honoraires à la charge du locataire : %s.", Euros(fees))
		}
	}
	if v.flag("Copropriete") {
		sentence := "Bien en copropriété"
		if lots := v.number("NbLotsCopro"); lots > 0 {
			sentence += ", " + plain(lots) + " lots"
		}
		if charges := v.number("ChargesCopro"); charges > 0 {
			sentence += ", charges courantes de " + Euros(charges) + " par an"
		}
		add("%s.", sentence)
		if v.has("ProcedureCopro") {
			add("%s", map[bool]string{true: "Une procédure est en cours contre le syndicat.", false: "Aucune procédure n’est en cours contre le syndicat."}[v.flag("ProcedureCopro")])
		}
	}
	if letter := l.Energy.Letter; letter == "F" || letter == "G" {
		add("Logement à consommation énergétique excessive : classe %s.", letter)
	}
	if l.Energy.Letter == "" && v.has("ConsoEner") {
		add("Diagnostic de performance énergétique : %s.", strings.ToLower(v.text("ConsoEner")))
	}
	if date := v.text("DateDPE"); date != "" {
		add("Date du diagnostic de performance énergétique : %s.", day(date))
	}
	if low, high := v.number("DepensesEnergieMin"), v.number("DepensesEnergieMax"); low > 0 && high > 0 {
		add("Montant estimé des dépenses annuelles d’énergie pour un usage standard : entre %s et %s (prix de %s).", Euros(low), Euros(high), plain(v.number("AnneeRefEnergie")))
	}
	if v.flag("Georisques") {
		add("Les informations sur les risques auxquels ce bien est exposé sont disponibles sur georisques.gouv.fr.")
	}
	return note, law
}

// withoutDPE are the types of property that have no diagnosis of energy.
var withoutDPE = []string{"Terrain", "Parking", "Garage", "Cave", "Peniche", "Divers", "FondsCommerce"}

// lacks returns what the law wants of an advertisement and the record does not have. What is not known to be wanted is not named.
func (v values) lacks(l Listing) (lacks []string) {
	rent, sale := strings.HasPrefix(l.Transaction, "Location"), l.Transaction == "Vente" || l.Transaction == "Viager"
	home := l.Transaction != "CessionFonds" && l.Transaction != "CessionBail" && l.Transaction != "LocationSaisonniere" && !slices.Contains(withoutDPE, l.Type)
	lettered := l.Energy.Letter != ""
	for mention, missing := range map[string]bool{
		"the price":                      l.Price == 0,
		"who bears the fees":             sale && v.number("Honoraires") > 0 && !v.has("ChargeHonoraires"),
		"the deposit of the rent":        l.Transaction == "Location" && !v.has("DepotGarantie"),
		"the letters of the DPE":         home && (rent || sale) && !v.has("ConsoEner"),
		"the yearly costs of energy":     lettered && (!v.has("DepensesEnergieMin") || !v.has("DepensesEnergieMax")),
		"the number of lots":             sale && v.flag("Copropriete") && !v.has("NbLotsCopro"),
		"the charges of the copropriété": sale && v.flag("Copropriete") && !v.has("ChargesCopro"),
		"the sentence about risks":       (rent || sale) && !v.has("Georisques"),
	} {
		if missing {
			lacks = append(lacks, mention)
		}
	}
	return lacks
}

func (v values) has(key string) bool { _, is := v[key]; return is }

func (v values) number(key string) float64 { n, _ := v[key].Value.(float64); return n }

func (v values) flag(key string) bool {
	switch value := v[key].Value.(type) {
	case bool:
		return value
	case float64:
		return value != 0
	}
	return false
}

func (v values) code(key string) string { code, _ := v[key].Value.(string); return code }

// text returns the label of a value, or the value.
func (v values) text(key string) string {
	if label := v[key].Label; label != "" {
		return label
	}
	return v.code(key)
}

// figure returns a value of any type in words; "" where there is none, or it is 0.
func (v values) figure(key, unit string) string {
	if isFlag[key] {
		return map[bool]string{true: "oui"}[v.flag(key)]
	}
	switch value := v[key].Value.(type) {
	case float64:
		switch {
		case value == 0:
			return ""
		case unit == "€":
			return Euros(value)
		}
		if unit != "" {
			return grouped(value) + "\u00a0" + unit
		}
		return plain(value)
	case string, []any:
		if strings.HasPrefix(key, "Disponible") {
			return day(v.text(key))
		}
		return v.text(key)
	}
	return ""
}

// isFlag are the facts that are there or not.
var isFlag = map[string]bool{"Ascenseur": true, "Balcon": true, "Terrasse": true, "Jardin": true, "Piscine": true, "Cave": true, "Meuble": true}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// day writes a date as the French do.
func day(date string) string {
	at, err := time.Parse(time.DateOnly, date[:min(len(date), 10)])
	if err != nil {
		return date
	}
	return at.Format("02/01/2006")
}

var unslugged = regexp.MustCompile(`[^a-z0-9]+`)

// slug returns a title as it stands in addresses.
func slug(title string) string {
	unaccented := strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(title)))
	return strings.Trim(unslugged.ReplaceAllString(unaccented, "-"), "-")
}

// plain writes a number as the French do, without thousands.
func plain(n float64) string {
	return strings.ReplaceAll(strconv.FormatFloat(n, 'f', -1, 64), ".", ",")
}

// grouped writes a number as the French do, with thousands apart.
func grouped(n float64) string {
	whole, part, cut := strings.Cut(plain(n), ",")
	var out strings.Builder
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteRune('\u202f')
		}
		out.WriteRune(d)
	}
	if cut {
		out.WriteString("," + part)
	}
	return out.String()
}

// Euros writes an amount as the French do: thousands apart, cents only where there are some.
func Euros(amount float64) string {
	whole, part := math.Modf(math.Round(amount*100) / 100)
	text := grouped(whole)
	if cents := int(math.Round(part * 100)); cents != 0 {
		text += fmt.Sprintf(",%02d", cents)
	}
	return text + "\u00a0€"
}
