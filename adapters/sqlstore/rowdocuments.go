package sqlstore

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Documents of packed rows are written in one form, that of encoding/json, and are read in this
// form without it. Whatever has another is left to encoding/json.

// unpackDescriptions reads descriptions, with their texts or without.
func unpackDescriptions(text string, texts bool, to *product.Row) error {
	p := parser{s: text}
	to.Described = to.Described[:0]
	for p.entry(len(to.Described)) {
		var d product.Description
		if !p.member(`{"Language":`, true, &d.Language) || !p.member(`,"Title":`, true, &d.Title) ||
			!p.member(`,"Text":`, texts, &d.Text) || !p.member(`,"ShortText":`, texts, &d.ShortText) || !p.skip('}') {
			return unpackList(&to.Descriptions, text)
		}
		to.Described = append(to.Described, d)
	}
	if !p.ends(len(to.Described)) {
		return unpackList(&to.Descriptions, text)
	}
	to.Descriptions = to.Described
	return nil
}

// unpackPictures reads pictures.
func unpackPictures(text string, to *product.Row) error {
	p := parser{s: text}
	to.Pictured = to.Pictured[:0]
	for p.entry(len(to.Pictured)) {
		var q product.Picture
		if !wholeMember(&p, `{"ID":`, &q.ID) || !p.member(`,"Visibility":`, true, (*string)(&q.Visibility)) || !p.member(`,"Label":`, true, &q.Label) ||
			!wholeMember(&p, `,"Width":`, &q.Width) || !wholeMember(&p, `,"Height":`, &q.Height) || !wholeMember(&p, `,"Size":`, &q.Size) ||
			!p.member(`,"ContentType":`, true, &q.ContentType) || !p.member(`,"SHA256":`, true, &q.SHA256) || !p.member(`,"Sent":`, true, &q.Sent) ||
			!p.moment(`,"Added":`, &q.Added) || !p.skip('}') {
			return unpackList(&to.Pictures, text)
		}
		to.Pictured = append(to.Pictured, q)
	}
	if !p.ends(len(to.Pictured)) {
		return unpackList(&to.Pictures, text)
	}
	to.Pictures = to.Pictured
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

// entry reads what is before an entry of a list that has so many before it.
func (p *parser) entry(before int) bool {
	if before == 0 {
		return p.skip('[')
	}
	return p.skip(',')
}

// ends reads the end of a list of so many entries, and of the text. It is false where the list
// is empty, or has another form.
func (p *parser) ends(entries int) bool {
	return entries > 0 && p.skip(']') && p.i == len(p.s)
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
