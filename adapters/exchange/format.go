package exchange

import (
	"cmp"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Format is a kind of exchange file.
type Format string

// The formats.
const (
	Poliris  Format = "poliris"
	AC3      Format = "ac3"
	OpenImmo Format = "openimmo"
	Kyero    Format = "kyero"
	Table    Format = "table"
	JSON     Format = "json"
)

// formats are all of them, in the order in which they are offered.
var formats = []*format{poliris, ac3, openImmo, kyero, plainTable, own}

// Formats returns those that are read.
func Formats() (all []Format) {
	for _, f := range formats {
		all = append(all, f.name)
	}
	return all
}

// Written returns those that are written as well.
func Written() (all []Format) {
	for _, f := range formats {
		if f.writer != nil {
			all = append(all, f.name)
		}
	}
	return all
}

// unbroken returns a reference without ends of lines: readers take one that is broken for damage.
func unbroken(reference string) string {
	return strings.TrimSpace(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(reference))
}

// formatOf returns the format of a name, nil if there is none.
func formatOf(name Format) *format {
	if n := slices.IndexFunc(formats, func(f *format) bool { return f.name == name }); n >= 0 {
		return formats[n]
	}
	return nil
}

// format is how a kind of file says what there is to say of listings.
type format struct {
	name Format
	// hint is what a file looks like, file what one that is written is called.
	hint, file string
	// fields is the table of what is read and written.
	fields []field
	// noun is what the place of a field is, and unit stands before it in a report.
	noun, unit string
	// yes and no are how flags are written, OUI and NON if empty.
	yes, no string
	// language is that of texts of which the file does not say it.
	language string
	// say returns what is left of a text when it was written and read.
	say func(text string) string
	// same reports whether a file says what is written for a text; nil if that reads as the text itself.
	same func(written, said string) bool
	// feed is how the listings are found in a feed of XML; nil in other files.
	feed *feedShape
	// shows reports whether the beginning of a file that is no XML is of the format, shape returns what
	// there is to know of one before its listings are read.
	shows func(f *format, first []byte) bool
	shape func(f *format, content io.Reader) (shape, error)
	// listings reads a file, a listing at a time.
	listings func(f *format, t table, content io.Reader) iter.Seq2[transfer.Listing, error]
	// writer writes a file; nil where the format is only read.
	writer func(f *format, w io.Writer) listingWriter

	// table has the fields in their order, places has them by what they are compared by.
	table  []*place
	places map[string][]*place
}

// field is a place of a format, and what it says of a listing.
type field struct {
	// at is the rank or the name of a column, or a path of elements, from that of the listing:
	//   a/b        an element in an element
	//   a@b        an attribute
	//   a@b=c/d    an element in one with a value of an attribute
	//   a=b        an element with this content
	//   a+/b       several elements with one each, of several pictures
	//   a/*        the elements in an element, whose names are languages or, of a criterion, values
	at string
	// key is that of a criterion; with a code of a criterion with several values behind a point, the
	// place says whether that is among them. Otherwise it is one of those below.
	key string
	translation
}

// Keys of fields that have no criterion. Behind a point, a title or text has its language, a number which
// of several languages the file has there, or * where the place names it; a picture or caption, its number.
const (
	keyNothing     = "" // what is there says nothing of the listing
	keyReference   = "reference"
	keyAgency      = "agency"
	keyID          = "id"
	keyLatitude    = "latitude"
	keyLongitude   = "longitude"
	keyLanguage    = "language"
	keyTitle       = "title"
	keyText        = "text"
	keyPicture     = "picture"
	keyCaption     = "caption"
	keyShared      = "intercabinet"
	keyCurrency    = "currency"
	keyModified    = "modified"
	keyGone        = "gone"           // the listing is to be taken off
	keyOrientation = "Exposition"     // behind the point, a letter of the compass
	keyHouse       = "Adresse.number" // what is behind the name of the street
)

// orientations are those that are made of letters of the compass. Opposite ones make a flat that has both.
var orientations = []string{"N", "S", "E", "O", "NE", "NO", "SE", "SO"}

const bothWays = "TRAVERSANT"

// place is a field of a format, ready to be used.
type place struct {
	field
	// name is where it is, as names of places are compared.
	name string
	// order is its place in the table: of two for one criterion the earlier is believed.
	order int
	// base and part are the key before and behind its point.
	base, part string
}

// made returns the format with its fields by their places.
func (f format) made() *format {
	f.places = map[string][]*place{}
	for i, c := range f.fields {
		p := &place{field: c, name: placeName(c.at), order: i}
		p.base, p.part, _ = strings.Cut(c.key, ".")
		f.table, f.places[p.name] = append(f.table, p), append(f.places[p.name], p)
	}
	return &f
}

// placeName returns the name of a place as it is compared.
func placeName(at string) string { return strings.ToLower(strings.ReplaceAll(at, "+", "")) }

// says reports whether a file says what is written for a text.
func (f *format) says(written, said string) bool {
	return written == said || f.same != nil && f.same(written, said)
}

// source names a place in a report.
func (f *format) source(at, key string) string {
	at = f.unit + strings.ReplaceAll(at, "+", "")
	if key == keyNothing {
		return at
	}
	return at + " (" + strings.Replace(key, ".", " ", 1) + ")"
}

// value is something that a file says of a listing.
type value struct {
	// at is the place as names of places are compared, shown as the file writes it.
	at, shown string
	// n tells several of one place apart, such as pictures.
	n int
	// language is what the place names instead of *.
	language string
	content  string
	// by is the field that writes it, nil if it was read.
	by *place
}

// record is a listing as its file has it.
type record []value

// find returns the number of the value at a place, -1 if there is none.
func (r record) find(at string, n int, language string) int {
	return slices.IndexFunc(r, func(v value) bool { return v.at == at && v.n == n && v.language == language })
}

// like returns what is at the place where another value is; empty if nothing is.
func (r record) like(v value) string {
	if i := r.find(v.at, v.n, v.language); i >= 0 {
		return r[i].content
	}
	return ""
}

// record returns a product as the format has it.
func (f *format) record(e transfer.Exported) (r record) {
	spoken := f.spoken(e.Descriptions)
	for _, c := range f.table {
		if c.write == nil {
			continue
		}
		put := func(n int, language, content string) {
			v := value{at: c.name, n: n, language: language, content: f.say(content), by: c}
			switch i := r.find(v.at, n, language); {
			case v.content == "":
			case i < 0:
				r = append(r, v)
			default:
				r[i].content = sum(r[i].content, v.content)
			}
		}
		said := func(text string) string { return c.write(criteria.Text(text)) }
		switch c.base {
		case keyNothing:
			put(0, "", said(""))
		case keyGone:
			put(0, "", c.write(criteria.Flag(e.Gone)))
		case keyReference:
			put(0, "", cmp.Or(unbroken(f.say(said(e.Reference))), "?"))
		case keyAgency:
			put(0, "", said(map[string]string{
				"": e.AgencyName(), "name": e.Office.Name, "email": e.Office.Email, "phone": e.Office.Phone,
			}[c.part]))
		case keyCurrency:
			put(0, "", said(e.Currency))
		case keyModified:
			if e.Modified.IsZero() {
				continue
			}
			put(0, "", said(e.Modified.UTC().Format(time.DateOnly)))
		case keyID:
			put(0, "", said(strconv.FormatInt(int64(e.ID), 10)))
		case keyLatitude, keyLongitude:
			if e.Position != nil {
				latitude, longitude, _ := strings.Cut(e.Position.String(), ",")
				put(0, "", map[string]string{keyLatitude: latitude, keyLongitude: longitude}[c.base])
			}
		case keyLanguage, keyTitle, keyText:
			for i, d := range e.Descriptions {
				switch {
				case c.part != spoken[i]:
				case c.base == keyLanguage:
					put(0, "", said(d.Language))
				case c.base == keyTitle:
					put(0, languageAt(c.part, d), said(d.Title))
				default:
					put(0, languageAt(c.part, d), said(d.Text))
				}
			}
		case keyPicture:
			for i, url := range e.Pictures {
				switch c.part {
				case "number":
					put(i+1, "", strconv.Itoa(i+1))
				case "", strconv.Itoa(i + 1):
					put(i+1, "", said(url))
				}
			}
		case keyCaption:
			for i, title := range titlesOf(e) {
				if c.part == "" || c.part == strconv.Itoa(i+1) {
					put(i+1, "", said(title))
				}
			}
		case keyShared:
		default:
			put(0, "", f.written(c, e.Criteria))
		}
	}
	return r
}

// titlesOf returns the titles of the pictures that the file has.
func titlesOf(e transfer.Exported) []string { return e.Titles[:min(len(e.Titles), len(e.Pictures))] }

func languageAt(part string, d product.Description) string {
	if part == "*" {
		return d.Language
	}
	return ""
}

// written returns what a place says of a criterion.
func (f *format) written(c *place, values criteria.Values) string {
	given, is := values[c.base]
	if !is || c.when != nil && !c.when(values) {
		return ""
	}
	said := ""
	switch {
	case c.base == keyOrientation && c.part != "":
		if code := values.Code(keyOrientation); slices.Contains(orientations, code) && strings.Contains(code, c.part) {
			said = "OUI"
		}
	case c.part != "":
		if slices.Contains(criteria.Codes(given), c.part) {
			said = "OUI"
		}
	default:
		said = c.write(given)
	}
	switch {
	case c.flag && said == "OUI":
		return cmp.Or(f.yes, said)
	case c.flag && said == "NON":
		return cmp.Or(f.no, said)
	}
	return said
}

// spoken returns which part of title and text each description is: its language if the format has a place
// for it, else the next of those that may have any, else *; empty is none.
func (f *format) spoken(all []product.Description) []string {
	has := func(part string) bool {
		return slices.ContainsFunc(f.fields, func(c field) bool { return c.key == keyText+"."+part || c.key == keyTitle+"."+part })
	}
	parts, next := make([]string, len(all)), 0
	for i, d := range all {
		switch number := strconv.Itoa(next); {
		case d.Title+d.Text == "":
		case has(d.Language):
			parts[i] = d.Language
		case has(number):
			parts[i] = number
			next++
		case has("*"):
			parts[i] = "*"
		}
	}
	return parts
}

// sum adds up the parts of a column that holds several; what is no number stays as it is.
func sum(before, part string) string {
	a, errA := strconv.Atoi(before)
	b, errB := strconv.Atoi(part)
	if errA != nil || errB != nil {
		return before
	}
	return strconv.Itoa(a + b)
}

// FieldTable returns where each format has each field: a row with the names of the formats that have a table,
// then one for each field with its key and its first place in each. A format without a place cannot say it.
func FieldTable() (rows [][]string) {
	head, keys, places := []string{""}, []string{}, map[string]map[Format]string{}
	for _, f := range formats {
		if len(f.fields) == 0 {
			continue
		}
		head = append(head, string(f.name))
		for _, c := range f.fields {
			name := numberedKey.ReplaceAllString(c.key, "")
			if name == keyNothing || strings.HasPrefix(c.key, keyAgency+".") {
				continue
			}
			if places[name] == nil {
				keys, places[name] = append(keys, name), map[Format]string{}
			}
			places[name][f.name] = cmp.Or(places[name][f.name], strings.ReplaceAll(c.at, "+", ""))
		}
	}
	slices.Sort(keys)
	rows = append(rows, head)
	for _, key := range keys {
		row := []string{key}
		for _, name := range head[1:] {
			row = append(row, places[key][Format(name)])
		}
		rows = append(rows, row)
	}
	return rows
}

// numberedKey is what stands behind a key for one of several pictures or languages.
var numberedKey = regexp.MustCompile(`\.(\d+|\*|[a-z]{2}|number)$`)
