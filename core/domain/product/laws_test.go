package product_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// The laws of PATCH.

func TestP21_AnUpdateNeverTouchesTheOriginal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		before := whole(p)
		after, _ := update(p, drawChange(t, p, rapid.Bool().Draw(t, "right")))
		if whole(p) != before {
			t.Fatalf("%s\nbecame %s", before, whole(p))
		}
		spoil(&after)
		if whole(p) != before {
			t.Fatalf("%s\nshares with its update: %s", before, whole(p))
		}
	})
}

// spoil changes everything a product holds in place.
func spoil(p *product.Product) {
	for key := range p.Criteria {
		p.Criteria[key] = criteria.Text("spoilt")
	}
	p.Criteria["Spoilt"] = criteria.Text("spoilt")
	for i := range p.Rooms {
		p.Rooms[i] = product.Room{ID: -1, Type: "spoilt"}
	}
	for i := range p.Descriptions {
		p.Descriptions[i] = product.Description{Language: "spoilt"}
	}
	_ = append(p.Rooms, product.Room{ID: -2})
	_ = append(p.Descriptions, product.Description{Language: "spoilt"})
}

func TestP14_AnEmptyChangeChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		after, problems := update(p, product.Change{})
		if !problems.Empty() || !after.Same(p) || whole(after) != whole(p) {
			t.Fatalf("%s\nbecame %s, %s", whole(p), whole(after), told(problems))
		}
	})
}

func TestP14_TheSameChangeTwiceIsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		c := drawChange(t, p, true)
		once, problems := update(p, c)
		if !problems.Empty() {
			t.Fatalf("a right change: %s", told(problems))
		}
		twice, problems := update(once, c)
		if !problems.Empty() || !twice.Same(once) || whole(twice) != whole(once) {
			t.Fatalf("once %s\ntwice %s, %s", whole(once), whole(twice), told(problems))
		}
	})
}

// Written back as responses show it, a product is the same.
func TestP14_WritingBackWhatWasReadChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		c := product.Change{
			Model: opt.Of(p.Reference), AgencyID: opt.Of(int64(p.Agency)), WebStatus: opt.Of(p.WebStatus), Intercabinet: opt.Of(p.Intercabinet),
			SellerStatistics: opt.Of(p.SellerStatistics),
			UserID:           nullable(int64(p.User)), Color: nullable(p.Color), NextContact: nullable(p.NextContact),
		}
		c.Criteria.Set, c.Rooms.Set = true, true
		for key, value := range p.Criteria {
			c.Criteria.Value = append(c.Criteria.Value, give(key, shown(value)))
		}
		for _, r := range p.Rooms {
			change := product.RoomInput{
				ID: opt.Of(r.ID), Type: opt.Of(r.Type), Exposition: nullable(r.Exposition), Vue: nullable(r.Vue), Sol: nullable(r.Sol),
				Commentaire: nullable(r.Commentaire), Surface: opt.Null[float64](), Niveau: opt.Null[int](),
			}
			if r.Surface != nil {
				change.Surface = opt.Of(*r.Surface)
			}
			if r.Niveau != nil {
				change.Niveau = opt.Of(*r.Niveau)
			}
			c.Rooms.Value = append(c.Rooms.Value, change)
		}
		after, problems := update(p, c)
		if !problems.Empty() || !after.Same(p) {
			t.Fatalf("%s\nbecame %s, %s", whole(p), whole(after), told(problems))
		}
	})
}

func nullable[T comparable](value T) opt.Field[T] {
	var zero T
	if value == zero {
		return opt.Null[T]()
	}
	return opt.Of(value)
}

// shown is a value as a client sends it that read it in a response.
func shown(v criteria.Value) any {
	switch plain := criteria.Plain(v).(type) {
	case float64:
		return number(criteria.Number(plain).String())
	case int:
		return plain == 1
	case []string:
		items := list()
		for _, code := range plain {
			items = append(items, code)
		}
		return items
	default:
		return plain
	}
}

func TestUpdatesOfDisjointCriteriaCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		keys := rapid.Permutation(allKeys).Draw(t, "keys")
		cut := rapid.IntRange(0, len(keys)).Draw(t, "cut")
		a, b := drawCriteria(t, keys[:cut], true), drawCriteria(t, keys[cut:], true)
		apply := func(changes ...[]product.CriterionInput) product.Product {
			q := p
			for _, c := range changes {
				after, problems := update(q, criteriaOf(c...))
				if !problems.Empty() {
					t.Fatal(told(problems))
				}
				q = after
			}
			return q
		}
		ab, ba, both := apply(a, b), apply(b, a), apply(slices.Concat(a, b))
		if !ab.Same(ba) || !ab.Same(both) {
			t.Fatalf("%v then %v: %v; the other way: %v; at once: %v", a, b, ab.Criteria, ba.Criteria, both.Criteria)
		}
	})
}

func TestCriteriaNotNamedAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		changes := drawCriteria(t, drawKeys(t), rapid.Bool().Draw(t, "right"))
		after, _ := update(p, criteriaOf(changes...))
		named := map[string]bool{}
		for _, c := range changes {
			def, _ := dictionary.Find(c.ID)
			named[def.Key] = true
		}
		for key := range dictionary.All() {
			if !named[key.Key] && !criteria.Equal(after.Criteria[key.Key], p.Criteria[key.Key]) {
				t.Fatalf("%v changed %s from %v to %v", changes, key.Key, p.Criteria[key.Key], after.Criteria[key.Key])
			}
		}
		after.Criteria = p.Criteria
		if !after.Same(p) {
			t.Fatalf("%v changed more than criteria: %s", changes, whole(after))
		}
	})
}

// What an update does to the fields it names is what a creation makes of them.
func TestCreateAndUpdateAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChange(t, product.Product{}, true)
		blank, _ := create(product.Change{})
		created, _ := create(c)
		updated, problems := update(blank, c)
		if !problems.Empty() || !created.Same(updated) {
			t.Fatalf("created %s\nupdated %s, %s", whole(created), whole(updated), told(problems))
		}
	})
}

func TestCloneIsTheSameAndSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProduct(t)
		before := whole(p)
		q := p.Clone()
		if !p.Same(q) || !q.Same(p) || whole(q) != before {
			t.Fatalf("%s\nwas copied as %s", before, whole(q))
		}
		spoil(&q)
		if whole(p) != before {
			t.Fatalf("%s\nshares with its copy: %s", before, whole(p))
		}
	})
	if (product.Product{}).Clone().Criteria == nil {
		t.Error("the copy of an empty product cannot be written to")
	}
}

func TestSameIsAnEquivalence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := []product.Product{drawProduct(t)}
		for range 4 {
			from := rapid.SampledFrom(states).Draw(t, "from")
			next, _ := update(from, criteriaOf(drawCriteria(t, rapid.SampledFrom([][]string{{"Prix"}, {"Ascenseur"}, {}}).Draw(t, "keys"), true)...))
			next.ID++
			states = append(states, next)
		}
		for _, p := range states {
			if !p.Same(p) {
				t.Fatalf("%s is not the same as itself", whole(p))
			}
			for _, q := range states {
				if p.Same(q) != q.Same(p) {
					t.Fatalf("one way only: %s\n%s", whole(p), whole(q))
				}
				for _, r := range states {
					if p.Same(q) && q.Same(r) && !p.Same(r) {
						t.Fatalf("not passed on: %s\n%s\n%s", whole(p), whole(q), whole(r))
					}
				}
			}
		}
	})
}

// P35: every field of a product, a room and a text is either visible or not,
// and a new one has to be put into this table.
func TestP35_SameSeesEveryVisibleField(t *testing.T) {
	visible := map[string]func(*product.Product){
		"Agency": func(p *product.Product) { p.Agency++ }, "User": func(p *product.Product) { p.User++ },
		"Customer": func(p *product.Product) { p.Customer++ }, "Parent": func(p *product.Product) { p.Parent++ },
		"Reference": func(p *product.Product) { p.Reference = "m-7" }, "WebStatus": func(p *product.Product) { p.WebStatus = !p.WebStatus },
		"Intercabinet":     func(p *product.Product) { p.Intercabinet = !p.Intercabinet },
		"SellerStatistics": func(p *product.Product) { p.SellerStatistics = !p.SellerStatistics },
		"NextContact":      func(p *product.Product) { p.NextContact = "" }, "Color": func(p *product.Product) { p.Color++ },
		"Criteria":     func(p *product.Product) { p.Criteria["Prix"] = criteria.Number(250000.01) },
		"Derived":      func(p *product.Product) { p.Derived.Climate = true },
		"Rooms":        func(p *product.Product) { p.Rooms = p.Rooms[:1] },
		"Descriptions": func(p *product.Product) { p.Descriptions = p.Descriptions[:1] },

		"Room.ID": func(p *product.Product) { p.Rooms[0].ID++ }, "Room.Type": func(p *product.Product) { p.Rooms[0].Type = "CUISINE" },
		"Room.Surface": func(p *product.Product) { p.Rooms[0].Surface = pointer(25.51) }, "Room.Niveau": func(p *product.Product) { p.Rooms[0].Niveau = nil },
		"Room.Exposition": func(p *product.Product) { p.Rooms[0].Exposition = "N" }, "Room.Vue": func(p *product.Product) { p.Rooms[0].Vue = "" },
		"Room.Sol": func(p *product.Product) { p.Rooms[0].Sol = "LINO" }, "Room.Commentaire": func(p *product.Product) { p.Rooms[0].Commentaire = "Clair" },

		"Description.Language":  func(p *product.Product) { p.Descriptions[0].Language = "es" },
		"Description.Title":     func(p *product.Product) { p.Descriptions[0].Title = "" },
		"Description.Text":      func(p *product.Product) { p.Descriptions[0].Text += "." },
		"Description.ShortText": func(p *product.Product) { p.Descriptions[0].ShortText = "" },

		"Pictures":   func(p *product.Product) { slices.Reverse(p.Pictures) },
		"Picture.ID": func(p *product.Product) { p.Pictures[0].ID++ }, "Picture.Visibility": func(p *product.Product) { p.Pictures[0].Visibility = product.Private },
		"Picture.Label": func(p *product.Product) { p.Pictures[0].Label = "" }, "Picture.Width": func(p *product.Product) { p.Pictures[0].Width++ },
		"Picture.Height": func(p *product.Product) { p.Pictures[0].Height++ }, "Picture.Size": func(p *product.Product) { p.Pictures[0].Size++ },
		"Picture.ContentType": func(p *product.Product) { p.Pictures[0].ContentType = "" }, "Picture.SHA256": func(p *product.Product) { p.Pictures[0].SHA256 = "" },
		"Picture.Sent": func(p *product.Product) { p.Pictures[0].Sent = "" }, "Picture.Added": func(p *product.Product) { p.Pictures[0].Added = time.Unix(1, 0) },
	}
	invisible := map[string]func(*product.Product){
		"ID": func(p *product.Product) { p.ID++ }, "Site": func(p *product.Product) { p.Site++ }, "CreatedBy": func(p *product.Product) { p.CreatedBy++ },
		"Added": func(p *product.Product) { p.Added = time.Unix(1, 0) }, "Modified": func(p *product.Product) { p.Modified = time.Unix(1, 0) },
		"Geocoded": func(p *product.Product) { p.Geocoded = product.Geocoded{For: product.Address{City: "ailleurs"}} }, // of another address
		"Deleted":  func(p *product.Product) { p.Deleted = time.Unix(1, 0) }, "Version": func(p *product.Product) { p.Version++ },
	}
	for field, change := range visible {
		p := flat(t)
		if change(&p); p.Same(flat(t)) || flat(t).Same(p) {
			t.Errorf("nobody would see that %s changed", field)
		}
	}
	for field, change := range invisible {
		p := flat(t)
		if change(&p); !p.Same(flat(t)) {
			t.Errorf("%s is no difference anybody sees in the product", field)
		}
	}
	for prefix, typed := range map[string]reflect.Type{
		"": reflect.TypeFor[product.Product](), "Room.": reflect.TypeFor[product.Room](), "Description.": reflect.TypeFor[product.Description](),
		"Picture.": reflect.TypeFor[product.Picture](),
	} {
		for i := range typed.NumField() {
			field := prefix + typed.Field(i).Name
			if visible[field] == nil && invisible[field] == nil {
				t.Errorf("%s is new: say here whether it is visible", field)
			}
		}
	}
}
