package exchange

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

// tags are the elements of a BIEN that have a criterion, wherever in it they
// are.
var tags = map[string]struct {
	key string
	translation
}{
	"CODE_POSTAL":            {"CodePostal", text},
	"VILLE":                  {"Ville", text},
	"ADRESSE":                {"Adresse", text},
	"QUARTIER":               {"Quartier", text},
	"PAYS":                   {"Pays", text},
	"PRIX":                   {"Prix", price},
	"LOYER":                  {"Prix", price},
	"SURFACE":                {"Surface", area},
	"SURFACE_HABITABLE":      {"Surface", area},
	"SURFACE_CARREZ":         {"SurfaceCarrez", area},
	"SURFACE_TERRAIN":        {"SurfaceTerrain", land},
	"NB_PIECES":              {"NbPieces", number},
	"NBRE_PIECES":            {"NbPieces", number},
	"NBRE_CHAMBRES":          {"NbChambres", number},
	"NBRE_SALLE_BAIN":        {"NbSallesBain", number},
	"NBRE_SALLE_EAU":         {"NbSallesEau", number},
	"NBRE_WC":                {"NbWC", number},
	"NUM_ETAGE":              {"Etage", floor},
	"NBRE_PARKING":           {"NbParking", number},
	"ANNEE_CONSTRUCTION":     {"AnneeConstruction", amount},
	"ETAT_GENERAL":           {"EtatGeneral", text},
	"CHAUFFAGE":              {"Chauffage", text},
	"MODE_CHAUFFAGE":         {"EnergieChauffage", text},
	"EXPOSITION_SEJOUR":      {"Exposition", text},
	"MITOYENNETE":            {"Mitoyennete", text},
	"MEUBLE":                 {"Meuble", yesNo},
	"JARDIN":                 {"Jardin", yesNo},
	"TAXE_FONCIERE":          {"TaxeFonciere", money},
	"CHARGE_HONORAIRES":      {"ChargeHonoraires", text},
	"PRIX_NET":               {"PrixNetVendeur", price},
	"TYPE_MANDAT":            {"TypeMandat", text},
	"VISITE_VIRTUELLE":       {"VisiteVirtuelle", text},
	"DATE_DPE":               {"DateDPE", date},
	"CHARGE_ENERGIE_MIN":     {"DepensesEnergieMin", money},
	"CHARGE_ENERGIE_MAX":     {"DepensesEnergieMax", money},
	"ANNEE_REF_PRIX_ENERGIE": {"AnneeRefEnergie", year},
	"CHARGES_ANNUELLES":      {"ChargesCopro", money},
}

// groups are the elements directly within a BIEN whose presence says something.
var groups = map[string][2]string{
	"VENTE":          {"TypeTransaction", "Vente"},
	"LOCATION":       {"TypeTransaction", "Location"},
	"PROGRAMME_NEUF": {"TypeTransaction", "VenteNeuf"},
	"APPARTEMENT":    {"TypeBien", "Appartement"},
	"MAISON":         {"TypeBien", "Maison"},
	"DEMEURE":        {"TypeBien", "Maison"},
	"TERRAIN":        {"TypeBien", "Terrain"},
	"IMMEUBLE":       {"TypeBien", "Immeuble"},
	"PARKING":        {"TypeBien", "Parking"},
}

// references are the elements a listing may be known by, the best first.
var references = []string{"REFERENCE", "AFF_NUM", "AFF_ID"}

// languageCodes are the codes of languages that INTITULE and COMMENTAIRES name
// differently.
var languageCodes = map[string]string{"us": "en", "uk": "en", "gb": "en"}

// element is an element of a listing, with all that is in it.
type element struct {
	XMLName  xml.Name
	Content  string    `xml:",chardata"`
	Children []element `xml:",any"`
}

// ac3Listings reads the XML feed, a BIEN at a time.
func ac3Listings(r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		bounded := &meter{r: unmarked(r)}
		decoder := xml.NewDecoder(bounded)
		decoder.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
			if strings.HasPrefix(strings.ToLower(label), "utf-16") {
				return input, nil // the byte order mark has said so already
			}
			charset, err := htmlindex.Get(label)
			if err != nil {
				return nil, fmt.Errorf("the encoding %q is not known", label)
			}
			return charset.NewDecoder().Reader(input), nil
		}
		for {
			bounded.left = maxListing
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if start, ok := token.(xml.StartElement); err == nil && ok && start.Name.Local == "BIEN" {
				line, _ := decoder.InputPos()
				var bien element
				if err = decoder.DecodeElement(&bien, &start); err == nil {
					l := ac3Listing(bien)
					l.Source = fmt.Sprintf("line %d", line)
					if !yield(l, nil) {
						return
					}
				}
			}
			if err != nil {
				yield(transfer.Listing{}, err)
				return
			}
		}
	}
}

// meter stops reading a file that has more in one listing than may be held in
// memory.
type meter struct {
	r    io.Reader
	left int
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, fmt.Errorf("a listing has more than %d bytes", maxListing)
	}
	n, err := m.r.Read(p)
	m.left -= n
	return n, err
}

func ac3Listing(bien element) transfer.Listing {
	b := biens{references: map[string]string{}, texts: map[string][2]string{}}
	for _, child := range bien.Children {
		b.element(child, "BIEN")
	}
	for _, tag := range references {
		if b.listing.Reference == "" {
			b.listing.Reference = b.references[tag]
		}
	}
	for _, language := range slices.Sorted(maps.Keys(b.texts)) {
		describe(&b.listing, language, b.texts[language][0], b.texts[language][1])
	}
	return b.listing
}

// biens gathers what the elements of a BIEN say.
type biens struct {
	listing    transfer.Listing
	references map[string]string
	// texts are title and text by language.
	texts map[string][2]string
}

// ignored are elements without meaning elsewhere.
var ignored = []string{"AGENCE", "DATE_CREATION", "DATE_MAJ", "DATE_MODIF"}

func (b *biens) element(e element, parent string) {
	tag, content := strings.ToUpper(e.XMLName.Local), strings.TrimSpace(e.Content)
	if group, known := groups[tag]; known && parent == "BIEN" && len(e.Children) > 0 {
		b.criterion(tag, group[0], group[1])
	}
	if slices.Contains(ignored, tag) {
		return
	}
	for _, child := range e.Children {
		b.element(child, tag)
	}
	if content == "" || len(e.Children) > 0 {
		return
	}
	known, found := tags[tag]
	switch {
	case slices.Contains(references, tag):
		b.references[tag] = content
	case parent == "INTITULE":
		b.text(tag, 0, content)
	case parent == "COMMENTAIRES":
		b.text(tag, 1, content)
	case strings.HasPrefix(tag, "TEXTE_"):
		b.text(strings.TrimPrefix(tag, "TEXTE_"), 1, content)
	case parent == "IMAGES":
		b.listing.Pictures = append(b.listing.Pictures, transfer.ListingPicture{Name: content})
	case found:
		b.criterion(tag, known.key, known.read(content))
	case content != "0":
		b.listing.NotUnderstood = append(b.listing.NotUnderstood, transfer.NotUnderstood{
			Source: parent + "/" + tag, Value: content, Why: "the element has no criterion",
		})
	}
}

func (b *biens) criterion(tag, key string, value any) {
	b.listing.Criteria = append(b.listing.Criteria, transfer.ListingCriterion{
		Source: tag + " (" + key + ")", Key: key, Value: criteria.Raw{V: value},
	})
}

func (b *biens) text(language string, part int, content string) {
	language = strings.ToLower(language)
	if code, other := languageCodes[language]; other {
		language = code
	}
	both := b.texts[language]
	both[part] = content
	b.texts[language] = both
}
