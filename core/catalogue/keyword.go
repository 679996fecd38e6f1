package catalogue

import (
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/product"
)

// keyword turns a keyword into a predicate. It says what product.Keyword.Matches
// says.
func (x *Index) keyword(k product.Keyword, ahead prospect) predicate {
	holds := contains(k.Phrase)
	address, city := &x.known(criteria.KeyAddress).texts, &x.known(criteria.KeyCity).texts
	any := either{
		x.spelling(&x.references, k.Phrase, holds, ahead),
		x.spelling(address, k.Phrase, holds, ahead),
		x.spelling(city, k.Phrase, holds, ahead),
	}
	// The haystack has address and city in one, with a space between. A phrase
	// that begins in the one and ends in the other has its own space there.
	for i := range len(k.Phrase) {
		if k.Phrase[i] == ' ' {
			left, right := k.Phrase[:i], k.Phrase[i+1:]
			any = append(any, all{
				x.spelling(city, right, startsWith(right), ahead),
				x.spelling(address, left, endsWith(left), ahead),
			})
		}
	}
	if k.OwnerNames {
		any = append(any, x.spelling(&x.names, k.Phrase, holds, ahead))
	}
	if k.Price > 0 {
		any = append(any, x.near(k))
	}
	return any
}

// near demands a price near that of the keyword. A value of the price criterion
// that is not a number is no price.
func (x *Index) near(k product.Keyword) predicate {
	for i := range x.orders {
		if x.orders[i].key == product.ByPrice {
			prices := &x.known(criteria.KeyPrice).numbers
			return all{member{&x.orders[i].ranked}, meets[float64]{prices, k.NearPrice}}
		}
	}
	return nowhere()
}
