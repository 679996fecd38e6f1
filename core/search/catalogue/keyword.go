package catalogue

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// keyword turns a keyword into a predicate. It says what product.Keyword.Matches
// says of what shows through the veil.
func (x *Index) keyword(k product.Keyword, veil product.Veil, ahead prospect) predicate {
	holds := phrase{k.Phrase, anywhere}
	address, city := &x.shown(criteria.KeyAddress, veil).texts, &x.shown(criteria.KeyCity, veil).texts
	addressed := func(demand predicate) predicate {
		if veil.Addresses {
			return all{not{x.masked()}, demand}
		}
		return demand
	}
	somewhere := either{
		x.spelling(&x.references, holds, ahead),
		addressed(x.written(address, holds, ahead)),
		x.written(city, holds, ahead),
	}
	// The haystack has address and city in one, with a space between. A phrase
	// that begins in the one and ends in the other has its own space there.
	for left, right := range cuts(k.Phrase) {
		if begun := x.written(city, phrase{right, atStart}, ahead); !impossible(begun) {
			somewhere = append(somewhere, addressed(all{begun, x.written(address, phrase{left, atEnd}, ahead)}))
		}
	}
	if k.OwnerNames {
		somewhere = append(somewhere, x.spelling(&x.names, holds, ahead))
	}
	if k.Price > 0 && !veil.Private[criteria.KeyPrice] {
		somewhere = append(somewhere, x.near(k))
	}
	return somewhere.simplified()
}

// near demands a price near that of a keyword.
type near struct {
	prices  *column[float64]
	ranked  *set
	keyword product.Keyword
}

// near turns the number in a keyword into a predicate. Only what is ranked as a
// price is one: the criterion may also have values that are dates.
func (x *Index) near(k product.Keyword) predicate {
	return near{&x.known(criteria.KeyPrice).numbers, &x.order(product.ByPrice).ranked, k}
}

func (p near) narrow(w *window) {
	p.ranked.intersect(&w.words, w.number)
	p.prices.keep(w, p.keyword.NearPrice)
}

func (p near) meets(slot uint32) bool {
	return p.ranked.has(slot) && p.keyword.NearPrice(p.prices.get(slot))
}

func (p near) cost() float64 { return 2 * costOfColumn }

func (p near) share(float64) float64 { return shareOfRange }
