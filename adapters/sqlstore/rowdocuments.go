package sqlstore

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/product"
)

// Documents of packed rows are written in one form, that of encoding/json, and are read in this
// form without it. Whatever has another is left to encoding/json.

// unpackDescriptions reads descriptions, with their texts or without.
func unpackDescriptions(text string, texts bool, to *product.Row) error {
	read, ok := unpackDocuments(text, to.Described[:0], func(p *parser, d *product.Description) bool {
		return p.member(`{"Language":`, true, &d.Language) && p.member(`,"Title":`, true, &d.Title) &&
			p.member(`,"Text":`, texts, &d.Text) && p.member(`,"ShortText":`, texts, &d.ShortText) && p.skip('}')
	})
	if to.Described = read; !ok {
		return unpackList(&to.Descriptions, text)
	}
	to.Descriptions = read
	return nil
}

// unpackPictures reads pictures.
func unpackPictures(text string, to *product.Row) error {
	read, ok := unpackDocuments(text, to.Pictured[:0], func(p *parser, q *product.Picture) bool {
		return wholeMember(p, `{"ID":`, &q.ID) && p.member(`,"Visibility":`, true, (*string)(&q.Visibility)) && p.member(`,"Label":`, true, &q.Label) &&
			wholeMember(p, `,"Width":`, &q.Width) && wholeMember(p, `,"Height":`, &q.Height) && wholeMember(p, `,"Size":`, &q.Size) &&
			p.member(`,"ContentType":`, true, &q.ContentType) && p.member(`,"SHA256":`, true, &q.SHA256) && p.member(`,"Sent":`, true, &q.Sent) &&
			p.moment(`,"Added":`, &q.Added) && p.skip('}')
	})
	if to.Pictured = read; !ok {
		return unpackList(&to.Pictures, text)
	}
	to.Pictures = read
	return nil
}

// unpackPlace reads what a geocoder has said.
func unpackPlace(text string, to *product.Row) error {
	p, g := parser{s: text}, product.Geocoded{}
	if p.member(`{"For":{"Street":`, true, &g.For.Street) && p.member(`,"PostalCode":`, true, &g.For.PostalCode) &&
		p.member(`,"City":`, true, &g.For.City) && p.member(`,"Country":`, true, &g.For.Country) &&
		p.real(`},"Place":{"Latitude":`, &g.Place.Latitude) && p.real(`,"Longitude":`, &g.Place.Longitude) &&
		p.member(`,"Source":`, true, (*string)(&g.Place.Source)) && p.real(`,"Score":`, &g.Place.Score) &&
		p.member(`,"Commune":`, true, &g.Place.Commune) && p.skipWord("}}") && p.i == len(text) {
		to.Geocoded = g
		return nil
	}
	return json.Unmarshal([]byte(text), &to.Geocoded)
}

// unpackDocuments appends what a list has in it, each read by one. It is false where the list is
// empty, or has another form.
func unpackDocuments[T any](text string, read []T, one func(*parser, *T) bool) ([]T, bool) {
	p := parser{s: text}
	for opening := "["; p.skipWord(opening); opening = "," {
		var none T
		read = append(read, none)
		if !one(&p, &read[len(read)-1]) {
			return read, false
		}
		if p.skip(']') {
			return read, p.i == len(text)
		}
	}
	return read, false
}

// member reads a text behind what comes before it, and keeps it where it is wanted.
func (p *parser) member(opening string, wanted bool, to *string) bool {
	if !p.skipWord(opening) {
		return false
	}
	raw, plain, err := p.text()
	if err == nil && wanted {
		*to, err = unescape(raw, plain)
	}
	return err == nil
}

// wholeMember reads a whole number behind what comes before it.
func wholeMember[T ~int | ~int64](p *parser, opening string, to *T) bool {
	if !p.skipWord(opening) {
		return false
	}
	start := p.i
	p.skip('-')
	for p.i < len(p.s) && isDigit(p.s[p.i]) {
		p.i++
	}
	n, err := strconv.ParseInt(p.s[start:p.i], 10, 64)
	*to = T(n)
	return err == nil
}

// real reads a number behind what comes before it.
func (p *parser) real(opening string, to *float64) (ok bool) {
	if !p.skipWord(opening) {
		return false
	}
	var err error
	*to, err = p.number()
	return err == nil
}

// moment reads an instant behind what comes before it.
func (p *parser) moment(opening string, to *time.Time) bool {
	var text string
	if !p.member(opening, true, &text) {
		return false
	}
	var err error
	*to, err = time.Parse(time.RFC3339Nano, text)
	return err == nil
}
