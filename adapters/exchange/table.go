package exchange

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// plainTable is a CSV whose first row has the names of its columns.
var plainTable = format{
	name: Table, noun: "column", unit: "column ", hint: "three known headings at least, one of them reference (others are type, prix, ville; --mapping says what yours mean)", file: "annonces.csv", say: sayableInXML, yes: "oui", no: "non", language: "fr",
	shows: (*format).showsTable, shape: headingsOf, listings: tableListings, writer: newTableWriter,
	fields: slices.Concat(
		named(keyAgency, text, "agence", "agency", "code agence"),
		named(keyReference, text, "reference", "ref", "reference annonce", "listing"),
		named(keyGone, codesOfFlag("oui", ""), "supprime", "retire", "deleted", "withdrawn"), named(keyID, text, "id"), named(keyReference, readOnly, "id"),
		named("TypeBien", text, "type de bien", "type", "bien", "property type"),
		named("TypeTransaction", text, "transaction", "type de transaction", "offre", "type offre", "type d offre", "offer"),
		named("Prix", price, "prix", "prix de vente", "loyer", "price", "rent", "montant"),
		named("Charges", rent, "charges", "charges mensuelles"), named("Honoraires", fees, "honoraires", "fees"),
		named("ChargeHonoraires", text, "charge honoraires"), named("PrixNetVendeur", price, "prix net vendeur"),
		named("DepotGarantie", money, "depot de garantie", "deposit"), named("TaxeFonciere", dues, "taxe fonciere", "property tax"),
		named("Adresse", text, "adresse", "rue", "address", "street"), named("CodePostal", postalCode, "code postal", "cp", "postcode", "postal code", "zip"),
		named("Ville", text, "ville", "commune", "city", "town"), named("Pays", text, "pays", "country"), named("Quartier", text, "quartier", "district"),
		named("AdresseMasquee", yesNo, "adresse masquee", "address hidden"), named(keyLatitude, text, "latitude", "lat"), named(keyLongitude, text, "longitude", "lng", "lon"),
		named("Surface", area, "surface", "surface habitable", "living area", "area"), named("SurfaceCarrez", area, "surface carrez"),
		named("SurfaceTerrain", land, "surface terrain", "terrain", "surface du terrain", "plot", "land area"), named("SurfaceReference", area, "surface de reference"),
		named("NbPieces", number, "pieces", "nombre de pieces", "nb pieces", "rooms"), named("NbChambres", number, "chambres", "nombre de chambres", "nb chambres", "bedrooms"),
		named("NbSallesBain", number, "salles de bains", "salles de bain", "sdb", "bathrooms"), named("NbSallesEau", number, "salles d eau", "shower rooms"), named("NbWC", number, "wc", "toilets"),
		named("Etage", floor, "etage", "floor"), named("NbEtages", number, "etages", "nombre d etages", "floors"),
		named("AnneeConstruction", amount, "annee de construction", "annee", "year built"), named("EtatGeneral", text, "etat", "etat general", "condition"),
		named("Chauffage", text, "chauffage", "heating"), named("EnergieChauffage", text, "energie de chauffage", "energie", "heating energy"),
		named("Exposition", text, "exposition", "orientation"), named("Mitoyennete", text, "mitoyennete"), named("Altitude", number, "altitude"),
		named("Ascenseur", yesNo, "ascenseur", "lift", "elevator"), named("Balcon", yesNo, "balcon", "balcony"), named("Terrasse", yesNo, "terrasse", "terrace"),
		named("Jardin", yesNo, "jardin", "garden"), named("Piscine", yesNo, "piscine", "pool"), named("Cave", yesNo, "cave", "cellar"), named("Gardien", yesNo, "gardien", "caretaker"),
		named("Meuble", yesNo, "meuble", "furnished"), named("NbParking", number, "parkings", "stationnements", "nb parkings", "parking spaces"),
		named("NbGarage", number, "garages", "nb garages"),
		named("Equipements", several, "equipements", "amenities"), named("Proximites", several, "proximites", "nearby"), named("Annexes", several, "annexes", "outbuildings"),
		named("conso_energ", energy, "consommation energetique", "dpe valeur", "energy consumption"), named("ConsoEner", text, "dpe", "classe energie", "energy class"),
		named("valeur_GES", energy, "emissions", "ges valeur"), named("GES", text, "ges", "classe climat", "climate class"), named("DateDPE", day, "date dpe"),
		named("DepensesEnergieMin", dues, "depenses energie min"), named("DepensesEnergieMax", dues, "depenses energie max"), named("AnneeRefEnergie", year, "annee reference energie"),
		named("NumeroMandat", text, "numero de mandat", "mandat", "mandate"), named("TypeMandat", text, "type de mandat"),
		named("DateMandat", day, "date de mandat"), named("DateFinMandat", day, "date fin de mandat"), named("DisponibleLe", day, "disponible le", "disponibilite", "available from"),
		named("Copropriete", yesNo, "copropriete"), named("NbLotsCopro", number, "lots"), named("ChargesCopro", dues, "charges de copropriete"), named("ProcedureCopro", yesNo, "procedure copropriete"),
		named("Georisques", yesNo, "georisques"), named("VisiteVirtuelle", text, "visite virtuelle", "virtual tour"), named("LienVideo", text, "video"),
		named("Remarques", readOnly, "remarques", "remarks"), named("Statut", readOnly, "statut", "status"),
		named(keyTitle+".fr", text, "titre", "intitule", "title", "titre fr", "title fr"), named(keyText+".fr", text, "texte", "description", "descriptif", "annonce", "text", "texte fr", "description fr"),
		languageColumns("en", "de", "es", "it", "nl"),
		named(keyPicture, text, "photos", "images", "pictures", "photo", "image"),
		named(keyCaption, text, "titres des photos", "titres photos", "picture titles", "captions"), numberedPhotos(),
		named(keyCurrency, text, "devise", "currency"), named(keyShared, readOnly, "intercabinet"),
	),
}.made()

// named returns the fields of columns by their headings; the first of them is written. The key is a heading
// as well.
func named(key string, t translation, headings ...string) (all []field) {
	for i, heading := range headings {
		if all = append(all, field{heading, key, t}); i == 0 {
			t = t.unwritten()
		}
	}
	if own := heading(key); !strings.Contains(key, ".") && !slices.Contains(headings, own) {
		all = append(all, field{own, key, t})
	}
	return all
}

func languageColumns(languages ...string) (all []field) {
	for _, l := range languages {
		all = slices.Concat(all, named(keyTitle+"."+l, text, "titre "+l, "title "+l), named(keyText+"."+l, text, "texte "+l, "text "+l, "description "+l))
	}
	return all
}

func numberedPhotos() (all []field) {
	for n := range 40 {
		number := strconv.Itoa(n + 1)
		all = append(all, named(keyPicture+"."+number, readOnly, "photo "+number, "image "+number, "photo"+number, "image"+number, "url photo "+number)...)
		all = append(all, named(keyCaption+"."+number, readOnly, "titre photo "+number, "title photo "+number)...)
	}
	return all
}

// several is a criterion with several values, which are separated by bars, semicolons or commas.
var several = translation{read: func(text string) any {
	var all []any
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("|;,\n", r) }) {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	if all == nil {
		return nil
	}
	return all
}, write: func(v criteria.Value) string { return strings.Join(criteria.Codes(v), " | ") }}

var (
	remark = regexp.MustCompile(`\([^)]*\)`)
	noWord = regexp.MustCompile(`[^a-z0-9]+`)
)

// heading returns the name of a column as headings are compared, without what is in parentheses.
func heading(said string) string {
	return strings.TrimSpace(noWord.ReplaceAllString(criteria.Fold(remark.ReplaceAllString(said, "")), " "))
}

// mapped returns the format with other headings, and what they are: keys of criteria or of fields. An empty
// one says nothing.
func (f *format) mapped(headings map[string]string) (*format, error) {
	with := *f
	with.fields = slices.Clone(f.fields)
	for said, key := range headings {
		name := heading(said)
		t := text
		if n := slices.IndexFunc(f.fields, func(c field) bool { return strings.EqualFold(c.key, key) }); n >= 0 {
			key, t = f.fields[n].key, f.fields[n].translation
		}
		if name == "" {
			return nil, fault.Textf("the heading %q has no letters", said)
		}
		with.fields = slices.DeleteFunc(with.fields, func(c field) bool { return c.at == name })
		with.fields = slices.Insert(with.fields, 0, field{name, key, t.unwritten()})
	}
	return with.made(), nil
}

// ReadHeadings reads what OpenMapped takes: a file in YAML, with what each heading means.
func ReadHeadings(content []byte) (headings map[string]string, err error) {
	if err := yaml.UnmarshalWithOptions(content, &headings, yaml.Strict()); err != nil || len(headings) == 0 {
		return nil, fault.Textf("a mapping has a heading and what it means on each line, as in: Prix de vente: Prix")
	}
	return headings, nil
}

// leastHeadings is how many headings of a table must be known.
const leastHeadings = 3

// tableShape returns the shape of the table that begins with a line; false if it is none.
func (f *format) tableShape(line fields, separator string) (s shape, is bool) {
	s = shape{separator: separator, width: len(line)}
	known, identified := 0, false
	for rank := range line {
		name := heading(line.text(rank + 1))
		s.headings = append(s.headings, name)
		if at := f.places[name]; len(at) > 0 {
			known++
			identified = identified || at[0].base == keyReference || at[0].base == keyID
		}
	}
	s.begins = func(row fields) bool {
		impossible, possible := f.typedIn(s, row)
		return len(impossible) == 0 && possible > 0
	}
	return s, identified && known >= leastHeadings
}

// headingsOf returns the shape of a table, by its headings.
func headingsOf(f *format, r io.Reader) (best shape, err error) {
	found := fileLine{}
	lines := newLineReader(r)
	for line, ok := lines.next(); ok; line, ok = lines.next() {
		if !line.blank() {
			found = line
			break
		}
	}
	most := 0
	for _, separator := range []string{";", ",", "\t", "|"} {
		p := tableParser{separator: separator}
		p.feed(found)
		p.end()
		if s, is := f.tableShape(p.fields, separator); is && len(s.headings) > most {
			best, most = s, len(s.headings)
		}
	}
	return best, lines.Err()
}

// typedIn is fields.typed of a row of a table.
func (f *format) typedIn(s shape, row fields) (impossible []int, possible int) {
	for i, name := range s.headings[:min(len(s.headings), len(row))] {
		at := f.places[name]
		if len(at) == 0 || at[0].knows == nil || row.text(i+1) == "" {
			continue
		}
		if at[0].plausible(row.text(i + 1)) {
			possible++
		} else {
			impossible = append(impossible, i+1)
		}
	}
	return impossible, possible
}

// misfitTable returns why a row of a table cannot have come through whole, if it cannot.
func (f *format) misfitTable(s shape, row fields) string {
	found := fault.Textf("the row has %d columns, and there are %d headings", len(row), s.width)
	switch {
	case len(row) == 1 && s.width > 1, len(row) > s.width && strings.Join(row[s.width:], "") != "":
		return found.String()
	case len(row) >= s.width:
		return ""
	}
	if impossible, _ := f.typedIn(s, row); len(impossible) > 0 {
		rank := impossible[0]
		return fault.Textf("%s: columns are shifted, for %q cannot hold %q", found, s.headings[rank-1], short(row.text(rank))).String()
	}
	return ""
}

// tableListings reads a table, a listing at a time.
func tableListings(f *format, t table, r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		begun := false
		for next, err := range newTableRows(r, t.shape).all() {
			if err != nil {
				yield(transfer.Listing{}, err)
				return
			}
			source := fmt.Sprintf("line %d", next.line)
			isHeadings := slices.Equal(headingsIn(next.fields), t.shape.headings)
			if isHeadings && !begun {
				begun = true
				continue
			}
			none := ""
			switch {
			case next.rest:
				none = fault.Textf("the line is no row, but the rest of one before it").String()
			case isHeadings || strings.Join(next.fields, "") == "":
				none = fault.Textf("the row has headings or nothing, and no listing").String()
			}
			if none != "" {
				if !yield(transfer.Listing{}, Damage{Source: source, Why: none}) {
					return
				}
				continue
			}
			for _, l := range f.tableRow(t.shape, next.row) {
				if l.Source = source; !yield(l, nil) {
					return
				}
			}
		}
	}
}

func headingsIn(row fields) (all []string) {
	for rank := range row {
		all = append(all, heading(row.text(rank+1)))
	}
	return all
}

// tableRow returns the listings of a row: one, but where the end of a line is missing and several are in it.
func (f *format) tableRow(s shape, next row) (all []transfer.Listing) {
	problem := cmp.Or(next.problem, f.misfitTable(s, next.fields))
	for more := next.fields; ; more = more[s.width-1:] {
		l := f.listing(tableRecord(f, s, more[:min(len(more), s.width)]))
		if problem == "" {
			return []transfer.Listing{l}
		}
		all = append(all, transfer.Listing{Reference: l.Reference, Refused: problem})
		if s.width < 2 || len(more) < 2*s.width-1 {
			return all
		}
	}
}

// tableRecord returns a row as a record. A column of pictures may name several.
func tableRecord(f *format, s shape, row fields) (r record) {
	isUTF8 := row.isUTF8()
	for i, content := range row[:min(len(row), len(s.headings))] {
		v := value{at: s.headings[i], shown: s.headings[i], content: decode(content, isUTF8)}
		if at := f.places[v.at]; len(at) > 0 && at[0].key == keyPicture {
			for n, name := range pictureNames(v.content) {
				v.n, v.content = n+1, name
				r = append(r, v)
			}
			continue
		} else if len(at) > 0 && at[0].key == keyCaption {
			for n, title := range strings.Split(v.content, barred) {
				v.n, v.content = n+1, strings.TrimSpace(title)
				r = append(r, v)
			}
			continue
		}
		if v.content != "" {
			r = append(r, v)
		}
	}
	return r
}

// barred stands between the pictures of a column, and between their titles.
const barred = "|"

var manyURLs = regexp.MustCompile(`[\s,;|]+(https?://)`)

// pictureNames returns the URLs or the names of files of a column with several: between bars or on lines, and
// URLs between blanks, commas or semicolons as well.
func pictureNames(said string) (all []string) {
	for name := range strings.FieldsFuncSeq(manyURLs.ReplaceAllString(said, "\n$1"), func(r rune) bool { return r == '|' || r == '\n' }) {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// tableWriter writes a table in UTF-8 with a byte order mark, by which office programs know it.
type tableWriter struct {
	io.Writer
	*format
	begun bool
}

func newTableWriter(f *format, w io.Writer) listingWriter { return &tableWriter{Writer: w, format: f} }

// columns returns the places that are written, each once.
func (w *tableWriter) columns() (all []*place) {
	for _, p := range w.table {
		if p.write != nil {
			all = append(all, p)
		}
	}
	return all
}

func (w *tableWriter) row(cells []string) error {
	for i, cell := range cells {
		if strings.ContainsAny(cell, "\";,|\t\n") || strings.TrimSpace(cell) != cell {
			cells[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
	}
	_, err := io.WriteString(w.Writer, strings.Join(cells, ";")+"\r\n")
	return err
}

func (w *tableWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	var names []string
	for _, p := range w.columns() {
		names = append(names, p.at)
	}
	if _, err := io.WriteString(w.Writer, "\ufeff"); err != nil {
		return err
	}
	return w.row(names)
}

func (w *tableWriter) write(e transfer.Exported) error {
	r := w.record(e)
	if err := w.begin(); err != nil {
		return err
	}
	var cells []string
	for _, p := range w.columns() {
		var all []string
		for _, v := range r {
			if v.at != p.name {
				continue
			}
			if p.key == keyCaption {
				for len(all) < v.n-1 {
					all = append(all, "")
				}
				v.content = strings.NewReplacer(barred, "/", "\n", " ").Replace(v.content)
			}
			all = append(all, v.content)
		}
		cells = append(cells, strings.Join(all, " "+barred+" "))
	}
	return w.row(cells)
}

func (w *tableWriter) end() error { return w.begin() }

// showsTable reports whether a file begins with the headings of a table.
func (f *format) showsTable(first []byte) bool {
	if !utf8.Valid(first) && strings.ContainsRune(string(first), 0) {
		return false
	}
	s, err := headingsOf(f, strings.NewReader(string(first)))
	return err == nil && s.width > 0
}
