package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// own is the feed of Vitrine itself, which has all criteria of a site by their keys, and so no table. It
// has a listing on each line: damage stays with its line.
var own = format{
	name: JSON, hint: `"vitrine" in its first line, then a listing on each`, file: "annonces.json", say: sayableInXML, listings: ownListings, writer: func(f *format, w io.Writer) listingWriter { return &ownWriter{Writer: w} },
	shows: func(_ *format, first []byte) bool {
		line, _, _ := bytes.Cut(bytes.TrimSpace(first), []byte("\n"))
		return ownHead.Match(line)
	},
}.made()

var ownHead = regexp.MustCompile(`^\{\s*"vitrine"\s*:\s*1\s*,\s*"listings"\s*:\s*\[`)

// ownListing is a listing of the feed.
type ownListing struct {
	ID         product.ID     `json:"id,omitempty"`
	Agency     string         `json:"agency,omitempty"`
	Reference  string         `json:"reference"`
	Modified   string         `json:"modified,omitempty"`
	Currency   string         `json:"currency,omitempty"`
	Criteria   map[string]any `json:"criteria,omitempty"`
	Position   *ownPosition   `json:"position,omitempty"`
	Texts      []ownText      `json:"texts,omitempty"`
	Pictures   []ownPicture   `json:"pictures,omitempty"`
	Intercabin *bool          `json:"intercabinet,omitempty"`
	Gone       bool           `json:"gone,omitempty"`
}

type ownPosition struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type ownText struct {
	Language string `json:"language"`
	Title    string `json:"title,omitempty"`
	Text     string `json:"text,omitempty"`
}

type ownPicture struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// ownProduct returns a product as the feed has it.
func ownProduct(e transfer.Exported) ownListing {
	l := ownListing{
		ID: e.ID, Agency: e.AgencyName(), Reference: sayableInXML(e.Reference), Currency: e.Currency, Criteria: map[string]any{},
		Gone: e.Gone,
	}
	if !e.Modified.IsZero() {
		l.Modified = e.Modified.UTC().Format("2006-01-02T15:04:05Z")
	}
	for key, v := range e.Criteria {
		switch said := criteria.Restate(v).V.(type) {
		case criteria.Literal:
			l.Criteria[key] = json.Number(said)
		case string:
			l.Criteria[key] = sayableInXML(said)
		default:
			l.Criteria[key] = said
		}
	}
	if e.Position != nil {
		l.Position = &ownPosition{e.Position.Latitude, e.Position.Longitude}
	}
	for _, d := range e.Descriptions {
		if t := (ownText{d.Language, sayableInXML(d.Title), sayableInXML(d.Text)}); t.Title+t.Text != "" {
			l.Texts = append(l.Texts, t)
		}
	}
	titles := titlesOf(e)
	for i, url := range e.Pictures {
		picture := ownPicture{URL: url}
		if i < len(titles) {
			picture.Title = sayableInXML(titles[i])
		}
		l.Pictures = append(l.Pictures, picture)
	}
	return l
}

// listing returns what a listing of the feed says beyond a known one.
func (o ownListing) listing(known *ownListing) (l transfer.Listing) {
	l = transfer.Listing{ID: o.ID, Agency: o.Agency, Currency: strings.ToUpper(o.Currency), Gone: o.Gone}
	if known == nil || known.Reference != o.Reference {
		l.Reference = o.Reference
	}
	add := func(key string, v any) {
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: key, Key: key, Value: criteria.Raw{V: v}})
	}
	country, _ := o.Criteria[criteria.KeyCountry].(string)
	for _, key := range slices.Sorted(maps.Keys(o.Criteria)) {
		v := o.Criteria[key]
		if known != nil && reflect.DeepEqual(v, known.Criteria[key]) {
			continue
		}
		switch said := v.(type) {
		case json.Number:
			add(key, said.String())
		case string:
			if said, _ = plainText(said); key == criteria.KeyPostalCode {
				addPostalCode(&l, key, country, said)
			} else {
				add(key, said)
			}
		default:
			add(key, v)
		}
	}
	if o.Position != nil && (known == nil || known.Position == nil || *known.Position != *o.Position) {
		add(criteria.KeyPosition, (criteria.Position{Latitude: o.Position.Latitude, Longitude: o.Position.Longitude}).String())
	}
	for _, t := range o.Texts {
		if known != nil {
			for _, same := range known.Texts {
				if same.Language == t.Language {
					t = ownText{t.Language, beyond(t.Title, same.Title), beyond(t.Text, same.Text)}
				}
			}
		}
		describe(&l, languageOf(t.Language), t.Title, t.Text)
	}
	if o.Intercabin != nil {
		l.Intercabinet = opt.Of(*o.Intercabin)
	}
	if known == nil {
		for i, p := range o.Pictures {
			l.Pictures = append(l.Pictures, transfer.ListingPicture{Name: p.URL, Title: phrase(&l, fmt.Sprintf("title of picture %d", i+1), p.Title)})
		}
		l.Beyond = func(e transfer.Exported) transfer.Listing { same := ownProduct(e); return o.listing(&same) }
	}
	return l
}

func beyond(said, known string) string {
	if said == known {
		return ""
	}
	return said
}

var ownReference = regexp.MustCompile(`"reference"\s*:\s*("(?:[^"\\]|\\.)*")`)

// ownListings reads the feed, a line at a time.
func ownListings(_ *format, _ table, r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		lines, first, ended := newLineReader(r), true, false
		for line, ok := lines.next(); ok; line, ok = lines.next() {
			text := bytes.Trim(line.content, blanks+endOfFile)
			if first {
				text, first = bytes.TrimSpace(ownHead.ReplaceAll(text, nil)), false
			}
			if i := bytes.LastIndex(text, []byte("]}")); i >= 0 && len(bytes.TrimSpace(text[i+2:])) == 0 && !json.Valid(bytes.TrimSuffix(text, []byte(","))) {
				text, ended = bytes.TrimSpace(text[:i]), true
			}
			source := fmt.Sprintf("line %d", line.number)
			text = bytes.TrimSuffix(text, []byte(","))
			if len(text) == 0 {
				continue
			}
			l, names := ownLine(text, line.cut)
			for _, name := range names {
				if !yield(transfer.Listing{Source: source, Reference: name, Refused: l.Refused}, nil) {
					return
				}
			}
			if l.Source = source; len(names) == 0 && !yield(l, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(transfer.Listing{}, err)
		} else if !ended {
			yield(transfer.Listing{}, Damage{Source: "at the end", Why: fault.Textf("the file ends, and its list is not closed").String()})
		}
	}
}

// ownLine returns the listing of a line; where it cannot be read, why, and the references that are in it.
func ownLine(text []byte, cut bool) (l transfer.Listing, names []string) {
	var o ownListing
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&o)
	switch {
	case cut:
		l.Refused = tooLong
	case err != nil:
		l.Refused = fault.Textf("it is no JSON of a listing: %s", err).String()
		if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
			l.Refused = fault.Textf("%s cannot be a JSON %s", wrong.Field, wrong.Value).String()
		}
	case decoder.More():
		l.Refused = fault.Textf("there is more on the line than one listing").String()
	default:
		return o.listing(nil), nil
	}
	for _, found := range ownReference.FindAllSubmatch(text, -1) {
		var name string
		if json.Unmarshal(found[1], &name) == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{""}
	}
	return l, names
}

// ownWriter writes the feed.
type ownWriter struct {
	io.Writer
	count int
}

// write writes what exported returns.
func (w *ownWriter) write(e transfer.Exported) error {
	line, err := json.Marshal(ownProduct(e))
	if err != nil {
		return err
	}
	before := ",\n"
	if w.count == 0 {
		before = "{\"vitrine\":1,\"listings\":[\n"
	}
	w.count++
	_, err = w.Write(append([]byte(before), line...))
	return err
}

func (w *ownWriter) end() error {
	text := "\n]}\n"
	if w.count == 0 {
		text = "{\"vitrine\":1,\"listings\":[\n]}\n"
	}
	_, err := io.WriteString(w.Writer, text)
	return err
}
