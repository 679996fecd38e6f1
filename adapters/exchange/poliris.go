package exchange

import (
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// polirisListings reads the CSV, a listing at a time.
func polirisListings(r io.Reader, of shape) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for next, err := range rows(r, of) {
			if err != nil {
				yield(transfer.Listing{}, err)
				return
			}
			if why := noListing(next.fields); why != "" && next.problem == "" {
				if !yield(transfer.Listing{}, Damage{Source: fmt.Sprintf("line %d", next.line), Why: why}) {
					return
				}
				continue
			}
			for _, l := range listingsOf(next, of.width) {
				if !yield(l, nil) {
					return
				}
			}
		}
	}
}

// listingsOf returns the listings of a row: one, but where the end of a line is missing
// and several rows are in it, all of which are refused.
func listingsOf(next row, width int) []transfer.Listing {
	source := fmt.Sprintf("line %d", next.line)
	problem := next.problem
	if problem == "" {
		problem = misfit(next.fields, width)
	}
	if problem == "" {
		l := polirisListing(next.fields)
		l.Source = source
		return []transfer.Listing{l}
	}
	all := []transfer.Listing{{Source: source, Reference: next.fields.reference(), Refused: problem}}
	// The last column of one row and the first of the next are one.
	for more := next.fields; glued(more, width); {
		more = more[width-1:]
		all = append(all, transfer.Listing{Source: source, Reference: more.reference(), Refused: problem})
	}
	return all
}

func glued(f fields, width int) bool {
	return width > 1 && len(f) >= 2*width-1 && f.at(width-1+transactionColumn) != "" && offers.knows(f.text(width-1+transactionColumn))
}

var formatVersion = regexp.MustCompile(`^[vV]?\d{1,2}\.\d`)

// versionShifted reports whether the version of the format is not in its column, but
// beside it.
func versionShifted(f fields) bool {
	return !formatVersion.MatchString(f.at(versionColumn)) && (formatVersion.MatchString(f.at(versionColumn-1)) || formatVersion.MatchString(f.at(versionColumn+1)))
}

// misfit returns why a row cannot have come through whole, if it cannot. A row may have
// fewer columns than others, or more, as long as each of them holds what belongs
// there: one separator more or less, and the price would be taken for a surface.
func misfit(f fields, width int) string {
	switch {
	case strings.Contains(f.at(referenceColumn), "\n"):
		return "the reference has the end of a line in it"
	case len(f) > maxColumns:
		return fmt.Sprintf("the row has %d columns, and the format 334 at most", len(f))
	case versionShifted(f):
		return fmt.Sprintf("the version of the format is not in column %d but beside it: columns are shifted", versionColumn)
	case width == 0 || len(f) == width:
		return ""
	}
	found := fmt.Sprintf("the row has %d columns, and most of the file %d", len(f), width)
	switch {
	case glued(f, width):
		return found + ": it holds several listings"
	case width >= versionColumn && len(f) < versionColumn:
		return found + ": it breaks off"
	case width >= versionColumn && !formatVersion.MatchString(f.at(versionColumn)):
		return found + fmt.Sprintf(": there is no version in column %d, so columns before it are shifted", versionColumn)
	}
	if impossible, _ := f.typed(); len(impossible) > 0 {
		rank := impossible[0]
		return found + fmt.Sprintf(": columns are shifted, for column %d cannot hold %q", rank, short(f.text(rank)))
	}
	return ""
}

// typed returns which of the columns that hold a number, a day or a word of a list hold something else,
// and how many hold what they should.
func (f fields) typed() (impossible []int, possible int) {
	for _, c := range typedColumns {
		switch {
		case f.text(c.rank) == "":
		case c.plausible(f.text(c.rank)):
			possible++
		default:
			impossible = append(impossible, c.rank)
		}
	}
	return impossible, possible
}

// typedColumns are those that cannot hold any text.
var typedColumns = func() (typed []column) {
	for _, c := range columns {
		if c.knows != nil {
			typed = append(typed, c)
		}
	}
	for _, rank := range flagColumns() {
		typed = append(typed, column{rank: rank, translation: yesNo})
	}
	return typed
}()

const (
	// leastTyped is of how many columns a row must hold nothing possible to be no listing, and
	// leastRanked how many columns a row of ranks has.
	leastTyped  = 3
	leastRanked = 3
)

// noListing returns why a row is none at all, if it is none: its columns hold their headings or their ranks.
func noListing(f fields) string {
	if f.ranks() {
		return "the row holds the ranks of its columns, and no listing"
	}
	impossible, possible := f.typed()
	if len(impossible) < leastTyped || possible > 0 {
		return ""
	}
	rank := impossible[0]
	return fmt.Sprintf("the row is no listing: none of its columns can hold what is in it, such as %q in column %d", short(f.text(rank)), rank)
}

var lastNumber = regexp.MustCompile(`\d+$`)

// ranks reports whether each column holds its rank, from 0 or from 1.
func (f fields) ranks() bool {
	found := map[int]int{}
	given := 0
	for i, content := range f {
		if content = strings.TrimSpace(content); content == "" {
			continue
		}
		given++
		if n, err := strconv.Atoi(lastNumber.FindString(content)); err == nil {
			found[n-i]++
		}
	}
	return given >= leastRanked && (found[0] == given || found[1] == given)
}

// short is as much of a text as is repeated in a message.
func short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// flagColumns returns the columns that say OUI or NON for a part of a criterion.
func flagColumns() []int {
	var ranks []int
	for _, m := range members {
		ranks = append(ranks, m.rank)
	}
	for _, d := range directions {
		ranks = append(ranks, d.rank)
	}
	return ranks
}

// text returns the content of a column, decoded.
func (f fields) text(rank int) string { return decode(f.at(rank), f.isUTF8()) }

func (f fields) reference() string { return f.text(referenceColumn) }

// isUTF8 reports whether the row is in UTF-8. Some files have rows of two kinds.
func (f fields) isUTF8() bool {
	return !slices.ContainsFunc(f, func(content string) bool { return !utf8.ValidString(content) })
}

func polirisListing(f fields) transfer.Listing {
	l := rowReading{f: f, isUTF8: f.isUTF8()}.listing()
	l.Beyond = func(e transfer.Exported) transfer.Listing {
		return rowReading{f: f, isUTF8: f.isUTF8(), known: exportedRow(e)}.listing()
	}
	return l
}

// rowReading reads a row, but for what is known already: what an export would
// write into the same columns.
type rowReading struct {
	f      fields
	isUTF8 bool
	known  fields
}

// text returns what a column says.
func (r rowReading) text(rank int) string { return decode(r.f.at(rank), r.isUTF8) }

// unchanged reports whether a column says what is known, as far as it can be said.
func (r rowReading) unchanged(rank int) bool {
	return r.known != nil && r.f.at(rank) == r.known.at(rank)
}

func (r rowReading) listing() transfer.Listing {
	var l transfer.Listing
	if !r.unchanged(referenceColumn) {
		l.Reference = r.text(referenceColumn)
	}
	l.Agency = r.text(agencyColumn)
	if id, err := strconv.ParseInt(r.f.at(technicalColumn), 10, 64); err == nil {
		l.ID = product.ID(id)
	}
	r.criteria(&l)
	r.members(&l)
	r.orientation(&l)
	r.position(&l)
	r.descriptions(&l)
	for i, rank := range pictureColumns() {
		if name := r.text(rank); name != "" && r.known == nil {
			picture := transfer.ListingPicture{Name: name}
			if i < pictureTitles {
				picture.Title = phrase(&l, fmt.Sprintf("title of picture %d", i+1), r.text(firstPictureTitle+i))
			}
			l.Pictures = append(l.Pictures, picture)
		}
	}
	if shared, said := flagOf(r.text(intercabinetColumn)); said {
		l.Intercabinet = opt.Of(shared)
	}
	r.rest(&l)
	return l
}

func (r rowReading) criteria(l *transfer.Listing) {
	written := map[string]bool{}
	for _, c := range columns {
		content := r.text(c.rank)
		if content == "" || written[c.key] {
			continue
		}
		source := fmt.Sprintf("column %d (%s)", c.rank, c.key)
		value := c.read(withoutMarkup(l, source, content))
		if value == nil {
			continue
		}
		if r.unchanged(c.rank) || r.known != nil && r.known.at(c.rank) != "" && value == c.read(r.known.text(c.rank)) {
			written[c.key] = true
			continue
		}
		if said, isText := value.(string); isText && c.key == criteria.KeyPostalCode {
			addPostalCode(l, source, r.text(countryColumn), said)
			continue
		}
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: source, Key: c.key, Value: criteria.Raw{V: value}})
	}
}

func (r rowReading) members(l *transfer.Listing) {
	for _, m := range members {
		content := r.text(m.rank)
		if content == "" || r.unchanged(m.rank) {
			continue
		}
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{
			Source: fmt.Sprintf("column %d (%s %s)", m.rank, m.key, m.code), Key: m.key, Code: m.code, Value: criteria.Raw{V: yesNo.read(content)},
		})
	}
}

func (r rowReading) orientation(l *transfer.Listing) {
	code := orientationOf(r.f)
	if code == "" || r.known != nil && code == orientationOf(r.known) {
		return
	}
	l.Criteria = append(l.Criteria, transfer.ListingCriterion{
		Source: "columns 35 to 38 (" + keyOrientation + ")", Key: keyOrientation, Value: criteria.Raw{V: code},
	})
}

// orientationOf returns the code for what the columns of directions say; empty when they
// say nothing.
func orientationOf(f fields) string {
	var letters string
	for _, d := range directions {
		if yes, _ := flagOf(f.text(d.rank)); yes {
			letters += string(d.letter)
		}
	}
	if letters == "" || slices.Contains(orientations, letters) {
		return letters
	}
	return bothWays
}

func (r rowReading) position(l *transfer.Listing) {
	latitude, longitude := r.text(latitudeColumn), r.text(longitudeColumn)
	if strings.Trim(latitude+longitude, "0.,") == "" || r.unchanged(latitudeColumn) && r.unchanged(longitudeColumn) {
		return
	}
	point := func(text string) string { return strings.ReplaceAll(text, ",", ".") }
	l.Criteria = append(l.Criteria, transfer.ListingCriterion{
		Source: "columns 298 and 299 (Alentour)", Key: criteria.KeyPosition,
		Value: criteria.Raw{V: point(latitude) + "," + point(longitude)},
	})
}

// texts are where a row has the texts of a language.
type texts struct {
	language    string
	title, text int
}

// textColumns returns where the row has texts, by their languages.
func (f fields) textColumns() []texts {
	all := []texts{{"fr", titleColumn, textColumn}}
	for i := range languages {
		first := languagesColumn + 4*i
		all = append(all, texts{strings.ToLower(f.text(first)), first + 2, first + 3})
	}
	return all
}

func (r rowReading) descriptions(l *transfer.Listing) {
	known := map[string]texts{}
	for _, t := range r.known.textColumns() {
		known[t.language] = t
	}
	for _, t := range r.f.textColumns() {
		beyond := func(rank, same int) string {
			if r.known != nil && same > 0 && r.f.at(rank) == r.known.at(same) {
				return ""
			}
			return r.text(rank)
		}
		describe(l, t.language, beyond(t.title, known[t.language].title), beyond(t.text, known[t.language].text))
	}
}

// silent are columns that are read, or say nothing about a product.
var silent = func() map[int]bool {
	ranks := map[int]bool{
		agencyColumn: true, referenceColumn: true, titleColumn: true, textColumn: true, technicalColumn: true,
		latitudeColumn: true, longitudeColumn: true, precisionColumn: true, versionColumn: true, dpeVersion: true, intercabinetColumn: true,
	}
	for i := range pictureTitles {
		ranks[firstPictureTitle+i] = true
	}
	for _, c := range columns {
		ranks[c.rank] = true
	}
	for i := range languages {
		first := languagesColumn + 4*i
		ranks[first], ranks[first+2], ranks[first+3] = true, true, true
	}
	for _, rank := range slices.Concat(pictureColumns(), flagColumns()) {
		ranks[rank] = true
	}
	return ranks
}()

// rest notes the columns that have no criterion.
func (r rowReading) rest(l *transfer.Listing) {
	for i := range r.f {
		content := r.text(i + 1)
		if nothing := content == "" || content == "0" || strings.EqualFold(content, "NON"); !silent[i+1] && !nothing {
			l.NotUnderstood = append(l.NotUnderstood, transfer.NotUnderstood{
				Source: "column " + strconv.Itoa(i+1), Value: content, Why: "the column has no criterion",
			})
		}
	}
}
