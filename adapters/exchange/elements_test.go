package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// fatesIn are what became of the listings of a feed, and of places beside them.
func fatesIn(t *testing.T, feed io.Reader) []string { return fatesAs(t, ac3, feed) }

func fatesAs(t *testing.T, as *format, feed io.Reader) (all []string) {
	t.Helper()
	for l, err := range as.listings(as, table{}, feed) {
		switch damage, beside := errors.AsType[Damage](err); {
		case beside:
			all = append(all, "damage "+damage.Error())
		case err != nil:
			t.Fatal(err)
		default:
			all = append(all, fates([]transfer.Listing{l})...)
		}
	}
	return all
}

func bienOf(n int) string {
	return fmt.Sprintf("<BIEN><INFO_GENERALES><AFF_ID>%d</AFF_ID><AFF_NUM>R%[1]d</AFF_NUM></INFO_GENERALES><VENTE><PRIX>250000</PRIX></VENTE>"+
		"<COMMENTAIRES><FR><![CDATA[Été <br/>]]></FR></COMMENTAIRES></BIEN>", n)
}

func immobilieOf(n int) string {
	return fmt.Sprintf("<immobilie><geo><plz>54000</plz></geo><preise><kaufpreis>250000</kaufpreis></preise><freitexte><objektbeschreibung><![CDATA[Été <br/>]]></objektbeschreibung></freitexte>"+
		"<verwaltung_techn><objektnr_intern>%d</objektnr_intern><objektnr_extern>R%[1]d</objektnr_extern></verwaltung_techn></immobilie>", n)
}

// An agency is named around its listings. Where its tags may be among damage, the next ones are of nobody.
func TestTheAgencyAroundListingsIsTheirs(t *testing.T) {
	owned := func(name string, listings ...string) string {
		return "<anbieter><anbieternr>" + name + "</anbieternr><firma>x</firma>" + strings.Join(listings, "") + "</anbieter>"
	}
	for feed, want := range map[string]string{
		owned("A", immobilieOf(1), immobilieOf(2)) + owned("B", immobilieOf(3)):                                                              "R1 A, R2 A, R3 B",
		owned("A", immobilieOf(1)) + "<anbieter><firma>C</firma>" + immobilieOf(2) + "</anbieter>" + immobilieOf(3):                          "R1 A, R2 C, R3 C",
		owned("A", strings.TrimSuffix(immobilieOf(1), "</immobilie>")) + strings.Replace(owned("B", immobilieOf(3)), "</anbieternr>", "", 1): "R1 , R3 ",
		owned("A", immobilieOf(1)) + "<anbieter><anbieternr" + immobilieOf(2) + "</anbieter>" + owned("C", immobilieOf(3)):                   "R1 A, R2 , R3 C",
	} {
		var all []string
		for l := range feedListings(openImmo, table{}, strings.NewReader("<openimmo>"+feed+"</openimmo>")) {
			if l.Source != "" {
				all = append(all, l.Reference+" "+l.Agency)
			}
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%s: %q, not %q", feed, got, want)
		}
	}
}

func TestDamageToABIENStaysWithIt(t *testing.T) {
	const second = "BIEN 2, line 3"
	replace := func(old, by string) func([]string) {
		return func(lines []string) {
			if lines[2] = strings.Replace(lines[2], old, by, 1); lines[2] == bienOf(2) {
				panic(old)
			}
		}
	}
	refused := func(why string) []string { return []string{"R2 " + second + ": " + why} }
	for name, c := range map[string]struct {
		damage func(lines []string)
		// want is what becomes of the second of four listings, and around it.
		want []string
	}{
		"none":                         {func([]string) {}, []string{"R2 " + second}},
		"a bare ampersand":             {replace("Été", "]]>&<![CDATA["), refused("line 3: invalid character entity & (no semicolon)")},
		"an entity nobody knows":       {replace("<PRIX>", "<PRIX>&eacute;"), refused("line 3: invalid character entity &eacute;")},
		"a byte in another encoding":   {replace("É", "\xc9"), refused("line 3: invalid UTF-8")},
		"a control character":          {replace("É", "\x00"), refused("line 3: illegal character code U+0000")},
		"an end tag less":              {replace("</VENTE>", ""), refused("line 3: element <VENTE> closed by </BIEN>")},
		"a tag less":                   {replace("<VENTE>", ""), refused("line 3: element <BIEN> closed by </VENTE>")},
		"a tag more":                   {replace("<VENTE>", "<VENTE><VENTE>"), refused("line 3: element <VENTE> closed by </BIEN>")},
		"half a tag":                   {replace("<VENTE>", "<VENTE"), refused("line 3: expected attribute name in element")},
		"the end of the root":          {replace("<VENTE>", "</LISTEPA><VENTE>"), refused("line 3: element <BIEN> closed by </LISTEPA>")},
		"its end is missing":           {replace("</BIEN>", ""), refused("it is not closed before the next one begins")},
		"its end is broken":            {replace("</BIEN>", "</BIEN"), refused("line 4: unexpected EOF")},
		"its end is another":           {replace("</BIEN>", "</BIEM>"), refused("it is not closed before the next one begins")},
		"its beginning is missing":     {replace("<BIEN>", ""), []string{"R2 after BIEN 1, line 3: there is an end of a BIEN, and no beginning"}},
		"its beginning is broken":      {replace("<BIEN>", "<BIEN "), []string{"R2 BIEN 2, line 3: line 3: expected attribute name in element"}},
		"its beginning is another":     {replace("<BIEN>", "<BIER>"), []string{"R2 after BIEN 1, line 3: there is an end of a BIEN, and no beginning"}},
		"CDATA without end":            {replace("]]>", ""), refused("line 3: unexpected EOF in CDATA section")},
		"CDATA without beginning":      {replace("<![CDATA[", ""), refused("line 3: unescaped ]]> not in CDATA section")},
		"a comment without end":        {replace("<VENTE>", "<!-- <VENTE>"), refused("line 3: unexpected EOF")},
		"its beginning twice":          {replace("<BIEN>", "<BIEN><BIEN>"), []string{"damage BIEN 2, line 3: it is not closed before the next one begins", "R2 BIEN 3, line 3"}},
		"its end twice":                {replace("</BIEN>", "</BIEN></BIEN>"), []string{"R2 " + second, "damage after BIEN 2, line 3: there is an end of a BIEN, and no beginning"}},
		"another beginning in it":      {replace("<AFF_NUM>", "<BIEN><AFF_NUM>"), []string{"2 " + second + ": it is not closed before the next one begins", `damage BIEN 3, line 3: "R2": line 3: element <BIEN> closed by </INFO_GENERALES>`}},
		"another end in it":            {replace("<AFF_NUM>", "</BIEN><AFF_NUM>"), []string{"2 " + second + ": line 3: element <INFO_GENERALES> closed by </BIEN>", `damage after BIEN 2, line 3: "R2": there is an end of a BIEN, and no beginning`}},
		"something is nested":          {replace("<VENTE>", "<BIEN></BIEN><VENTE>"), []string{"R2 " + second + ": it is not closed before the next one begins", "damage BIEN 3, line 3: nothing in it says which listing it is", "damage after BIEN 3, line 3: there is an end of a BIEN, and no beginning"}},
		"too much text":                {replace("Été", strings.Repeat("x", maxListing)), []string{"R2 " + second + ": " + tooLong}},
		"an endless comment":           {replace("<VENTE>", "<!--"+strings.Repeat("x", 2*maxListing)), []string{"R2 " + second + ": " + tooLong}},
		"a comment with a listing":     {func(lines []string) { lines[2] = "<!-- " + bienOf(2) + " -->" }, nil},
		"an unknown element":           {func(lines []string) { lines[2] = "<AGENCE><NOM>&amp;</NOM></AGENCE>" }, nil},
		"something broken in between":  {func(lines []string) { lines[2] = "<AGENCE>&</AGENCE>" }, []string{"damage after BIEN 1: line 3: invalid character entity & (no semicolon)"}},
		"a comment broken in between":  {func(lines []string) { lines[2] = "<!-- a -- b ->" }, []string{`damage after BIEN 1: line 3: invalid sequence "--" not allowed in comments`}},
		"both of its tags are missing": {func(lines []string) { lines[2] = strings.TrimSuffix(strings.TrimPrefix(lines[2], "<BIEN>"), "</BIEN>") }, []string{"R2 after BIEN 1: it is in no BIEN"}},
		"its tags are others":          {func(lines []string) { lines[2] = strings.ReplaceAll(lines[2], "BIEN>", "BEIN>") }, []string{"R2 after BIEN 1: it is in no BIEN"}},
		"two references": {func(lines []string) {
			lines[2] = "<BIEN><REFERENCE>R2</REFERENCE><INFO_GENERALES><AFF_ID>7</AFF_ID></INFO_GENERALES></BIEN>"
		}, []string{"R2 " + second}},
		"nothing in it":                {func(lines []string) { lines[2] = "<BIEN/>" }, []string{"damage BIEN 2, line 3: nothing in it says which listing it is"}},
		"no reference":                 {func(lines []string) { lines[2] = "<BIEN><VENTE><PRIX>1</PRIX></VENTE></BIEN>" }, []string{" " + second}},
		"tags between two are missing": {replace("</COMMENTAIRES></BIEN>", "</COMMENTAIRES>"+strings.TrimPrefix(bienOf(9), "<BIEN>")), []string{"R2 " + second + ": it holds several listings", "R9 " + second + ": it holds several listings"}},
	} {
		lines := []string{"<LISTEPA>", bienOf(1), bienOf(2), bienOf(3), bienOf(4), "</LISTEPA>"}
		c.damage(lines)
		want := slices.Concat([]string{"R1 BIEN 1, line 2"}, c.want)
		begun := strings.Count(lines[2], "<BIEN") - strings.Count(lines[2], "<!-- <BIEN")
		for i := range 2 {
			want = append(want, fmt.Sprintf("R%d BIEN %d, line %d", 3+i, 2+i+begun, 4+i))
		}
		got := fatesIn(t, strings.NewReader(strings.Join(lines, "\n")))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAFeedThatBreaksOffKeepsWhatIsWhole(t *testing.T) {
	whole := "<LISTEPA>\n" + bienOf(1) + "\n" + bienOf(2) + "\n</LISTEPA>"
	end := strings.Index(whole, "\n</LISTEPA>")
	for length, want := range map[int][]string{
		len(whole) + 3: {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3"},
		len(whole):     {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3"},
		len(whole) - 1: {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3", "damage after BIEN 2: line 4: unexpected EOF"},
		end:            {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3", "damage after BIEN 2: line 3: the file ends, and <LISTEPA> is not closed"},
		end - 1:        {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3: line 3: unexpected EOF", "damage after BIEN 2: line 3: the file ends, and <LISTEPA> is not closed"},
		end - 10:       {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3: the file ends before the listing does"},
		end - 60:       {"R1 BIEN 1, line 2", "R2 BIEN 2, line 3: the file ends before the listing does"},
		strings.Index(whole, "\n") + 1 + len(bienOf(1)) + len("\n<BIEN>"): {"R1 BIEN 1, line 2", " BIEN 2, line 3: the file ends before the listing does"},
		12: {"damage before the first BIEN: line 2: unexpected EOF"},
	} {
		content := (whole + "\r\n\x1a")[:length]
		if diff := gocmp.Diff(want, fatesIn(t, strings.NewReader(content))); diff != "" {
			t.Errorf("%q: %s", content[max(0, length-20):], diff)
		}
	}
}

func TestATextMayHoldTheTagsOfAListing(t *testing.T) {
	for _, text := range []string{"<BIEN>", "</BIEN>", "</BIEN><BIEN>", "<!-- ", " -->", "<?", "]] >", "&nbsp;", "<LISTEPA>"} {
		feed := "<x:LISTEPA xmlns:x='y'>" + strings.ReplaceAll(bienOf(1), "Été", text) + "<x:BIEN><AFF_ID>2</AFF_ID></x:BIEN></x:LISTEPA>"
		if diff := gocmp.Diff([]string{"R1 BIEN 1, line 1", "2 BIEN 2, line 1"}, fatesIn(t, strings.NewReader(feed))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestAFeedIsReadInTheEncodingThatItDeclares(t *testing.T) {
	for label, want := range map[string][]string{
		"windows-1252": {"R1 BIEN 1, line 1"},
		" ISO-8859-1 ": {"R1 BIEN 1, line 1"},
		"Latin9":       {"R1 BIEN 1, line 1"},
		"utf8":         {"R1 BIEN 1, line 1: line 1: invalid UTF-8"},
		"martian":      {`damage line 1: the encoding "martian" is not known`, `R1 BIEN 1, line 1: the encoding "martian" is not known`},
	} {
		encoded, err := charmap.Windows1252.NewEncoder().String(`<?xml version="1.0" encoding="` + label + `"?><LISTEPA>` + bienOf(1) + "</LISTEPA>")
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, fatesIn(t, strings.NewReader(encoded))); diff != "" {
			t.Errorf("%s: %s", label, diff)
		}
	}
}

func TestAFileIsAFeedWhateverItsTextsHold(t *testing.T) {
	for _, content := range []string{"<LISTEPA>!#" + bienOf(1) + "</LISTEPA>", "?xml?><LISTEPA>!#" + bienOf(1) + "</LISTEPA>"} {
		name := filepath.Join(t.TempDir(), "feed.xml")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := opened(t, name, webhook.Allowance{}); f.Format != AC3 {
			t.Errorf("%.20q is taken for %s", content, f.Format)
		}
	}
}

// readWhole checks that a feed is read to its end whatever it holds, and one that is cut into pieces like
// one that is not.
func readWhole(f *testing.F, of *format, samples ...string) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		all := fatesAs(t, of, bytes.NewReader(content))
		if again := fatesAs(t, of, &dribble{content}); !slices.Equal(all, again) {
			t.Errorf("read as %q, and byte by byte as %q", all, again)
		}
	})
}

func FuzzAC3(f *testing.F) {
	readWhole(f, ac3, "<LISTEPA>"+bienOf(1)+bienOf(2)+"</LISTEPA>", "<BIEN><![CDATA[<BIEN><![CDATA[</BIEN>]]><BIEN/><!-- <BIEN> --><!-- -- -->",
		"<?xml encoding='martian'?><a:BIEN \xff\n<BIEN</BIEN <!DOCTYPE [<BIEN>")
}

func FuzzOpenImmo(f *testing.F) {
	readWhole(f, openImmo, "<openimmo><anbieter><anbieternr>1</anbieternr>"+immobilieOf(1)+"</anbieter><anbieter>"+immobilieOf(2)+"</anbieter></openimmo>",
		`<immobilie><objektkategorie><objektart><haus haustyp="VILLA"/></objektart></objektkategorie><freitexte><objekt_text lang="">x</objekt_text></freitexte></immobilie>`)
}

func propertyOf(n int) string {
	return fmt.Sprintf("<property><id>%d</id><ref>R%[1]d</ref><price>250000</price><location><latitude>1</latitude></location><desc><fr><![CDATA[Été <br/>]]></fr></desc>"+
		"<features><feature>Lift</feature></features><images><image id='1'><url>a.jpg</url></image></images></property>", n)
}

func FuzzKyero(f *testing.F) {
	readWhole(f, kyero, "<root><kyero><feed_version>3</feed_version></kyero>"+propertyOf(1)+propertyOf(2)+"</root>", "<property><ref>1<desc><en>x</en><en/></property>")
}

// dribble is read byte by byte.
type dribble struct{ left []byte }

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.left) == 0 || len(p) == 0 {
		return 0, io.EOF
	}
	p[0], d.left = d.left[0], d.left[1:]
	return 1, nil
}
