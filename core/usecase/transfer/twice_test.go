package transfer_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// An entry that is described twice is a mistake: which of the two is meant nobody knows.
func TestWhatIsDescribedTwiceIsRefused(t *testing.T) {
	for name, again := range map[string]func(*transfer.Setup){
		"site 1":      func(s *transfer.Setup) { s.Sites = append(s.Sites, s.Sites[0]) },
		"credential ": func(s *transfer.Setup) { s.Credentials = append(s.Credentials, s.Credentials[0]) },
		"key [crm nightly]": func(s *transfer.Setup) {
			s.Keys = make([]transfer.SetupKey, 2)
			s.Keys[0].Credential, s.Keys[0].Name = "crm", "nightly"
			s.Keys[1] = s.Keys[0]
		},
		"criterion ":    func(s *transfer.Setup) { s.Sites[0].Criteria = double(s.Sites[0].Criteria) },
		"list ":         func(s *transfer.Setup) { s.Sites[0].Lists = double(s.Sites[0].Lists) },
		"action type ":  func(s *transfer.Setup) { s.Sites[0].ActionTypes = double(s.Sites[0].ActionTypes) },
		"agenda type 5": func(s *transfer.Setup) { s.Sites[0].AgendaTypes = []transfer.SetupAgendaType{{ID: 5}, {ID: 5}} },
		"agency 11":     func(s *transfer.Setup) { s.Sites[0].Agencies = double(s.Sites[0].Agencies) },
		"user group 7":  func(s *transfer.Setup) { s.Sites[0].UserGroups = []transfer.SetupUserGroup{{ID: 7}, {ID: 7}} },
		"user 101":      func(s *transfer.Setup) { s.Sites[0].Users = double(s.Sites[0].Users) },
		`product "m é" of agency 11`: func(s *transfer.Setup) { // in another hundred, with another case
			for i := range 150 {
				s.Sites[0].Products = append(s.Sites[0].Products, transfer.SetupProduct{Model: "M " + strconv.Itoa(i), AgencyID: 11})
			}
			s.Sites[0].Products[0].Model = "M É"
			s.Sites[0].Products = append(s.Sites[0].Products, transfer.SetupProduct{Model: "m é", AgencyID: 11})
		},
		"customer 1001": func(s *transfer.Setup) { s.Sites[0].Customers = double(s.Sites[0].Customers) },
	} {
		t.Run(strings.TrimSpace(name), func(t *testing.T) {
			w := apitest.New(t)
			setup := apitest.Network()
			again(&setup)
			head, _ := w.Store.Head(t.Context(), 1)
			_, err := w.Transfer.Provision(t.Context(), setup)
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "is described twice") {
				t.Errorf("it is told %v", err)
			}
			if after, _ := w.Store.Head(t.Context(), 1); after != head {
				t.Errorf("the head went from %+v to %+v", head, after)
			}
		})
	}
}

func double[T any](entries []T) []T { return append(entries[:len(entries):len(entries)], entries[0]) }

// What a site says itself takes the place of an entry of the vocabulary once; said twice, it
// is there twice, to be refused.
func TestAVocabularyHidesNoEntryThatIsDescribedTwice(t *testing.T) {
	words := transfer.SetupVocabulary{Lists: []transfer.SetupList{{ID: 1, Key: "a"}, {ID: 2, Key: "b"}}}
	own := transfer.SetupSite{SetupVocabulary: transfer.SetupVocabulary{Lists: []transfer.SetupList{{ID: 2, Key: "c"}, {ID: 3}, {ID: 2, Key: "d"}, {ID: 3}}}}
	want := []transfer.SetupList{{ID: 1, Key: "a"}, {ID: 2, Key: "c"}, {ID: 3}, {ID: 2, Key: "d"}, {ID: 3}}
	if got := own.With(words).Lists; !reflect.DeepEqual(got, want) {
		t.Errorf("it has %+v", got)
	}
}
