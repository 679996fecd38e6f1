package e2e_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// atOnce sends so many requests at the same moment.
func atOnce(n int, send func(int) answer) []answer {
	answers := make([]answer, n)
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			answers[i] = send(i)
		})
	}
	close(start)
	all.Wait()
	return answers
}

// oneOf demands that one of the answers is 204, and that all others are a conflict
// with a code.
func (d dealer) oneOf(answers []answer, code string) (first int) {
	d.t.Helper()
	first = -1
	for i, a := range answers {
		switch {
		case a.status != 204:
			a.refused(409, code)
		case first >= 0:
			d.t.Errorf("%s and %s both succeed", answers[first].request, a.request)
		default:
			first = i
		}
	}
	if first < 0 {
		d.t.Fatal("none succeeds")
	}
	return first
}

// TestRace_OfFiftyWhoAcceptForOneProductOneSucceeds.
func TestRace_OfFiftyWhoAcceptForOneProductOneSucceeds(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat("NumeroMandat", nil)
		buyers := []int64{d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("ACQUEREUR")}
		var offers []int64
		for n := range 50 {
			offers = append(offers, d.opened(home, buyers[n%3], object{"buyers": list{buyers[n%3], buyers[(n+1)%3]}}))
		}
		ledger := d.ledger()
		answers := atOnce(50, func(n int) answer { return d.send("POST", offerPath(offers[n], "accept"), nil) })
		won := offers[d.oneOf(answers, "offer_already_accepted")]
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("OFFER_UPDATE", won))
		for _, a := range answers {
			if a.status == 409 {
				a.equals("error.details.0.value", won)
			}
		}
		d.post("/sale-offers/search", object{"product_id": home, "status": "ACCEPTEE"}).equals("data.0.id", won).equals("has_more", false)
	}, racing)
}

func TestRace_OfManyWhoSignForOneProductOneSucceeds(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat("NumeroMandat", nil)
		var agreements []int64
		for range 20 {
			agreements = append(agreements, d.agreement(home, d.who("ACQUEREUR")))
		}
		ledger := d.ledger()
		won := agreements[d.oneOf(atOnce(20, func(n int) answer {
			return d.send("POST", agreementPath(agreements[n], "sign"), object{"date_signature": dealsToday})
		}), "agreement_exists")]
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("AGREEMENT_UPDATE", won))
		// Offers and agreements are in each other's way, too.
		flat, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		offers, drafts := make([]int64, 10), make([]int64, 10)
		for n := range 10 {
			offers[n], drafts[n] = d.opened(flat, buyer), d.agreement(flat, buyer)
		}
		succeeded := 0
		for _, a := range atOnce(20, func(n int) answer {
			if n%2 == 0 {
				return d.send("POST", offerPath(offers[n/2], "accept"), nil)
			}
			return d.send("POST", agreementPath(drafts[n/2], "sign"), object{"date_signature": dealsToday})
		}) {
			if a.status == 204 {
				succeeded++
			} else {
				a.is(409)
			}
		}
		if succeeded != 1 {
			t.Errorf("%d of accepting and signing succeed", succeeded)
		}
	}, racing)
}

func TestRace_OfManyLeasesOfOneProductOneIsSigned(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		var leases []int64
		for range 20 {
			leases = append(leases, d.lease(home, d.who("LOCATAIRE")))
		}
		d.oneOf(atOnce(20, func(n int) answer {
			return d.send("POST", leasePath(leases[n], "sign"), object{"date_signature": dealsToday})
		}), "lease_exists")
	}, racing)
}

func TestRace_OneAgreementIsMadeFromAnOffer(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		offer := d.accepted(home, d.who("ACQUEREUR"))
		made := int64(0)
		for _, a := range atOnce(10, func(int) answer {
			return d.send("POST", "/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": offer})
		}) {
			if a.status == 201 && made == 0 {
				made = a.id("data.id")
				continue
			}
			a.refused(409, "agreement_exists")
		}
		d.get(offerPath(offer)).is(200).has(object{"sale_agreement_id": made})
	}, racing)
}

// TestRace_NumbersHaveNoGaps: of records made at once, some of them refused.
func TestRace_NumbersHaveNoGaps(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		var numbers []int
		for _, a := range atOnce(40, func(n int) answer {
			return d.send("POST", "/sale-offers", object{"product_id": home, "buyers": list{buyer}, "amount": (n % 4) * 1000, "agency_id": 12})
		}) {
			if a.status != 201 {
				a.refused(422, "out_of_range", "amount")
				continue
			}
			var n int
			fmt.Sscanf(d.get(offerPath(a.id("data.id"))).text("data.number"), "12-O%d", &n)
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for n := range numbers {
			if numbers[n] != numbers[0]+n {
				t.Fatalf("the numbers are %v", numbers)
			}
		}
		if len(numbers) != 30 {
			t.Errorf("%d offers were made", len(numbers))
		}
	}, racing)
}

// TestRace_CustomersWhoLeaveAndThoseWhoNameThem: nobody is left in a record that is
// gone, and no record names nobody.
func TestRace_CustomersWhoLeaveAndThoseWhoNameThem(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		for range 5 {
			home, _ := d.flat()
			buyer := d.who("ACQUEREUR")
			answers := atOnce(6, func(n int) answer {
				switch n {
				case 0:
					return d.send("DELETE", customerPath(buyer), nil)
				case 1:
					return d.send("DELETE", product(home), nil)
				}
				return d.send("POST", "/sale-offers", object{"product_id": home, "buyers": list{buyer}, "amount": 5, "status": []string{"BROUILLON", "EN_COURS"}[n%2]})
			})
			there := d.get(customerPath(buyer)).status == 200
			if there == (answers[0].status == 204) {
				t.Errorf("%s: and then %v", answers[0], there)
			}
			for _, a := range answers[2:] {
				if a.status != 201 {
					a.is(422)
					continue
				}
				if got := d.get(offerPath(a.id("data.id"))); !there {
					got.is(404)
				} else {
					got.is(200).has(object{"buyers": list{float64(buyer)}})
				}
			}
		}
	}, racing)
}
