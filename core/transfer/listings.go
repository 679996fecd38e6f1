package transfer

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Portfolio is where listings go, or come from: an agency of a site. In an
// export, agency 0 stands for all of them.
type Portfolio struct {
	Site   site.ID
	Agency site.AgencyID
}

// Listing is a product as another software describes it, in the terms of the
// criteria, as far as whoever read it could bring it there.
type Listing struct {
	Reference string
	// Criteria are what the listing tells. What it does not tell stays as it is.
	Criteria     []ListingCriterion
	Descriptions []product.DescriptionInput
	Pictures     []ListingPicture
	// NotUnderstood is what could not be brought into these terms.
	NotUnderstood []NotUnderstood
}

// ListingCriterion is a value for a criterion. For one with a referential it is
// the code or the label, case and accents aside.
type ListingCriterion struct {
	// Source is where the other software says so, such as a column.
	Source string
	Key    string
	Value  criteria.Raw
}

// ListingPicture is a public picture of a listing.
type ListingPicture struct {
	Name string
	// Remote pictures are not looked at in a dry run.
	Remote bool
	// Open answers with the content, which is good until the next one is opened.
	Open func(ctx context.Context) (listing.File, error)
}

// NotUnderstood is a part of a listing that was left out, and why.
type NotUnderstood struct{ Source, Value, Why string }

// ImportAction is what became of a listing.
type ImportAction string

// The actions.
const (
	ImportCreated   ImportAction = "created"
	ImportChanged   ImportAction = "changed"
	ImportUnchanged ImportAction = "unchanged"
	// ImportRefused: nothing of the listing was stored.
	ImportRefused ImportAction = "refused"
)

// Imported is what importing one listing did, or in a dry run would do.
type Imported struct {
	Action ImportAction
	// Changes names what a changed product got anew: keys of criteria, and
	// description fr for a text.
	Changes []string
	// Pictures is how many were added, PicturesUnseen how many a dry run did not
	// look at.
	Pictures, PicturesUnseen int
	NotUnderstood            []NotUnderstood
	// Why a listing was refused.
	Why string
}

// understood is what is left of a listing when everything that its site does
// not understand was taken out.
func (l Listing) understood(rules product.Rules) (product.Change, []NotUnderstood) {
	missed := append([]NotUnderstood(nil), l.NotUnderstood...)
	var change product.Change
	given := map[string]bool{}
	for _, c := range l.Criteria {
		if c.Value.Empty() || given[c.Key] {
			continue
		}
		def, known := rules.Dictionary.ByKey(c.Key)
		if !known || !def.Active {
			missed = append(missed, NotUnderstood{c.Source, "", "the site has no criterion " + c.Key})
			continue
		}
		value := def.Recognise(c.Value)
		if _, problem := def.Parse(value, criteria.Reading{Zone: rules.Zone}); problem != nil {
			text, _ := c.Value.V.(string)
			missed = append(missed, NotUnderstood{c.Source, text, problem.Message})
			continue
		}
		given[c.Key], change.Criteria.Set = true, true
		change.Criteria.Value = append(change.Criteria.Value, product.CriterionInput{ID: c.Key, Value: value})
	}
	for _, d := range l.Descriptions {
		alone := product.Change{Descriptions: opt.Of([]product.DescriptionInput{d})}
		var problems fault.Problems
		if rules.Update(product.Product{}, alone, &problems); !problems.Empty() {
			missed = append(missed, NotUnderstood{"description " + d.Language, "", problems.Err().Error()})
			continue
		}
		change.Descriptions.Set, change.Descriptions.Value = true, append(change.Descriptions.Value, d)
	}
	return change, missed
}
