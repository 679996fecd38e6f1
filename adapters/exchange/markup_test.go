package exchange

import (
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestMarkupIsTakenOutOfTexts(t *testing.T) {
	for said, want := range map[string][2]string{
		"Été à Nîmes":                                            {"Été à Nîmes", ""},
		"Maison & jardin, 3 < 4 > 2":                             {"Maison & jardin, 3 < 4 > 2", ""},
		"Un\n\nDeux":                                             {"Un\n\nDeux", ""},
		"Un<BR>deux<br />trois":                                  {"Un\ndeux\ntrois", ""},
		"Un<br>\r\ndeux<br><br>trois":                            {"Un\ndeux\n\ntrois", ""},
		"&Eacute;t&eacute; &amp; hiver &#8364;":                  {"Été & hiver €", ""},
		"250&nbsp;000&#160;&euro;":                               {"250 000 €", ""},
		"https://a.example/?a=1&copy=2&reg=3":                    {"https://a.example/?a=1&copy=2&reg=3", ""},
		"<p>Un</p><p class='x'>Deux</p>":                         {"Un\nDeux", "<p>"},
		"<p>Un</p>\n<p>Deux</p>\n":                               {"Un\nDeux", "<p>"},
		"Avec<ul><li>un</li>\n<li>deux</li></ul>et <b>gras</b>.": {"Avec\nun\ndeux\net gras.", "<ul>"},
		"Un<script>alert('<p>')</script> deux<style>p{}</style>": {"Un deux", "<script>"},
		"Un<SCRIPT type='x'>alert(1)</SCRIPT >":                  {"Un", "<SCRIPT type='x'>"},
		"Un<script>alert(1)":                                     {"Un", "<script>"},
		"Un<script src='x'/> deux":                               {"Un deux", "<script src='x'/>"},
		"Un<!-- deux --> trois":                                  {"Un trois", "<!-- deux -->"},
		"&lt;p&gt;Un&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;":    {"Un", "<p>"},
		"&amp;lt;b&amp;gt;Un&amp;lt;/b&amp;gt;":                  {"Un", "<b>"},
		"<img src=x onerror=alert(1)>Un":                         {"Un", "<img src=x onerror=alert(1)>"},
		"Un <!-- deux <b>trois</b> <!-- quatre":                  {"Un  deux trois  quatre", "<!--"},
		"Un <? deux":                                             {"Un <? deux", ""},
		"Prix <négocié":                                          {"Prix <négocié", ""},
		"<o:p>Un</o:p>":                                          {"Un", "<o:p>"},
		"<p> </p>":                                               {"", "<p>"},
	} {
		text, tag := plainText(said)
		if text != want[0] || tag != want[1] {
			t.Errorf("%q becomes %q (%q), want %q", said, text, tag, want)
		}
	}
}

func TestTakingMarkupOutAgainChangesNothing(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"a", " ", "\n", "<", ">", "&", ";", "amp", "lt", "<p>", "</p>", "<br>", "<script>", "</script>", "<!--", "-->", "<!", "<?", "</", "é", "&eacute;", "\x00", "\u00a0"})
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "")
		once, _ := plainText(said)
		if twice, _ := plainText(once); twice != once {
			t.Fatalf("%q becomes %q and then %q", said, once, twice)
		}
	})
}

// A long text is read in its length's time, whatever it repeats.
func TestMarkupIsTakenOutInTheTimeOfItsLength(t *testing.T) {
	for _, piece := range []string{"<p", "<p> ", "<!--", "<!x", "&amp;amp;", "<script>", "</", "<br>\n", " <li>", "<a b='"} {
		started := time.Now()
		plainText(strings.Repeat(piece, maxListing/4/len(piece)))
		if took := time.Since(started); took > 10*time.Second {
			t.Errorf("%q takes %s", piece, took)
		}
	}
}

const marked = "<h1>Un</h1><script>alert(1)</script>&eacute;t&eacute;"

func markupNotes(l transfer.Listing) (sources []string) {
	for _, n := range l.NotUnderstood {
		if n.Why == "markup was taken out of the text" {
			sources = append(sources, n.Source)
		}
	}
	return sources
}

// Titles are on one line, as texts are not.
func TestMarkupIsTakenOutOfEveryLanguageAndTitle(t *testing.T) {
	want := map[string][2]string{"fr": {"Un été", "Un\nété"}, "en": {"Un été", "Un\nété"}}
	sources := []string{"description en, text", "description en, title", "description fr, text", "description fr, title"}
	csv := rowOf(map[int]string{referenceColumn: "R1", titleColumn: marked, textColumn: marked, languagesColumn: "EN", languagesColumn + 2: marked, languagesColumn + 3: marked,
		6: "Saint-&Eacute;tienne", 11: "250&nbsp;000 &euro;", 104: "https://a.example/?a=1&amp;reg=2"})
	text := func(with string) string {
		return "<LISTEPA><BIEN><INFO_GENERALES><AFF_NUM>R1</AFF_NUM></INFO_GENERALES><INTITULE><FR>" + with + "</FR><US>" + with + "</US></INTITULE><COMMENTAIRES><FR>" + with + "</FR></COMMENTAIRES>" +
			"<TEXTE_EN>" + with + "</TEXTE_EN><VILLE><![CDATA[Saint-&Eacute;tienne]]></VILLE><PRIX>250&amp;nbsp;000 &amp;euro;</PRIX><VISITE_VIRTUELLE>https://a.example/?a=1&amp;reg=2</VISITE_VIRTUELLE></BIEN></LISTEPA>"
	}
	for name, content := range map[string]string{
		"columns": csv, "CDATA": text("<![CDATA[" + marked + "]]>"), "escaped": text("&lt;h1&gt;Un&lt;/h1&gt;&amp;eacute;t&amp;eacute;<!-- -->"),
		"elements": text("<h1>Un</h1><script>alert(1)</script>&#233;t<i>é</i>"), "both": text("<h1>Un</h1><![CDATA[<script>alert(1)</script>&eacute;té]]>"),
	} {
		l := readFile(t, content)[0]
		if diff := gocmp.Diff(want, textsOf(l)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if notes := slices.Sorted(slices.Values(markupNotes(l))); !slices.Equal(notes, sources) {
			t.Errorf("%s: the report names %q", name, notes)
		}
		if got := told(l); got["Ville"] != "Saint-Étienne" || got["Prix"] != "250000" || got["VisiteVirtuelle"] != "https://a.example/?a=1&reg=2" {
			t.Errorf("%s: %v", name, got)
		}
	}
}
