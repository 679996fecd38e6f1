package exchange

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// listing returns what a record says. A format that is written says, too, what it says beyond a product.
func (f *format) listing(r record) transfer.Listing {
	l := f.reading(r, nil).all()
	if f.writer != nil {
		l.Beyond = func(e transfer.Exported) transfer.Listing { return f.reading(r, f.record(e)).all() }
	}
	return l
}

// reading reads a record, but for what is known already: what an export would write at the same places.
type reading struct {
	*format
	known record
	found []hit
	l     transfer.Listing
	// country and languages are read before the others.
	country   string
	languages map[string]string
	// done has the keys of which the first of several fields was read.
	done     map[string]bool
	position [2]hit
	// letters are those of the compass, lettersAt the first place of one.
	letters, lettersAt string
}

// hit is a value at the place of a field.
type hit struct {
	*place
	value
}

func (f *format) reading(r, known record) *reading {
	read := &reading{format: f, known: known, languages: map[string]string{}, done: map[string]bool{}}
	for _, v := range r {
		if v.content == "" {
			continue
		}
		at := f.places[v.at]
		for _, p := range at {
			read.found = append(read.found, hit{p, v})
		}
		if len(at) == 0 {
			read.rest(v)
		}
	}
	slices.SortStableFunc(read.found, func(a, b hit) int { return a.order - b.order })
	street := slices.IndexFunc(read.found, func(h hit) bool { return h.key == criteria.KeyAddress })
	for _, h := range read.found {
		switch {
		case h.key == keyHouse && street >= 0:
			read.found[street].content += " " + h.content
		case h.base == keyLanguage:
			read.languages[h.part] = languageOf(h.content)
		case h.base == criteria.KeyCountry && read.country == "":
			read.country = h.content
		}
	}
	return read
}

// rest notes what has no field, unless it says nothing.
func (r *reading) rest(v value) {
	switch strings.ToLower(v.content) {
	case "0", "non", "false":
		return
	}
	why := fault.Textf("the column has no criterion")
	if r.noun == "element" {
		why = fault.Textf("the element has no criterion")
	}
	r.l.NotUnderstood = append(r.l.NotUnderstood, transfer.NotUnderstood{Source: r.source(v.shown, keyNothing), Value: v.content, Why: why.String()})
}

// unchanged reports whether a value is what is known, as far as it can be said.
func (r *reading) unchanged(h hit) bool {
	return r.known != nil && r.says(r.known.like(h.value), h.content)
}

// first reports whether this is the first field of a key, and the others need not be read.
func (r *reading) first(key string) bool {
	is := !r.done[key]
	r.done[key] = true
	return is
}

func (r *reading) all() transfer.Listing {
	for _, h := range r.found {
		switch h.base {
		case keyNothing, keyLanguage, keyTitle, keyText, keyPicture, keyCaption:
		case keyReference:
			if h.read != nil && r.first(h.base) && !r.unchanged(h) {
				r.l.Reference = h.content
			}
		case keyAgency:
			if h.read != nil && r.first(h.base) {
				r.l.Agency = h.content
			}
		case keyModified:
		case keyCurrency:
			r.l.Currency = strings.ToUpper(h.content)
		case keyGone:
			r.l.Gone = h.read(h.content) == true
		case keyID:
			if id, err := strconv.ParseInt(h.content, 10, 64); err == nil {
				r.l.ID = product.ID(id)
			}
		case keyLatitude:
			r.position[0] = h
		case keyLongitude:
			r.position[1] = h
		case keyShared:
			if shared, said := flagOf(h.content); said {
				r.l.Intercabinet = opt.Of(shared)
			}
		default:
			r.criterion(h)
		}
	}
	r.orientation()
	r.placed()
	r.descriptions()
	if r.known == nil {
		r.pictures()
	}
	return r.l
}

func (r *reading) add(source, key, code string, v any) {
	r.l.Criteria = append(r.l.Criteria, transfer.ListingCriterion{Source: source, Key: key, Code: code, Value: criteria.Raw{V: v}})
}

func (r *reading) criterion(h hit) {
	source := r.source(h.at(), h.key)
	switch {
	case h.read == nil || r.done[h.base] || h.key == keyHouse:
	case h.base == keyOrientation && h.part != "":
		if yes, _ := flagOf(h.content); yes {
			r.letters, r.lettersAt = r.letters+h.part, cmp.Or(r.lettersAt, h.at())
		}
	case h.part != "":
		if !r.unchanged(h) {
			r.add(source, h.base, h.part, yesNo.read(h.content))
		}
	default:
		value := h.read(withoutMarkup(&r.l, source, h.content))
		known := ""
		if r.known != nil {
			known = r.known.like(h.value)
		}
		switch said, isText := value.(string); {
		case value == nil:
		case known != "" && (r.says(known, h.content) || reflect.DeepEqual(value, h.read(known))):
			r.done[h.base] = true
		case isText && h.base == criteria.KeyPostalCode:
			addPostalCode(&r.l, source, r.country, said)
		default:
			r.add(source, h.base, "", value)
		}
	}
}

// at returns the place as the table has it.
func (h hit) at() string { return h.place.at }

// orientation adds the one that the letters of the compass make.
func (r *reading) orientation() {
	code := whole(r.letters)
	known := ""
	for _, v := range r.known {
		if v.by.base == keyOrientation && v.by.part != "" {
			known += v.by.part
		}
	}
	if code == "" || r.known != nil && code == whole(known) {
		return
	}
	r.add(r.source(r.lettersAt, keyOrientation), keyOrientation, "", code)
}

// whole returns the orientation that letters of the compass make; empty when there are none.
func whole(letters string) string {
	if letters == "" || slices.Contains(orientations, letters) {
		return letters
	}
	return bothWays
}

func (r *reading) placed() {
	latitude, longitude := r.position[0], r.position[1]
	if latitude.place == nil || longitude.place == nil || strings.Trim(latitude.content+longitude.content, "0.,") == "" ||
		r.unchanged(latitude) && r.unchanged(longitude) {
		return
	}
	point := func(text string) string { return strings.ReplaceAll(text, ",", ".") }
	r.add(r.source(latitude.at(), criteria.KeyPosition), criteria.KeyPosition, "", point(latitude.content)+","+point(longitude.content))
}

// languageCodes are the codes of languages by other names.
var languageCodes = map[string]string{"us": "en", "uk": "en", "gb": "en"}

// languageOf returns the code of a language that a file names, such as de-DE.
func languageOf(said string) string {
	code := strings.ToLower(strings.TrimSpace(said))
	if n := strings.IndexAny(code, "-_"); n > 0 {
		code = code[:n]
	}
	if known, is := languageCodes[code]; is {
		return known
	}
	return code
}

// texts returns titles and texts by their languages, and the languages in their order. Several texts of one
// language are its paragraphs.
func (r *reading) texts() (all map[string][2]string, order []string) {
	all = map[string][2]string{}
	for _, h := range r.found {
		if h.base != keyTitle && h.base != keyText {
			continue
		}
		language := h.part
		switch {
		case language == "*":
			language = cmp.Or(languageOf(h.language), r.languages["0"])
		case language == "" || language[0] <= '9':
			language = r.languages[h.part]
		}
		if language == "" {
			language = r.language
		}
		both, known := all[language]
		if !known {
			order = append(order, language)
		}
		switch {
		case h.base == keyTitle && both[0] == "":
			both[0] = h.content
		case h.base == keyText && both[1] != "":
			both[1] += "\n\n" + h.content
		case h.base == keyText:
			both[1] = h.content
		}
		all[language] = both
	}
	return all, order
}

func (r *reading) descriptions() {
	known := map[string][2]string{}
	if r.known != nil {
		known, _ = r.reading(r.known, nil).texts()
	}
	all, order := r.texts()
	for _, language := range order {
		said, same := all[language], known[language]
		for i := range said {
			if r.says(same[i], said[i]) {
				said[i] = ""
			}
		}
		describe(&r.l, language, said[0], said[1])
	}
}

func (r *reading) pictures() {
	captions := map[int]string{}
	for _, h := range r.found {
		if h.base == keyCaption {
			captions[h.numbered()] = h.content
		}
	}
	for _, h := range r.found {
		if h.base == keyPicture && h.read != nil {
			n := h.numbered()
			r.l.Pictures = append(r.l.Pictures, transfer.ListingPicture{
				Name: h.content, Title: phrase(&r.l, fmt.Sprintf("title of picture %d", n), captions[n]),
			})
		}
	}
}

// numbered returns which of the pictures a value is about.
func (h hit) numbered() int {
	if n, err := strconv.Atoi(h.part); err == nil {
		return n
	}
	return h.n
}
