package kernel_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// unshared lists the keys of the definitions that site 1 does not share with site 2.
func (k ownKernel) unshared() (keys []string) {
	others := map[*criteria.Definition]bool{}
	for d := range k.caller(2).Site.Dictionary.All() {
		others[d] = true
	}
	for d := range k.caller(1).Site.Dictionary.All() {
		if !others[d] {
			keys = append(keys, d.Key)
		}
	}
	return keys
}

func TestSitesWithTheSameWordsShareThem(t *testing.T) {
	k := newKernel(t)
	// The two differ in the types of actions alone.
	first, second := k.caller(1).Site, k.caller(2).Site
	if first.Vocabulary == second.Vocabulary || len(k.unshared()) > 0 {
		t.Errorf("%v is not shared", k.unshared())
	}
	for _, types := range first.ActionTypes {
		k.world.Update(func(tx port.Tx) error { return tx.ActionTypes().Put(2, types) })
	}
	k.world.Update(func(tx port.Tx) error { return tx.Ledger().Touch(2, port.AspectSettings) })
	if first.Vocabulary != k.caller(2).Site.Vocabulary {
		t.Error("a vocabulary that is the same in everything is not shared")
	}
	k.world.Redefine(func(c *transfer.SetupCriterion) {
		if c.Key == "Ville" {
			c.Label = "Commune"
		}
	})
	if unshared := k.unshared(); len(unshared) != 1 || unshared[0] != "Ville" {
		t.Errorf("after one criterion of a site was renamed, %v is not shared", unshared)
	}
	if d, _ := k.caller(2).Site.Dictionary.ByKey("Ville"); d.Label != "Ville" {
		t.Errorf("the other site has %q", d.Label)
	}
}

// What sites share is counted once, however many they are.
func TestWhatIsSharedIsCountedOnce(t *testing.T) {
	const sites = 50
	k := newKernel(t)
	words := apitest.Network().Sites[0]
	var more transfer.Setup
	for id := int64(100); id < 100+sites; id++ {
		more.Sites = append(more.Sites, transfer.SetupSite{
			ID: id, Name: "One of many", SetupVocabulary: words.SetupVocabulary,
			Agencies: []transfer.SetupAgency{{ID: 10 * id, Name: "Its agency"}},
		})
	}
	k.world.Provision(more)
	k.caller(1)
	one := k.Cached()["vocabularies"]
	for _, s := range more.Sites {
		k.caller(site.ID(s.ID))
	}
	if all := k.Cached()["vocabularies"]; one.Bytes == 0 || all != one {
		t.Errorf("the vocabulary of one site is %+v, that of all %+v", one, all)
	}
	if settings := k.Cached()["settings"]; settings.Values != sites+1 || settings.Bytes/settings.Values > one.Bytes/2 {
		t.Errorf("beside %d bytes that they share they have %+v", one.Bytes, settings)
	}
}
