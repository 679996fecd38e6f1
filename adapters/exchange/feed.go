package exchange

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// feedShape is how a feed in XML has its listings.
type feedShape struct {
	// listing is the element of one, signs are those by which the feed is known.
	listing string
	signs   []string
	// references are the elements that identify a listing, the best first. They are in its holder, or unless
	// they are held, directly in it.
	references []string
	holder     string
	held       bool
	// mark is an element that shows a listing whose own tags are lost.
	mark string
	// owner is the element of an agency around its listings; empty when there is none.
	owner string
	// anywhere: places without a path may be at any depth.
	anywhere bool
	// skipped are elements that mean nothing, with what is in them, but for places of fields.
	skipped []string
	// apart are paths with a value of an attribute that are not the place without it.
	apart []string

	// attributes: those without a field are reported.
	attributes bool

	tag, marked, referred *regexp.Regexp
}

// made returns the shape with its patterns.
func (s feedShape) made() *feedShape {
	s.tag = tagPattern(s.listing)
	s.marked = regexp.MustCompile(`(?i)<(?:[\w.-]+:)?` + s.mark + `\b`)
	s.referred = regexp.MustCompile(`(?i)<(?:[\w.-]+:)?(` + strings.Join(s.references, "|") + `)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?([^<\]]+)`)
	return &s
}

// isApart reports whether a path is among those apart.
func (s *feedShape) isApart(path string) bool {
	return slices.ContainsFunc(s.apart, func(a string) bool { return strings.EqualFold(a, path) })
}

// element is an element of a listing with those in it.
type element struct {
	XMLName  xml.Name
	Attr     []xml.Attr
	Content  string
	Children []element
	// inner is the source between its tags.
	inner []byte
}

// maxDepth is how deep elements of a listing may be within each other.
const maxDepth = 100

// readElement reads the element that the source begins with.
func readElement(decoder *xml.Decoder, source []byte) (element, error) {
	type begun struct {
		element
		text strings.Builder
		from int64
	}
	var open []*begun
	for {
		token, err := decoder.Token()
		if err != nil {
			return element{}, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == maxDepth {
				return element{}, fault.Textf("more than %d elements are within each other", maxDepth)
			}
			open = append(open, &begun{element: element{XMLName: token.Name, Attr: token.Attr}, from: decoder.InputOffset()})
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text.Write(token)
			}
		case xml.EndElement:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			end := int64(bytes.LastIndexByte(source[:decoder.InputOffset()], '<'))
			last.Content, last.inner = last.text.String(), source[last.from:max(last.from, end)]
			if len(open) == 0 {
				return last.element, nil
			}
			around := open[len(open)-1]
			around.Children = append(around.Children, last.element)
		}
	}
}

// markup returns what is between the tags of an element that holds a text.
func (e element) markup() string {
	if len(e.Children) == 0 {
		return strings.TrimSpace(e.Content)
	}
	return strings.TrimSpace(string(verbatims.ReplaceAllFunc(e.inner, func(section []byte) []byte {
		return section[len(verbatim) : len(section)-len(verbatimEnds)]
	})))
}

// feedListings reads an XML feed, a listing at a time.
func feedListings(f *format, _ table, r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		content, err := inUTF8(r)
		in := feed{format: f, unreadable: err}
		if err != nil && !yield(transfer.Listing{}, Damage{Source: "line 1", Why: err.Error()}) {
			return
		}
		for p, err := range f.feed.parts(content) {
			if err != nil {
				yield(transfer.Listing{}, err)
				return
			}
			found, damage := in.read(p)
			for _, l := range found {
				if !yield(l, nil) {
					return
				}
			}
			if damage != "" && !yield(transfer.Listing{}, Damage{Source: p.source(), Why: damage}) {
				return
			}
		}
	}
}

// feed is the state of reading a feed, between one part of it and the next.
type feed struct {
	*format
	// unreadable is why nothing of it can be read.
	unreadable error
	// open are the elements around the listings, root the first there was.
	open []string
	root string
	// broken: the last listing is refused; unclosed: nothing has ended it.
	broken, unclosed bool
	// owner is what is said of the agency around the listings.
	owner record
}

// read returns the listings of a part, or says what is damaged where there are none.
func (f *feed) read(p *part) (found []transfer.Listing, damage string) {
	if p.outside() {
		if shown := comments.ReplaceAll(p.content, nil); f.feed.marked.Match(shown) {
			found = refused(p, fault.Textf("it is in no %s", f.feed.listing).String(), f.feed.namesIn(shown)...)
		}
		return found, f.around(p)
	}
	remains := f.broken && !p.started || f.unclosed && p.started
	one, problem := f.one(p)
	names := f.feed.names(one)
	if problem != "" {
		names = f.feed.namesIn(p.content)
		f.owner = nil // its tags may be among the damage
	}
	if !p.started {
		f.around(p)
	}
	cut := !p.ended && !f.endsIn(p)
	switch {
	case remains && (!cut && len(names) == 0 || f.closesMore(p.content)),
		!cut && !holdsText(p.content),
		(!p.started || !p.ended && !p.last) && len(names) == 0:
		if problem == "" {
			problem = fault.Textf("nothing in it says which listing it is").String()
		}
		if len(names) > 0 {
			problem = fmt.Sprintf("%q: %s", strings.Join(names, ", "), problem)
		}
		f.unclosed = false
		return nil, problem
	case problem == "" && len(names) < 2:
		f.broken, f.unclosed = false, false
		l := f.listing(append(slices.Clone(f.owner), f.flat(one)...))
		l.Source = p.source()
		return []transfer.Listing{l}, ""
	case problem == "":
		problem = fault.Textf("it holds several listings").String()
	case len(names) == 0:
		names = []string{""}
	}
	f.broken, f.unclosed = true, !p.ended
	return refused(p, problem, names...), ""
}

// refused returns the listings of a part that cannot be read, by their references.
func refused(p *part, why string, names ...string) (all []transfer.Listing) {
	for _, name := range names {
		all = append(all, transfer.Listing{Source: p.source(), Reference: name, Refused: why})
	}
	return all
}

// one reads a part that is a listing, or says why it cannot be read.
func (f *feed) one(p *part) (one element, problem string) {
	switch {
	case f.unreadable != nil:
		return one, f.unreadable.Error()
	case !p.started:
		return one, fault.Textf("there is an end of a %s, and no beginning", p.shape.listing).String()
	case p.cut:
		return one, tooLong
	}
	decoder := xml.NewDecoder(bytes.NewReader(p.content))
	one, err := readElement(decoder, p.content)
	switch {
	case err == nil:
		return one, ""
	case !p.ended && p.last:
		return one, fault.Textf("the file ends before the listing does").String()
	case !p.ended:
		return one, fault.Textf("it is not closed before the next one begins").String()
	}
	return one, p.explained(decoder, messageOf(err))
}

// around reads the tags around the listings, and returns what is wrong with them. After
// damage it goes on with the elements that were open before, or with the first one if that
// is where the feed begins.
func (f *feed) around(p *part) (problem string) {
	before := max(len(f.open), 1)
	content := p.content
	if p.last {
		content = bytes.TrimRight(content, endOfFile+"\x00\r\n"+blanks)
	}
	decoder := xml.NewDecoder(bytes.NewReader(content))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	wrong := func(why string) {
		if why != "" && problem == "" {
			problem = p.explained(decoder, why)
			f.owner = nil
		}
	}
	for {
		token, err := decoder.RawToken()
		switch token := token.(type) {
		case xml.StartElement:
			f.open = append(f.open, nameOf(token.Name))
			f.root = cmp.Or(f.root, f.open[0])
			if f.isOwner(len(f.open) - 1) {
				f.owner = nil
			}
		case xml.CharData:
			f.owned(string(token))
		case xml.EndElement:
			wrong(f.close(nameOf(token.Name)))
		}
		if err == nil {
			continue
		}
		broken := !errors.Is(err, io.EOF)
		switch {
		case broken:
			wrong(messageOf(err))
		case p.last && len(f.open) > 0:
			wrong(fault.Textf("the file ends, and <%s> is not closed", f.open[len(f.open)-1]).String())
		}
		if broken || p.ended {
			f.open = f.open[:min(len(f.open), before)]
		}
		return problem
	}
}

// isOwner reports whether one of the open elements is that of an agency.
func (f *feed) isOwner(n int) bool {
	owner := f.feed.owner
	return n >= 0 && owner != "" && strings.EqualFold(f.open[n][strings.LastIndexByte(f.open[n], ':')+1:], owner)
}

// owned notes what is said of the agency around the listings.
func (f *feed) owned(content string) {
	last := len(f.open) - 1
	if content = strings.TrimSpace(content); content == "" || !f.isOwner(last-1) {
		return
	}
	if at := placeName("../" + f.open[last]); len(f.places[at]) > 0 {
		f.owner = append(f.owner, value{at: at, shown: at, content: content})
	}
}

// explained returns a problem with its line.
func (p *part) explained(decoder *xml.Decoder, why string) string {
	line, _ := decoder.InputPos()
	return fault.Textf("line %d: %s", p.line+line-1, why).String()
}

func messageOf(err error) string {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return syntax.Msg
	}
	return strings.TrimPrefix(err.Error(), "xml: ")
}

func nameOf(name xml.Name) string { return strings.TrimPrefix(name.Space+":"+name.Local, ":") }

// close closes an element around the listings, and returns what is wrong with that.
func (f *feed) close(name string) (problem string) {
	last := len(f.open) - 1
	for i, open := range slices.Backward(f.open) {
		if open != name {
			continue
		}
		if i < last {
			problem = fmt.Sprintf("</%s> closes <%s>", name, f.open[last])
		}
		f.open = f.open[:i]
		return problem
	}
	return fmt.Sprintf("</%s> closes nothing", name)
}

var (
	comments  = regexp.MustCompile(`(?s)<!--.*?-->`)
	verbatims = regexp.MustCompile(`(?s)<!\[CDATA\[.*?\]\]>`)
	anyTag    = regexp.MustCompile(`<(/?)([\w.:-]+)[^<>]*?(/?)>`)
	visible   = regexp.MustCompile(`(?:^|>)[^<>]*[^<>\s][^<>]*`)
)

// closesMore reports whether a piece of a listing closes an element that is opened neither
// in it nor around the listings: then it is not the whole listing.
func (f *feed) closesMore(content []byte) bool {
	within := feed{open: slices.Clone(f.open)}
	for _, found := range anyTag.FindAllSubmatch(verbatims.ReplaceAll(comments.ReplaceAll(content, nil), nil), -1) {
		name := string(found[2])
		switch closes, empty := len(found[1]) > 0, len(found[3]) > 0; {
		case f.feed.tagOf(found[0]) != other || empty:
		case !closes:
			within.open = append(within.open, name)
		case !slices.Contains(within.open, name):
			return true
		default:
			within.close(name)
		}
	}
	return false
}

// endsIn reports whether a part has the end of the feed.
func (f *feed) endsIn(p *part) bool {
	return f.root != "" && bytes.Contains(p.content, []byte("</"+f.root))
}

// holdsText reports whether there is anything but tags.
func holdsText(content []byte) bool {
	return bytes.Contains(content, []byte(verbatim)) || visible.Match(content)
}

// names returns the references of a listing. It has several if the tags between two listings are lost.
func (s *feedShape) names(e element) []string {
	direct, within := namesOf{}, namesOf{}
	for _, child := range e.Children {
		direct.add(child)
		if s.holder != "" && strings.EqualFold(child.XMLName.Local, s.holder) {
			for _, grandchild := range child.Children {
				within.add(grandchild)
			}
		}
	}
	if all := within.best(s.references); len(all) >= len(direct.best(s.references)) {
		return all
	}
	return direct.best(s.references)
}

// namesIn returns the references of a listing that cannot be read.
func (s *feedShape) namesIn(content []byte) []string {
	all := namesOf{}
	from, marks := 0, s.marked.FindAllIndex(content, -1)
	if s.held && len(marks) > 0 {
		from = marks[0][0]
	}
	for _, mark := range append(marks, []int{len(content)}) {
		met := map[string]bool{}
		for _, found := range s.referred.FindAllStringSubmatch(string(content[from:mark[0]]), -1) {
			if tag := strings.ToUpper(found[1]); !met[tag] {
				met[tag] = true
				name := html.UnescapeString(decode(found[2], utf8.ValidString(found[2])))
				all.add(element{XMLName: xml.Name{Local: tag}, Content: name})
			}
		}
		from = mark[0]
	}
	return all.best(s.references)
}

// namesOf are references by their tag.
type namesOf map[string][]string

func (n namesOf) add(e element) {
	tag, name := strings.ToUpper(e.XMLName.Local), strings.TrimSpace(e.Content)
	if name != "" && !slices.Contains(n[tag], name) {
		n[tag] = append(n[tag], name)
	}
}

// best returns the references of the best tag.
func (n namesOf) best(of []string) []string {
	for _, tag := range of {
		if all := n[strings.ToUpper(tag)]; len(all) > 0 {
			return all
		}
	}
	return nil
}

// flat returns what an element of a listing says, by places of the format.
func (f *format) flat(one element) record {
	x := flattening{format: f}
	x.within(one, "", "", 0, false)
	return x.record
}

type flattening struct {
	*format
	record record
}

// put adds what is at a place, where there is one, or what is at none.
func (x *flattening) put(at, shown string, n int, language, content string) {
	if known := x.places[at]; len(known) == 0 || !strings.Contains(known[0].at, "+") {
		n = 0
	}
	x.record = append(x.record, value{at: at, shown: shown, n: n, language: language, content: content})
}

// within adds what is in the element at a path. n tells which of several it is in.
func (x *flattening) within(e element, path, shown string, n int, skipped bool) {
	met := map[string]int{}
	for _, child := range e.Children {
		name := strings.ToLower(child.XMLName.Local)
		met[name]++
		x.element(child, name, path, strings.TrimPrefix(shown+"/"+child.XMLName.Local, "/"), max(n, met[name]), skipped || x.skips(name))
	}
}

func (x *flattening) skips(name string) bool {
	return slices.ContainsFunc(x.feed.skipped, func(s string) bool { return strings.EqualFold(s, name) })
}

// star returns the place for the elements at a path, whatever their names are.
func (x *flattening) star(path, name string) string {
	candidates := []string{path + "/*"}
	if x.feed.anywhere {
		candidates = append(candidates, path[strings.LastIndexByte(path, '/')+1:]+"/*", name[:strings.LastIndexByte(name, '_')+1]+"*")
	}
	for _, at := range candidates {
		if len(x.places[at]) > 0 {
			return at
		}
	}
	return ""
}

func (x *flattening) element(e element, name, path, shown string, n int, skipped bool) {
	full := strings.TrimPrefix(path+"/"+name, "/")
	content := strings.TrimSpace(e.Content)
	if len(e.Children) > 0 {
		content = ""
	}
	if at := x.star(path, name); at != "" && !skipped {
		switch base := x.places[at][0].base; base {
		case keyTitle, keyText:
			x.put(at, shown, n, name[max(0, strings.LastIndexByte(name, '_')+1):], e.markup())
		case keyPicture:
			x.put(at, shown, n, "", content)
		default:
			for _, a := range e.Attr {
				x.put(at, shown, n, "", name+"@"+strings.ToLower(a.Name.Local+"="+a.Value))
			}
			x.put(at, shown, n, "", name)
		}
		return
	}
	for _, a := range e.Attr {
		at := full + "@" + strings.ToLower(a.Name.Local)
		exact := at + "=" + strings.ToLower(strings.TrimSpace(a.Value))
		switch {
		case len(x.places[at+"=*"]) > 0:
			x.put(at+"=*", shown, n, strings.ToLower(a.Value), e.markup())
			return
		case x.feed.isApart(exact):
			full, shown = exact, shown+"@"+a.Name.Local+"="+a.Value
		case len(x.places[at]) > 0 || x.feed.attributes && !skipped:
			x.put(at, shown+"@"+a.Name.Local, n, "", strings.TrimSpace(a.Value))
		}
	}
	at := full
	if len(x.places[at]) == 0 && x.feed.anywhere && !skipped {
		at = name
	}
	if known := x.places[at]; len(known) > 0 && (known[0].base == keyTitle || known[0].base == keyText) {
		x.put(at, shown, n, "", e.markup())
		return
	}
	if len(e.Children) > 0 && len(x.places[full+"/"]) > 0 {
		x.put(full+"/", shown, n, "", "1")
	}
	x.within(e, full, shown, n, skipped)
	equal := full + "=" + strings.ToLower(content)
	switch {
	case content == "":
	case len(x.places[at]) > 0:
		x.put(at, shown, n, "", content)
	case len(x.places[equal]) > 0:
		x.put(equal, shown, n, "", "1")
	case !skipped:
		x.put(full, shown, n, "", content)
	}
}
