package exchange

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// tags are the elements of a BIEN, at any depth, that have a criterion.
var tags = map[string]struct {
	key string
	translation
}{
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
	"TAXE_FONCIERE":          {"TaxeFonciere", dues},
	"CHARGE_HONORAIRES":      {"ChargeHonoraires", text},
	"PRIX_NET":               {"PrixNetVendeur", price},
	"TYPE_MANDAT":            {"TypeMandat", text},
	"VISITE_VIRTUELLE":       {"VisiteVirtuelle", text},
	"DATE_DPE":               {"DateDPE", date},
	"CHARGE_ENERGIE_MIN":     {"DepensesEnergieMin", dues},
	"CHARGE_ENERGIE_MAX":     {"DepensesEnergieMax", dues},
	"ANNEE_REF_PRIX_ENERGIE": {"AnneeRefEnergie", year},
	"CHARGES_ANNUELLES":      {"ChargesCopro", dues},
}

// groups are the elements directly within a BIEN that give a criterion a value by being
// there.
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

// references are the elements that identify a listing, the best first.
var references = []string{"REFERENCE", "AFF_NUM", "AFF_ID"}

// languageCodes are the codes of languages by other names in INTITULE and COMMENTAIRES.
var languageCodes = map[string]string{"us": "en", "uk": "en", "gb": "en"}

// element is an element of a listing with those in it.
type element struct {
	XMLName  xml.Name
	Content  string
	Children []element
	// inner is the source between its tags.
	inner []byte
}

// maxDepth is how deep elements of a listing may be within each other.
const maxDepth = 100

// readElement reads the element that the source begins with.
func readElement(decoder *xml.Decoder, source []byte) (element, error) {
	type begun struct {
		element
		text strings.Builder
		from int64
	}
	var open []*begun
	for {
		token, err := decoder.Token()
		if err != nil {
			return element{}, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == maxDepth {
				return element{}, fmt.Errorf("more than %d elements are within each other", maxDepth)
			}
			open = append(open, &begun{element: element{XMLName: token.Name}, from: decoder.InputOffset()})
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text.Write(token)
			}
		case xml.EndElement:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			end := int64(bytes.LastIndexByte(source[:decoder.InputOffset()], '<'))
			last.Content, last.inner = last.text.String(), source[last.from:max(last.from, end)]
			if len(open) == 0 {
				return last.element, nil
			}
			around := open[len(open)-1]
			around.Children = append(around.Children, last.element)
		}
	}
}

// markup returns what is between the tags of an element that holds a text.
func (e element) markup() string {
	if len(e.Children) == 0 {
		return strings.TrimSpace(e.Content)
	}
	return strings.TrimSpace(string(verbatims.ReplaceAllFunc(e.inner, func(section []byte) []byte {
		return section[len(verbatim) : len(section)-len(verbatimEnds)]
	})))
}

// ac3Listings reads the XML feed, a BIEN at a time.
func ac3Listings(r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		content, err := inUTF8(r)
		in := feed{unreadable: err}
		if err != nil && !yield(transfer.Listing{}, Damage{Source: "line 1", Why: err.Error()}) {
			return
		}
		for p, err := range parts(content) {
			if err != nil {
				yield(transfer.Listing{}, err)
				return
			}
			found, damage := in.read(p)
			for _, l := range found {
				if !yield(l, nil) {
					return
				}
			}
			if damage != "" && !yield(transfer.Listing{}, Damage{Source: p.source(), Why: damage}) {
				return
			}
		}
	}
}

// feed is the state of reading a feed, between one part of it and the next.
type feed struct {
	// unreadable is why nothing of it can be read.
	unreadable error
	// open are the elements around the listings, root the first there was.
	open []string
	root string
	// broken: the last listing is refused; unclosed: nothing has ended it.
	broken, unclosed bool
}

// read returns the listings of a part, or says what is damaged where there are none.
func (f *feed) read(p *part) (found []transfer.Listing, damage string) {
	if p.outside() {
		if shown := comments.ReplaceAll(p.content, nil); general.Match(shown) {
			found = refused(p, "it is in no BIEN", namesIn(shown)...)
		}
		return found, f.around(p)
	}
	remains := f.broken && !p.started || f.unclosed && p.started
	bien, problem := f.bien(p)
	names := bien.names()
	if problem != "" {
		names = namesIn(p.content)
	}
	if !p.started {
		f.around(p)
	}
	cut := !p.ended && !f.endsIn(p)
	switch {
	case remains && (!cut && len(names) == 0 || f.closesMore(p.content)),
		!cut && !holdsText(p.content),
		(!p.started || !p.ended && !p.last) && len(names) == 0:
		if problem == "" {
			problem = "nothing in it says which listing it is"
		}
		if len(names) > 0 {
			problem = fmt.Sprintf("%q: %s", strings.Join(names, ", "), problem)
		}
		f.unclosed = false
		return nil, problem
	case problem == "" && len(names) < 2:
		f.broken, f.unclosed = false, false
		l := ac3Listing(bien)
		l.Source = p.source()
		return []transfer.Listing{l}, ""
	case problem == "":
		problem = "it holds several listings"
	case len(names) == 0:
		names = []string{""}
	}
	f.broken, f.unclosed = true, !p.ended
	return refused(p, problem, names...), ""
}

// refused returns the listings of a part that cannot be read, by their references.
func refused(p *part, why string, names ...string) (all []transfer.Listing) {
	for _, name := range names {
		all = append(all, transfer.Listing{Source: p.source(), Reference: name, Refused: why})
	}
	return all
}

// bien reads a part that is a BIEN, or says why it cannot be read.
func (f *feed) bien(p *part) (bien element, problem string) {
	switch {
	case f.unreadable != nil:
		return bien, f.unreadable.Error()
	case !p.started:
		return bien, "there is an end of a BIEN, and no beginning"
	case p.cut:
		return bien, tooLong
	}
	decoder := xml.NewDecoder(bytes.NewReader(p.content))
	bien, err := readElement(decoder, p.content)
	switch {
	case err == nil:
		return bien, ""
	case !p.ended && p.last:
		return bien, "the file ends before the listing does"
	case !p.ended:
		return bien, "it is not closed before the next one begins"
	}
	return bien, p.explained(decoder, messageOf(err))
}

// around reads the tags around the listings, and returns what is wrong with them. After
// damage it goes on with the elements that were open before, or with the first one if that
// is where the feed begins.
func (f *feed) around(p *part) (problem string) {
	before := max(len(f.open), 1)
	content := p.content
	if p.last {
		content = bytes.TrimRight(content, endOfFile+"\x00\r\n"+blanks)
	}
	decoder := xml.NewDecoder(bytes.NewReader(content))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	wrong := func(why string) {
		if why != "" && problem == "" {
			problem = p.explained(decoder, why)
		}
	}
	for {
		token, err := decoder.RawToken()
		switch token := token.(type) {
		case xml.StartElement:
			f.open = append(f.open, nameOf(token.Name))
			f.root = cmp.Or(f.root, f.open[0])
		case xml.EndElement:
			wrong(f.close(nameOf(token.Name)))
		}
		if err == nil {
			continue
		}
		broken := !errors.Is(err, io.EOF)
		switch {
		case broken:
			wrong(messageOf(err))
		case p.last && len(f.open) > 0:
			wrong(fmt.Sprintf("the file ends, and <%s> is not closed", f.open[len(f.open)-1]))
		}
		if broken || p.ended {
			f.open = f.open[:min(len(f.open), before)]
		}
		return problem
	}
}

// explained returns a problem with its line.
func (p *part) explained(decoder *xml.Decoder, why string) string {
	line, _ := decoder.InputPos()
	return fmt.Sprintf("line %d: %s", p.line+line-1, why)
}

func messageOf(err error) string {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return syntax.Msg
	}
	return strings.TrimPrefix(err.Error(), "xml: ")
}

func nameOf(name xml.Name) string { return strings.TrimPrefix(name.Space+":"+name.Local, ":") }

// close closes an element around the listings, and returns what is wrong with that.
func (f *feed) close(name string) (problem string) {
	last := len(f.open) - 1
	for i, open := range slices.Backward(f.open) {
		if open != name {
			continue
		}
		if i < last {
			problem = fmt.Sprintf("</%s> closes <%s>", name, f.open[last])
		}
		f.open = f.open[:i]
		return problem
	}
	return fmt.Sprintf("</%s> closes nothing", name)
}

var (
	comments  = regexp.MustCompile(`(?s)<!--.*?-->`)
	verbatims = regexp.MustCompile(`(?s)<!\[CDATA\[.*?\]\]>`)
	anyTag    = regexp.MustCompile(`<(/?)([\w.:-]+)[^<>]*?(/?)>`)
	visible   = regexp.MustCompile(`(?:^|>)[^<>]*[^<>\s][^<>]*`)
	general   = regexp.MustCompile(`(?i)<(?:[\w.-]+:)?INFO_GENERALES\b`)
	reference = regexp.MustCompile(`(?i)<(?:[\w.-]+:)?(` + strings.Join(references, "|") + `)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?([^<\]]+)`)
)

// closesMore reports whether a piece of a listing closes an element that is opened neither
// in it nor around the listings: then it is not the whole listing.
func (f *feed) closesMore(content []byte) bool {
	within := feed{open: slices.Clone(f.open)}
	for _, found := range anyTag.FindAllSubmatch(verbatims.ReplaceAll(comments.ReplaceAll(content, nil), nil), -1) {
		name := string(found[2])
		switch closes, empty := len(found[1]) > 0, len(found[3]) > 0; {
		case tagOf(found[0]) != other || empty:
		case !closes:
			within.open = append(within.open, name)
		case !slices.Contains(within.open, name):
			return true
		default:
			within.close(name)
		}
	}
	return false
}

// endsIn reports whether a part has the end of the feed.
func (f *feed) endsIn(p *part) bool {
	return f.root != "" && bytes.Contains(p.content, []byte("</"+f.root))
}

// holdsText reports whether there is anything but tags.
func holdsText(content []byte) bool {
	return bytes.Contains(content, []byte(verbatim)) || visible.Match(content)
}

// names returns the references of a BIEN. It has several if the tags between two listings
// are lost.
func (e element) names() []string {
	direct, within := namesOf{}, namesOf{}
	for _, child := range e.Children {
		direct.add(child)
		if strings.EqualFold(child.XMLName.Local, "INFO_GENERALES") {
			for _, grandchild := range child.Children {
				within.add(grandchild)
			}
		}
	}
	if all := within.best(); len(all) >= len(direct.best()) {
		return all
	}
	return direct.best()
}

// namesIn returns the references of a BIEN that cannot be read.
func namesIn(content []byte) []string {
	all := namesOf{}
	for _, block := range general.Split(string(content), -1) {
		met := map[string]bool{}
		for _, found := range reference.FindAllStringSubmatch(block, -1) {
			if tag := strings.ToUpper(found[1]); !met[tag] {
				met[tag] = true
				name := html.UnescapeString(decode(found[2], utf8.ValidString(found[2])))
				all.add(element{XMLName: xml.Name{Local: tag}, Content: name})
			}
		}
	}
	return all.best()
}

// namesOf are references by their tag.
type namesOf map[string][]string

func (n namesOf) add(e element) {
	tag, name := strings.ToUpper(e.XMLName.Local), strings.TrimSpace(e.Content)
	if name != "" && !slices.Contains(n[tag], name) {
		n[tag] = append(n[tag], name)
	}
}

// best returns the references of the best tag.
func (n namesOf) best() []string {
	for _, tag := range references {
		if len(n[tag]) > 0 {
			return n[tag]
		}
	}
	return nil
}

func ac3Listing(bien element) transfer.Listing {
	b := biens{references: map[string]string{}, texts: map[string][2]string{}}
	for _, child := range bien.Children {
		b.element(child, "BIEN")
	}
	for _, tag := range references {
		b.listing.Reference = cmp.Or(b.listing.Reference, b.references[tag])
	}
	if b.postalCode != "" {
		addPostalCode(&b.listing, sourceOf("CODE_POSTAL", criteria.KeyPostalCode), b.country, b.postalCode)
	}
	for _, language := range slices.Sorted(maps.Keys(b.texts)) {
		describe(&b.listing, language, b.texts[language][0], b.texts[language][1])
	}
	return b.listing
}

// biens makes a listing of the elements of a BIEN.
type biens struct {
	listing    transfer.Listing
	references map[string]string
	// texts are title and text by language.
	texts map[string][2]string
	// postalCode is read when the country is known.
	postalCode, country string
}

// ignored are elements that mean nothing outside the software that wrote them.
var ignored = []string{"AGENCE", "DATE_CREATION", "DATE_MAJ", "DATE_MODIF"}

// agencyNames are the elements of an AGENCE that tell it apart, the best first.
var agencyNames = []string{"CODE", "CODE_AGENCE", "ID", "ID_AGENCE", "NUMERO", "REFERENCE", "NOM"}

// agencyOf returns what an AGENCE is called.
func agencyOf(e element) string {
	for _, name := range agencyNames {
		for _, child := range e.Children {
			if said := strings.TrimSpace(child.Content); said != "" && strings.EqualFold(child.XMLName.Local, name) {
				return said
			}
		}
	}
	return strings.TrimSpace(e.Content)
}

func (b *biens) element(e element, parent string) {
	tag, content := strings.ToUpper(e.XMLName.Local), strings.TrimSpace(e.Content)
	if group, known := groups[tag]; known && parent == "BIEN" && len(e.Children) > 0 {
		b.criterion(tag, group[0], group[1])
	}
	if tag == "AGENCE" && parent == "BIEN" {
		b.listing.Agency = agencyOf(e)
	}
	if slices.Contains(ignored, tag) {
		return
	}
	language, isText := strings.CutPrefix(tag, "TEXTE_")
	switch {
	case parent == "INTITULE":
		b.text(tag, 0, e.markup())
		return
	case parent == "COMMENTAIRES":
		b.text(tag, 1, e.markup())
		return
	case isText:
		b.text(language, 1, e.markup())
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
	case parent == "IMAGES":
		b.listing.Pictures = append(b.listing.Pictures, transfer.ListingPicture{Name: content})
	case tag == "CODE_POSTAL":
		b.postalCode = content
	case found:
		if tag == "PAYS" {
			b.country = content
		}
		b.criterion(tag, known.key, known.read(withoutMarkup(&b.listing, sourceOf(tag, known.key), content)))
	case content != "0":
		b.listing.NotUnderstood = append(b.listing.NotUnderstood, transfer.NotUnderstood{
			Source: parent + "/" + tag, Value: content, Why: "the element has no criterion",
		})
	}
}

func sourceOf(tag, key string) string { return tag + " (" + key + ")" }

func (b *biens) criterion(tag, key string, value any) {
	b.listing.Criteria = append(b.listing.Criteria, transfer.ListingCriterion{
		Source: sourceOf(tag, key), Key: key, Value: criteria.Raw{V: value},
	})
}

func (b *biens) text(language string, part int, content string) {
	language = strings.ToLower(language)
	language = cmp.Or(languageCodes[language], language)
	if content == "" {
		return
	}
	both := b.texts[language]
	both[part] = content
	b.texts[language] = both
}
