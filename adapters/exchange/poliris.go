package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

const (
	separator     = "!#"
	byteOrderMark = "\ufeff"
)

// polirisListings reads the CSV, a listing at a time.
func polirisListings(r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxListing)
		lines.Split(records)
		for n := 1; lines.Scan(); n++ {
			line := strings.TrimSpace(decode(lines.Bytes()))
			if line = strings.TrimPrefix(line, byteOrderMark); line == "" {
				continue
			}
			if !yield(polirisListing(split(line)), nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("a listing has more than %d bytes, or a quote that is not closed", maxListing)
			}
			yield(transfer.Listing{}, err)
		}
	}
}

// records cuts at the ends of lines, but not within quotes, where some software
// leaves them.
func records(data []byte, atEOF bool) (advance int, token []byte, err error) {
	for from := 0; ; {
		end := bytes.IndexByte(data[from:], '\n')
		if end < 0 {
			if atEOF && len(data) > 0 {
				return len(data), data, nil
			}
			return 0, nil, nil
		}
		end += from
		if complete(data[:end]) {
			return end + 1, data[:end], nil
		}
		from = end + 1
	}
}

func complete(record []byte) bool {
	last := record
	if at := bytes.LastIndex(record, []byte(separator)); at >= 0 {
		last = record[at+len(separator):]
	}
	last = bytes.TrimSpace(last)
	return !bytes.HasPrefix(last, []byte(`"`)) || len(last) > 1 && bytes.HasSuffix(last, []byte(`"`))
}

// decode reads a line as UTF-8, or as Windows-1252 if it cannot be that.
func decode(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(line)
	if err != nil {
		return strings.ToValidUTF8(string(line), "\ufffd")
	}
	return string(decoded)
}

// fields are the columns of a line.
type fields []string

// separators also takes the spaces that some software puts around them.
var separators = regexp.MustCompile(`"[ \t]*!#[ \t]*"`)

func split(line string) fields {
	var columns fields
	for _, field := range strings.Split(separators.ReplaceAllString(line, `"!#"`), separator) {
		field = strings.TrimSpace(field)
		if len(field) > 1 && strings.HasPrefix(field, `"`) && strings.HasSuffix(field, `"`) {
			field = strings.TrimSpace(field[1 : len(field)-1])
		}
		columns = append(columns, strings.ReplaceAll(field, `""`, `"`))
	}
	return columns
}

// at is the content of a column, by its rank.
func (f fields) at(rank int) string {
	if rank > len(f) {
		return ""
	}
	return f[rank-1]
}

func polirisListing(f fields) transfer.Listing {
	l := transfer.Listing{Reference: f.at(referenceColumn)}
	known := map[int]bool{agencyColumn: true, referenceColumn: true, technicalColumn: true, precisionColumn: true, versionColumn: true, dpeVersion: true}
	for _, c := range columns {
		known[c.rank] = true
		if content := f.at(c.rank); content != "" {
			l.Criteria = append(l.Criteria, transfer.ListingCriterion{
				Source: fmt.Sprintf("column %d (%s)", c.rank, c.key), Key: c.key, Value: criteria.Raw{V: c.read(content)},
			})
		}
	}
	known[latitudeColumn], known[longitudeColumn] = true, true
	if latitude, longitude := f.at(latitudeColumn), f.at(longitudeColumn); strings.Trim(latitude+longitude, "0.,") != "" {
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{
			Source: "columns 298 and 299 (Alentour)", Key: criteria.KeyPosition,
			Value: criteria.Raw{V: fmt.Sprintf("%s,%s", decimal(latitude), decimal(longitude))},
		})
	}
	describe(&l, "fr", f.at(titleColumn), f.at(textColumn))
	known[titleColumn], known[textColumn] = true, true
	for i := range languages {
		first := languagesColumn + 4*i
		known[first], known[first+2], known[first+3] = true, true, true
		describe(&l, strings.ToLower(f.at(first)), f.at(first+2), f.at(first+3))
	}
	for _, rank := range pictureColumns() {
		known[rank] = true
		if name := f.at(rank); name != "" {
			l.Pictures = append(l.Pictures, transfer.ListingPicture{Name: name})
		}
	}
	for i, content := range f {
		if nothing := content == "" || content == "0" || strings.EqualFold(content, "NON"); !known[i+1] && !nothing {
			l.NotUnderstood = append(l.NotUnderstood, transfer.NotUnderstood{
				Source: "column " + strconv.Itoa(i+1), Value: content, Why: "the column has no criterion",
			})
		}
	}
	return l
}

var lineBreak = regexp.MustCompile(`(?i)<br\s*/?>`)

// describe adds the texts of a language, if there are any.
func describe(l *transfer.Listing, language, title, text string) {
	d := product.DescriptionInput{Language: language}
	for field, content := range map[*opt.Field[string]]string{&d.Title: title, &d.Text: text} {
		if content != "" {
			*field = opt.Of(lineBreak.ReplaceAllString(content, "\n"))
		}
	}
	if language != "" && (d.Title.Set || d.Text.Set) {
		l.Descriptions = append(l.Descriptions, d)
	}
}
