package setup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Stream is Decode for files with more products than should be held at once: sites have them as
// MoreProducts, and each is read from the file when it is needed. Each is read here too, so that
// nothing is carried out of a file with a mistake.
//
// The YAML library reads whole documents. So the products are told apart by their indentation,
// and read one by one; the rest of the document is read without them. Where that may not mean
// the same, the file is read by Decode.
func Stream(file io.ReaderAt) (s transfer.Setup, err error) {
	defer explainPanic(&err)
	s, err = oneByOne(file)
	if errors.Is(err, errWhole) {
		return Decode(contentOf(file))
	}
	return s, err
}

// errWhole is that a file has to be read as a whole.
var errWhole = errors.New("the products cannot be read one by one")

func contentOf(file io.ReaderAt) io.Reader { return io.NewSectionReader(file, 0, math.MaxInt64) }

func oneByOne(file io.ReaderAt) (transfer.Setup, error) {
	rest, lists, err := withoutProducts(contentOf(file))
	if err != nil {
		return transfer.Setup{}, wrong(err)
	}
	document, err := parse(lexer.Tokenize(rest))
	if err != nil || isSharing(document) {
		return transfer.Setup{}, errWhole
	}
	s, err := decode[transfer.Setup](document)
	if err != nil {
		return s, errWhole
	}
	// A list may stand where it is something else, such as in a text.
	for i := range s.Sites {
		site := &s.Sites[i]
		if len(lists) > 0 && len(site.Products) == 1 && site.Products[0].Model == lists[0].mark() {
			site.Products, site.MoreProducts = nil, lists[0].products(file)
			lists = lists[1:]
		}
	}
	if len(lists) > 0 {
		return s, errWhole
	}
	for _, site := range s.Sites {
		if site.MoreProducts == nil {
			continue
		}
		for _, err := range site.MoreProducts {
			if err != nil {
				return s, err
			}
		}
	}
	return withVocabularies(s)
}

// isSharing reports whether what stands for a list of products may be used more than once.
func isSharing(document ast.Node) bool {
	for _, anchor := range ast.Filter(ast.AnchorType, document) {
		for _, text := range ast.Filter(ast.StringType, anchor) {
			if strings.HasPrefix(text.GetToken().Value, markPrefix) {
				return true
			}
		}
	}
	return false
}

// list is a list of products in a file: where it begins and ends, the number of its first line,
// and how far its items are indented.
type list struct {
	start, end int64
	line       int
	indent     int
}

// markPrefix begins the model of products that stand for a list in the rest of the file.
const markPrefix = "products from line "

func (l list) mark() string { return markPrefix + strconv.Itoa(l.line) }

// productsKey begins a list whose items are on lines of their own.
var productsKey = regexp.MustCompile(`^ *products:[ \t]*(#.*)?$`)

// indentation returns how many spaces a line begins with, and what follows them. nothing is set
// for a line that is empty or a comment.
func indentation(line string) (indent int, text string, nothing bool) {
	line = strings.TrimRight(line, "\r\n")
	text = strings.TrimLeft(line, " ")
	said := strings.TrimLeft(text, "\t")
	return len(line) - len(text), text, said == "" || said[0] == '#'
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// withoutProducts returns a document without what seem to be its lists of products.
func withoutProducts(document io.Reader) (rest string, lists []list, err error) {
	var (
		kept   strings.Builder
		in     = bufio.NewReader(document)
		of     *list // the list that the line before belongs to
		key    = -1  // how far the key before is indented, if a list may follow
		offset int64
	)
	for number := 1; ; number++ {
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return "", nil, err
		}
		if line == "" {
			break
		}
		indent, text, nothing := indentation(line)
		if of != nil && !nothing && indent <= of.indent && (indent < of.indent || !isItem(text)) {
			of = nil
		}
		if of == nil && key >= 0 && indent >= key && isItem(text) {
			lists = append(lists, list{start: offset, line: number, indent: indent})
			of = &lists[len(lists)-1]
			fmt.Fprintf(&kept, "%s- {model: %s}\n", strings.Repeat(" ", indent), strconv.Quote(of.mark()))
		}
		offset += int64(len(line))
		switch {
		case of != nil:
			of.end = offset
			key = -1
			continue
		case productsKey.MatchString(strings.TrimRight(line, "\r\n")):
			key = indent
		case !nothing:
			key = -1
		}
		kept.WriteString(line)
	}
	return kept.String(), lists, nil
}

// products reads the list.
func (l list) products(file io.ReaderAt) iter.Seq2[transfer.SetupProduct, error] {
	return func(yield func(transfer.SetupProduct, error) bool) {
		var (
			in     = bufio.NewReader(io.NewSectionReader(file, l.start, l.end-l.start))
			item   strings.Builder
			number = l.line
			first  = number
		)
		for {
			line, err := in.ReadString('\n')
			if err != nil && err != io.EOF {
				yield(transfer.SetupProduct{}, wrong(err))
				return
			}
			indent, text, _ := indentation(line)
			if item.Len() > 0 && (line == "" || indent == l.indent && isItem(text)) {
				p, err := product(item.String(), first)
				if !yield(p, err) || err != nil {
					return
				}
				item.Reset()
				first = number
			}
			if line == "" {
				return
			}
			item.WriteString(line)
			number++
		}
	}
}

// product reads the only item of a list, which begins on a line of the file.
func product(item string, line int) (transfer.SetupProduct, error) {
	tokens := lexer.Tokenize(item)
	for _, t := range tokens {
		t.Position.Line += line - 1
	}
	document, err := parse(tokens)
	if err != nil || !isAlone(document) {
		return transfer.SetupProduct{}, errWhole
	}
	read, err := decode[[]transfer.SetupProduct](document)
	if err != nil {
		return transfer.SetupProduct{}, err
	}
	if len(read) != 1 {
		return transfer.SetupProduct{}, errWhole
	}
	read[0].Line = line
	return read[0], nil
}

// isAlone reports whether the meaning of an item depends on nothing else, and nothing else on it.
func isAlone(item ast.Node) bool {
	return !slices.ContainsFunc([]ast.NodeType{ast.AnchorType, ast.AliasType, ast.TagType}, func(kind ast.NodeType) bool {
		return len(ast.Filter(kind, item)) > 0
	})
}
