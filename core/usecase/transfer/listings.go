package transfer

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Portfolio is where listings go, or come from: an agency of a site. In an
// export, agency 0 means all of them.
type Portfolio struct {
	Site   site.ID
	Agency site.AgencyID
}

// Listing is a product as another software describes it, in the terms of the
// criteria, as far as its reader could bring it there.
type Listing struct {
	// Source is where its file has it, such as a line.
	Source    string
	Reference string
	// Agency is what the file calls the agency of the listing; empty when it does not say.
	Agency string
	// Currency is that of the amounts, an ISO 4217 code; empty when the file does not say.
	Currency string
	// Refused is why nothing of the listing can be read; empty when it can.
	Refused string
	// Gone: the file says that there is the listing no more.
	Gone bool
	// Criteria are those of the listing. Others of the product stay.
	Criteria     []ListingCriterion
	Descriptions []product.DescriptionInput
	// Pictures are in the order of the file, which the product takes over.
	Pictures []ListingPicture
	// Intercabinet shares the product with other agencies, if the file says so or not.
	Intercabinet opt.Field[bool]
	// NotUnderstood is what could not be brought into these terms, Unreadable the keys of the
	// criteria that are among it.
	NotUnderstood []NotUnderstood
	Unreadable    []string

	// ID is what an export of products called this one. It counts only together with
	// the reference, for other software numbers its listings too; 0 is none.
	ID product.ID
	// Beyond are the values of the listing that a product would not have already, were it
	// exported in the same format: a file that comes back says nothing new, even
	// where the format cannot say all. The reference of the same product is empty in
	// it. Nil for a format that is not exported.
	Beyond func(Exported) Listing

	// undoes is what a run made of the product that the listing is to undo; nil for one of a file.
	undoes *operator.ImportLine
}

// Damage is a place of a file that cannot be read, or is no whole listing. What is
// before it and after it can be.
type Damage struct {
	// Source is where that is, such as a line.
	Source string
	Why    string
}

// Error implements error.
func (d Damage) Error() string { return d.Source + ": " + d.Why }

// ListingCriterion is a value for a criterion. For one with a referential it is
// the code or the label, case and accents aside.
type ListingCriterion struct {
	// Source is where the other software says so, such as a column.
	Source string
	Key    string
	Value  criteria.Raw
	// Code, for a criterion with several values, is the one that Value, a flag, says
	// to be among them or not. Empty where Value is all of it.
	Code string
}

// ListingPicture is a public picture of a listing.
type ListingPicture struct {
	Name string
	// Title is what the file calls the picture; empty when it does not say.
	Title string
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
	// ImportWithdrawn: the listing is gone, and its product was taken off the web or deleted. Of a source
	// that is done when its file was read to the end.
	ImportWithdrawn ImportAction = "withdrawn"
)

// Imported is what importing one listing did, or in a dry run would do.
type Imported struct {
	Action ImportAction
	// Product is the one that there is now; 0 when there is none.
	Product product.ID
	// Changes names what differs of a changed product; see product.Differences.
	Changes []string
	// Pictures is how many were added, PicturesUnseen how many a dry run did not
	// look at.
	Pictures, PicturesUnseen int
	// PicturesWithdrawn is how many were removed that a source named no more.
	PicturesWithdrawn int
	NotUnderstood     []NotUnderstood
	// Unread are those of the criteria for price, type and place that the listing has and that could
	// not be read, by their keys.
	Unread []string
	// Why a listing was refused.
	Why string
}

// Essential returns the criteria without which a listing is of no use: one whose file has them and cannot be
// read is not for the web, and one without them is for no portal.
func Essential() []string {
	return []string{criteria.KeyPrice, criteria.KeyPropertyType, criteria.KeyTransactionType, criteria.KeyPostalCode, criteria.KeyCity}
}

// understood returns what is left of a listing, for a product as it is now, when
// everything that its site, which has a currency, does not understand was taken out.
func (l Listing) understood(rules product.Rules, currency string, now product.Product) understanding {
	u := understanding{rules: rules, missed: slices.Clone(l.NotUnderstood)}
	given, several := map[string]bool{}, map[string]criteria.Multiple{}
	unreadable := slices.Clone(l.Unreadable)
	for _, c := range l.Criteria {
		if c.Value.Empty() || given[c.Key] {
			continue
		}
		def, known := rules.Dictionary.ByKey(c.Key)
		if !known || !def.Active {
			u.miss(c.Source, "", fault.Textf("the site has no criterion %s", c.Key).String())
			continue
		}
		if isAmount := strings.ContainsAny(def.Unit, "€$£") || strings.HasPrefix(def.Unit, currency); isAmount && l.Currency != "" && !strings.EqualFold(l.Currency, currency) {
			u.miss(c.Source, "", fault.Textf("the amount is in %s", l.Currency).String())
			unreadable = append(unreadable, c.Key)
			continue
		}
		if c.Code != "" {
			u.member(c, def, now.Criteria, several)
			continue
		}
		if given[c.Key] = u.criterion(c.Source, def, def.Recognise(c.Value)); !given[c.Key] {
			unreadable = append(unreadable, c.Key)
		}
	}
	for _, key := range Essential() {
		if slices.Contains(unreadable, key) && !given[key] {
			u.unread = append(u.unread, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(several)) {
		def, _ := rules.Dictionary.ByKey(key)
		u.criterion(key, def, criteria.Restate(several[key]))
	}
	for _, d := range l.Descriptions {
		u.description(d)
	}
	u.change.Intercabinet = l.Intercabinet
	return u
}

type understanding struct {
	rules  product.Rules
	change product.Change
	missed []NotUnderstood
	unread []string
}

func (u *understanding) miss(source, value, why string) {
	u.missed = append(u.missed, NotUnderstood{source, value, why})
}

// criterion adds a value, unless it cannot be one.
func (u *understanding) criterion(source string, def criteria.Definition, value criteria.Raw) bool {
	if _, problem := def.Parse(value, criteria.Reading{Zone: u.rules.Zone}); problem != nil && !value.Empty() {
		text, _ := value.V.(string)
		u.miss(source, text, problem.Message.String())
		return false
	}
	u.change.Criteria.Set = true
	u.change.Criteria.Value = append(u.change.Criteria.Value, product.CriterionInput{ID: def.Key, Value: value})
	return true
}

// member adds a code to those of a criterion, or takes it away.
func (u *understanding) member(c ListingCriterion, def criteria.Definition, now criteria.Values, several map[string]criteria.Multiple) {
	has, isFlag := c.Value.V.(bool)
	choice, known := def.Choice(c.Code)
	switch {
	case !isFlag:
		text, _ := c.Value.V.(string)
		u.miss(c.Source, text, fault.Textf("expected yes or no").String())
		return
	case def.Type != criteria.MULTIPLE, !known, !choice.Active:
		if has {
			u.miss(c.Source, "", fault.Textf("the site has no value %s of %s", c.Code, c.Key).String())
		}
		return
	}
	codes, begun := several[c.Key]
	if !begun {
		codes, _ = now[c.Key].(criteria.Multiple)
	}
	if slices.Contains(codes, c.Code) == has {
		return
	}
	codes = slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return code == c.Code })
	if has {
		codes = append(codes, c.Code)
	}
	several[c.Key] = codes
}

// description adds the texts of a language, as much of them as fits.
func (u *understanding) description(d product.DescriptionInput) {
	source := "description " + d.Language
	same := func(e product.DescriptionInput) bool { return strings.EqualFold(e.Language, d.Language) }
	if slices.ContainsFunc(u.change.Descriptions.Value, same) {
		u.miss(source, "", fault.Textf("the listing has texts in this language already").String())
		return
	}
	u.cut(source+", title", &d.Title, product.MaxTitle)
	u.cut(source+", text", &d.Text, product.MaxText)
	alone := product.Change{Descriptions: opt.Of([]product.DescriptionInput{d})}
	var problems fault.Problems
	if u.rules.Update(product.Product{}, alone, &problems); !problems.Empty() {
		u.miss(source, "", explained(fault.From(problems.Err())))
		return
	}
	u.change.Descriptions.Set, u.change.Descriptions.Value = true, append(u.change.Descriptions.Value, d)
}

// cut shortens a text to what can be kept of it, and says so.
func (u *understanding) cut(source string, text *opt.Field[string], limit int) {
	all := []rune(criteria.Normalise(text.Or("")))
	if len(all) <= limit {
		return
	}
	u.miss(source, text.Value, fault.Textf("only the first %d of its characters were kept", limit-1).String())
	text.Value = criteria.Normalise(string(all[:limit-1])) + "…"
}
