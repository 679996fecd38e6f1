package setup

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/goccy/go-yaml/lexer"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// FrenchVocabulary is what a site names in its file to have the French vocabulary.
const FrenchVocabulary = "french"

//go:embed french.yaml
var frenchFile string

var french = sync.OnceValues(func() (transfer.SetupVocabulary, error) {
	document, err := parse(lexer.Tokenize(frenchFile))
	if err != nil {
		return transfer.SetupVocabulary{}, err
	}
	return decode[transfer.SetupVocabulary](document)
})

// French returns the French vocabulary: the criteria of listings with their referentials, the
// lists and the action types of an estate agency in France.
func French() (transfer.SetupVocabulary, error) { return french() }

// withVocabularies returns a setup with the vocabularies that its sites name.
func withVocabularies(s transfer.Setup) (transfer.Setup, error) {
	for i, site := range s.Sites {
		switch site.Vocabulary {
		case "":
		case FrenchVocabulary:
			v, err := French()
			if err != nil {
				return s, err
			}
			s.Sites[i] = site.With(v)
		default:
			return s, fmt.Errorf("site %d: there is no vocabulary %q; there is %s", site.ID, site.Vocabulary, FrenchVocabulary)
		}
	}
	return s, nil
}
