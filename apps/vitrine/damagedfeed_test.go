package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"
)

// feedKind is how a format of feeds writes listings.
type feedKind struct {
	name, begins, listing, ends string
	// row is a listing, with its number; reference is the element that has its reference.
	row       func(w *written, n int) string
	reference string
}

var (
	inAC3 = feedKind{"ac3", "<LISTEPA>", "BIEN", "</LISTEPA>", func(w *written, n int) string {
		return fmt.Sprintf("<BIEN>\n<INFO_GENERALES><AFF_ID>%d%[1]d</AFF_ID><AFF_NUM>%s</AFF_NUM></INFO_GENERALES><VENTE><PRIX>%s</PRIX></VENTE>\n"+
			"<LOCALISATION><CODE_POSTAL>54000</CODE_POSTAL><VILLE>%s</VILLE></LOCALISATION><MAISON><NBRE_PIECES>4</NBRE_PIECES></MAISON>"+
			"<INTITULE><FR>Maison</FR></INTITULE><COMMENTAIRES><FR><![CDATA[%s]]></FR></COMMENTAIRES></BIEN>", n, w.reference, w.price, w.city, w.text)
	}, "AFF_NUM"}
	inOpenImmo = feedKind{"openimmo", "<openimmo><uebertragung/><anbieter><anbieternr>7</anbieternr>", "immobilie", "</anbieter></openimmo>", func(w *written, n int) string {
		return fmt.Sprintf("<immobilie>\n<objektkategorie><vermarktungsart KAUF=\"true\"></vermarktungsart><objektart><haus></haus></objektart></objektkategorie>"+
			"<geo><plz>54000</plz><ort>%s</ort></geo><preise><kaufpreis>%s</kaufpreis></preise>\n<freitexte><objekttitel>Maison</objekttitel><objektbeschreibung><![CDATA[%s]]></objektbeschreibung></freitexte>"+
			"<verwaltung_techn><objektnr_intern>%d%[4]d</objektnr_intern><objektnr_extern>%s</objektnr_extern><sprache>fr</sprache></verwaltung_techn></immobilie>",
			w.city, w.price, w.text, n, w.reference)
	}, "objektnr_extern"}
	inKyero = feedKind{"kyero", "<root><kyero><feed_version>3</feed_version></kyero>", "property", "</root>", func(w *written, n int) string {
		return fmt.Sprintf("<property>\n<id>%d%[1]d</id><ref>%s</ref><price>%s</price><currency>EUR</currency><price_freq>sale</price_freq><type>House</type>\n"+
			"<town>%s</town><postcode>54000</postcode><surface_area><built>100</built></surface_area><title><fr>Maison</fr></title><desc><fr><![CDATA[%s]]></fr></desc></property>",
			n, w.reference, w.price, w.city, w.text)
	}, "ref"}
)

// draw makes a listing of a feed. Texts that quote the tags of listings are left out of those that are
// damaged: such a one may be, byte by byte, two listings.
func (k feedKind) draw(t *rapid.T, n int, quoting bool) *written {
	words := []string{"Vue sur le lac. ", `dit "Le Clos" `, "\n", "déjà ", "250 000 € ", "<b>", "&nbsp;", "a--b ", " -->", "]] ", "!#", "fin"}
	if quoting {
		words = append(words, k.begin(), k.end(), k.end()+" "+k.begin(), "<!-- ", "<REFERENCE>x</REFERENCE>")
	}
	w := &written{
		reference: fmt.Sprintf("D-%05d-%[1]d", n), price: fmt.Sprint(100_000 + n), city: "Nancy",
		text: "Début " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "text"), "") + "!",
	}
	w.row = k.row(w, n)
	return w
}

func (k feedKind) begin() string { return "<" + k.listing + ">" }
func (k feedKind) end() string   { return "</" + k.listing + ">" }

var feedTags = regexp.MustCompile(`</?\w+>|<!\[CDATA\[|]]>`)

// damage does something to a listing, in one place.
func (k feedKind) damage(t *rapid.T, w *written) {
	w.damaged = true
	at := func(from, to int) int { return rapid.IntRange(from, to).Draw(t, "where") }
	put := func(i, j int, by string) { w.row = w.row[:i] + by + w.row[j:] }
	tags := feedTags.FindAllStringIndex(w.row, -1)
	tag := func(label string) []int { return rapid.SampledFrom(tags).Draw(t, label) }
	known := strings.Index(w.row, "</"+k.reference+">")
	switch rapid.SampledFrom([]string{
		"a tag less", "a tag more", "a tag elsewhere", "its end", "its beginning", "a byte", "a byte less", "an entity", "markup", "odd bytes",
	}).Draw(t, "damage") {
	case "a tag less":
		gone := tag("tag")
		put(gone[0], gone[1], "")
	case "a tag more":
		twice := tag("tag")
		put(twice[0], twice[0], w.row[twice[0]:twice[1]])
	case "a tag elsewhere":
		copied, i := tag("tag"), at(len(k.begin()), len(w.row))
		put(i, i, w.row[copied[0]:copied[1]])
	case "its end":
		put(at(known+len("</"+k.reference+">"), len(w.row)-1), len(w.row), "")
	case "its beginning":
		put(0, at(1, strings.Index(w.row, "<"+k.reference+">")), "")
	case "a byte":
		i := at(0, len(w.row)-1)
		put(i, i+1, string([]byte{rapid.Byte().Draw(t, "byte")}))
	case "a byte less":
		i := at(0, len(w.row)-1)
		put(i, i+1, "")
	case "an entity":
		i := at(len(k.begin()), len(w.row))
		put(i, i, rapid.SampledFrom([]string{"&", "& ", "&eacute;", "&#0;", "&amp", "&#x110000;"}).Draw(t, "what"))
	case "markup":
		// Within it: behind it, an end of a comment would be that of one with whole listings in it.
		i := at(len(k.begin()), len(w.row)-1)
		put(i, i, rapid.SampledFrom([]string{"<", ">", "<!--", "-->", "--", "<!", "<?", "<?xml version=\"1.0\"?>", "\"", k.ends, k.begins, "<" + k.listing + "/>", "/"}).Draw(t, "what"))
	case "odd bytes":
		i := at(1, len(w.row)-1)
		put(i, i, rapid.SampledFrom([]string{"\x00", "\x1a", "\xff\xfe", "\xc3", "\u2028", "\ufeff", "\x0b"}).Draw(t, "what"))
	}
}

// drawFeed makes a feed whose references begin at n.
func (k feedKind) drawFeed(t *rapid.T, n int) damagedFile {
	count := rapid.IntRange(3, 9).Draw(t, "listings")
	// Two damaged neighbours may be, byte by byte, what one damaged listing is.
	damaged := rapid.SliceOfNDistinct(rapid.IntRange(0, (count-1)/2), 0, 3, rapid.ID[int]).Draw(t, "damaged")
	f := damagedFile{name: "feed.xml", whole: func(all []*written) string { return k.feedOf(all, make([]string, len(all)+1)) }}
	breaksOff := rapid.Bool().Draw(t, "it breaks off")
	between := make([]string, count+1)
	for i := range count {
		hurt := i%2 == 0 && slices.Contains(damaged, i/2)
		w := k.draw(t, n+i, !hurt && (!breaksOff || i < count-1))
		if hurt {
			k.damage(t, w)
		}
		f.listings = append(f.listings, w)
		between[i] = rapid.SampledFrom([]string{"", "", "\n", "<!-- a -->", "<AGENCE><NOM>X</NOM></AGENCE>", "&", "<", "<X>", "</X>", "<!-- ", "]]>", k.ends, "\x00"}).Draw(t, "between")
		if hurt || i > 0 && f.listings[i-1].damaged {
			between[i] = "\n" // which of two neighbours is damaged cannot always be told
		}
	}
	content := k.feedOf(f.listings, between)
	last := f.listings[count-1]
	if cut := strings.Index(content, last.row); !last.damaged && breaksOff {
		length := rapid.IntRange(cut+len(k.begin()), len(content)-1).Draw(t, "length")
		content, last.damaged = content[:length], length < cut+len(last.row)
	}
	next := strings.Index(content, last.row)
	if i := count - 2; next > 0 && !last.damaged && !f.listings[i].damaged && !f.listings[i-1].damaged && rapid.Bool().Draw(t, "tags between two are lost") {
		from := next - len(between[i+1]) - len(k.end())
		content = content[:from] + content[next+len(k.begin()):]
		f.listings[i].damaged, last.damaged = true, true
	}
	f.content = declaredIn(t, content)
	return f
}

// feedOf is a feed with something before each listing, and behind the last.
func (k feedKind) feedOf(all []*written, between []string) string {
	content := k.begins
	for i, w := range all {
		content += between[i] + w.row
	}
	return content + between[len(all)] + k.ends
}

// declaredIn is a feed in an encoding that it declares, or that it shows.
func declaredIn(t *rapid.T, content string) []byte {
	if rapid.Bool().Draw(t, "declared") {
		if encoded, err := charmap.Windows1252.NewEncoder().String(`<?xml version="1.0" encoding="ISO-8859-1"?>` + content); err == nil {
			return []byte(encoded)
		}
	}
	encoded := inEncoding(t, content)
	if !strings.Contains(string(encoded), content) && !strings.HasPrefix(string(encoded), "\xff\xfe") {
		return []byte(content) // Windows-1252, which nothing says
	}
	return encoded
}

func TestEveryListingOfADamagedFeedIsStoredOrRefused(t *testing.T) {
	for _, k := range []feedKind{inAC3, inOpenImmo, inKyero} {
		t.Run(k.name, func(t *testing.T) { storedOrRefused(t, k.drawFeed) })
	}
}

// What is no longer in a file stays, and so what cannot be read of it.
func TestADamagedFileWithdrawsNothing(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		drawn := rapid.Custom(func(t *rapid.T) *written { return inAC3.draw(t, 7, false) }).Example(1)
		var all []*written
		for i := range 5 {
			w := *drawn
			w.reference = fmt.Sprintf("W-%d", i)
			w.row = strings.ReplaceAll(strings.ReplaceAll(w.row, drawn.reference, w.reference), "<AFF_ID>77", fmt.Sprintf("<AFF_ID>%d", i))
			all = append(all, &w)
		}
		whole := inAC3.feedOf(all, make([]string, 6))
		if _, err := o.moveContent("feed.xml", []byte(whole), false); err != nil {
			t.Fatal(err)
		}
		before, seq := o.exportedLines(), o.seq()
		for name, content := range map[string]string{
			"broken off": whole[:len(whole)/2], "empty": "<LISTEPA>", "one is broken": strings.Replace(whole, "<VENTE>", "", 1),
			"one tag is left": strings.Replace(strings.Replace(whole, "</BIEN>", "", 1), "<BIEN>", "", 1),
		} {
			report, err := o.moveContent("feed.xml", []byte(content), false)
			if err == nil || !slices.Equal(o.exportedLines(), before) || o.seq() != seq {
				t.Errorf("%s: %v, and something has changed: %s", name, err, report)
			}
		}
	})
}
