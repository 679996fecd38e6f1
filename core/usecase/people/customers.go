package people

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func (u Unit) searchCustomers(in SearchCustomers) (CustomerResult, error) {
	var problems fault.Problems
	filter, outside := u.readFilter(in, &problems)
	p := in.ReadPage(in.SortType, in.SortOrder, []string{"id", "name", "date", "date_added"}, kernel.MaxPageHydrated, &problems)
	if err := kernel.FirstError(outside, problems.Err()); err != nil {
		return CustomerResult{}, err
	}
	found, err := u.Customers().Find(port.CustomerQuery{
		Site: u.Site.ID, Filter: filter, After: customer.ID(p.After), Skip: p.Skip, Limit: p.Limit + 1,
		Order: customer.Order{Key: customerKeys[p.Sort], Desc: p.Descending},
	})
	result := CustomerResult{Data: []listing.CustomerSummary{}, Mode: p.Mode, HasMore: len(found) > p.Limit}
	for _, one := range found[:min(len(found), p.Limit)] {
		result.Data = append(result.Data, *listing.CustomerSummaryOf(one))
	}
	if result.HasMore {
		result.NextCursor = p.Next(int64(found[p.Limit-1].ID), true)
	}
	return result, err
}

var customerKeys = map[string]customer.Key{
	"id": customer.ByID, "name": customer.ByName, "date": customer.ByModified, "date_added": customer.ByAdded,
}

// readFilter returns the filters of a request. An agency_id outside the scope is the error
// outside, because it is Forbidden and not Invalid.
func (u Unit) readFilter(in SearchCustomers, problems *fault.Problems) (f customer.Filter, outside error) {
	f.Email = customer.EmailKey(in.Email.Or(""))
	form.Form{Problems: problems}.Known("type", &f.Type, in.Type, u.Site.Dictionary, criteria.CustomerTypes)
	f.ModifiedSince = u.Site.Since("last_modified", in.LastModified, problems)
	for field, text := range map[string]string{"email": in.Email.Or(""), "phone": in.Phone.Or("")} {
		kernel.CheckText(field, text, kernel.MaxText, problems)
	}
	if in.Email.Given() && f.Email == "" {
		// It must not match everybody: a form with an empty field would find strangers.
		problems.Add("email", fault.CodeInvalidFormat, "an e-mail address is not empty")
	}
	if keyword := in.Keyword.Or(""); kernel.CheckText("keyword", keyword, kernel.MaxText, problems) {
		f.Keyword = criteria.Fold(keyword)
	}
	if phone := in.Phone.Or(""); in.Phone.Given() {
		e164, also := customer.ReadNumbers(phone, u.Site.Settings().Country, "", u.E164)
		if f.Phone = customer.PhoneKey(phone, e164); len(also) > 0 {
			f.Digits = also[0]
		}
		if len(strings.TrimLeft(f.Phone, "+")) < 4 {
			problems.Wrong("phone", fault.CodeInvalidFormat, phone, "a phone number has at least 4 digits")
		}
	}
	if in.IsArchived.Given() {
		f.Archived = &in.IsArchived.Value
	}
	if id := kernel.ID[site.UserID]("user_id", in.UserID, problems); id != 0 {
		f.Users = []site.UserID{id}
	}
	f.Agencies, outside = u.ListedAgencies(in.AgencyID, problems)
	return f, outside
}

func (s *Service) createCustomer(ctx context.Context, c kernel.Caller, in CreateCustomer) (CreatedCustomer, error) {
	var problems fault.Problems
	draft := CustomerRules(s.k.Basis(c)).Create(in.Change, &problems)
	agency, err := c.AgencyOf(in.AgencyID, &problems)
	if err != nil {
		return CreatedCustomer{}, err
	}
	c.CheckUser(in.UserID, 0, &problems)
	if err := problems.Err(); err != nil {
		return CreatedCustomer{}, err
	}
	draft.Site, draft.Agency = c.Site.ID, agency
	return writes(s, Unit.addCustomer)(ctx, c, draft)
}

// addCustomer adds a customer. The answer names others with the same e-mail address or phone
// number.
func (u Unit) addCustomer(draft customer.Customer) (CreatedCustomer, error) {
	if err := u.checkMentions(customer.Customer{}, draft); err != nil {
		return CreatedCustomer{}, err
	}
	alike, err := u.sharingContacts(draft)
	if err != nil {
		return CreatedCustomer{}, err
	}
	names := make([]string, len(alike))
	for i, id := range alike {
		names[i] = strconv.FormatInt(int64(id), 10)
	}
	added, err := Customers.Create(u, draft)
	return CreatedCustomer{Created: u.Created("/customers/", int64(added.ID)), PossibleDuplicates: strings.Join(names, ",")}, err
}

// maxAlike is the largest number of customers with the same contacts in an answer.
const maxAlike = 20

// sharingContacts returns the customers in scope that have an e-mail address or a phone number
// of another one.
func (u Unit) sharingContacts(of customer.Customer) ([]customer.ID, error) {
	var ids []customer.ID
	for _, key := range customer.ContactKeys(of) {
		found, err := u.Customers().Find(port.CustomerQuery{
			Site: u.Site.ID, Filter: customer.Filter{Agencies: u.Scope.Agencies(), Phone: key}, Limit: maxAlike,
		})
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if f.ID != of.ID {
				ids = append(ids, f.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// CustomerRules returns the settings on which changes of customers depend.
func CustomerRules(b kernel.Basis) customer.Rules {
	return customer.Rules{
		Dictionary: b.Site.Dictionary, Country: b.Site.Settings().Country, Zone: b.Site.Zone, Now: b.Now, E164: b.E164,
	}
}

// Customer returns a customer of the caller's site. It fails as NotFound when there is none, and
// as Forbidden when the agency is outside the scope.
func (u Unit) Customer(id int64) (customer.Customer, error) {
	return Customers.Get(u, customer.ID(id))
}

// knownCustomer is Customer for use cases that add something: it fails as Conflict when the
// customer was anonymised.
func (u Unit) knownCustomer(id int64) (customer.Customer, error) {
	found, err := u.Customer(id)
	return found, kernel.FirstError(err, checkKnown(found))
}

// unlockedCustomer is knownCustomer, read by Resource.GetUnlocked.
func (u Unit) unlockedCustomer(id int64) (customer.Customer, error) {
	found, err := Customers.GetUnlocked(u, customer.ID(id))
	return found, kernel.FirstError(err, checkKnown(found))
}

func checkKnown(c customer.Customer) error {
	if !c.IsAnonymous() {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeCustomerAnonymized, "the customer was anonymised: nothing can be added")
}

func (u Unit) updateCustomer(in UpdateCustomer) (kernel.Changed, error) {
	before, err := u.unlockedCustomer(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	return Customers.Change(u, before, in.IfMatch, func(before customer.Customer) (customer.Customer, error) {
		var problems fault.Problems
		after := CustomerRules(u.Basis).Update(before, in.Change, &problems)
		if err := u.CheckAgency(in.AgencyID, &problems); err != nil {
			return before, err
		}
		u.CheckUser(in.UserID, before.User, &problems)
		return after, problems.Err()
	})
}

// checkMentions returns an error if a customer whom a new state names does not exist, or was
// anonymised.
func (u Unit) checkMentions(before, after customer.Customer) error {
	var problems fault.Problems
	check := func(field string, id customer.ID) error {
		if id == after.ID || before.Mentions(id) {
			return nil
		}
		return u.CheckCustomer(field, id, &problems)
	}
	err := check("notary.customer_id", after.Notary.Customer)
	for i, r := range after.Related {
		err = kernel.FirstError(err, check("related_contacts["+strconv.Itoa(i)+"].customer_id", r.Customer))
	}
	return kernel.FirstError(err, problems.Err())
}

// deleteCustomer deletes a customer, unless they own products.
func (u Unit) deleteCustomer(in DeleteCustomer) (kernel.None, error) {
	before, err := u.Customer(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	f, err := u.footprint(before)
	if err != nil {
		return kernel.None{}, err
	}
	if n := len(f.owned); n > 0 {
		return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "the customer owns %d products; give them to another or delete them first", n)
	}
	if err := kernel.FirstError(f.deals.CheckDeletable(u.Unit.Unit), in.IfMatch.Check(kernel.Version(before.Version))); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.remove(f)
}

// listCustomerProducts lists the products a customer owns, by id.
func (s *Service) listCustomerProducts(ctx context.Context, c kernel.Caller, in CustomerProducts) (listing.SearchResult, error) {
	owner, absent := reads(s, Unit.Customer)(ctx, c, in.ID)
	p, err := in.ReadPage()
	if err := kernel.FirstError(absent, err); err != nil {
		return listing.SearchResult{}, err
	}
	return s.listing.Page(ctx, c, in.Fetch, product.Filter{Customer: owner.ID}, p)
}

// pageOf returns a page of the records of a customer.
func pageOf[ID ~int64, T, R any](u Unit, in CustomerList, from port.CustomerTable[ID, T], id func(T) ID, record func(T) R) (kernel.CursorPage[R], error) {
	owner, absent := u.Customer(in.ID)
	p, err := in.ReadPage()
	if err := kernel.FirstError(absent, err); err != nil {
		return kernel.CursorPage[R]{}, err
	}
	found, err := from.ScanOf(u.Site.ID, owner.ID, ID(p.After), p.Limit+1)
	return kernel.CutPage(p, found, func(v T) int64 { return int64(id(v)) }, record), err
}

func (u Unit) getCustomer(in CustomerPath) (Customer, error) {
	found, err := u.Customer(in.ID)
	if err != nil {
		return Customer{}, err
	}
	return u.customerRecord(found)
}

// customerRecord returns a customer with the roles and counts of their products, search
// requests, follow-ups and actions.
func (u Unit) customerRecord(of customer.Customer) (Customer, error) {
	record := plainCustomer(of)
	owned, err := u.Products().OwnedBy(of.Site, of.ID)
	if err != nil {
		return record, err
	}
	wanted, err := u.SearchRequests().Of(of.Site, of.ID)
	if err != nil {
		return record, err
	}
	attached, err := u.FollowUps().Of(of.Site, of.ID)
	if err != nil {
		return record, err
	}
	deals, err := dealrecords.PartyOf(u.Unit.Unit, of.ID)
	if err != nil {
		return record, err
	}
	rejections, err := u.Rejections().Many(of.Site, event.CustomerUpdate.Resource(), []int64{int64(of.ID)})
	if err != nil {
		return record, err
	}
	for _, p := range owned {
		record.addRole(demand.OwnerRole(p.Criteria.Code(criteria.KeyTransactionType)))
		if m, ok := p.Mandate(u.Today(p.Agency)); ok {
			record.Mandates = append(record.Mandates, mandateRecord(p, m))
		}
	}
	for _, r := range wanted {
		record.addRole(demand.SeekerRole(r.TransactionType))
	}
	for _, role := range deals.Roles(u.Unit.Unit) {
		record.addRole(role)
	}
	record.SearchesCount, record.FollowUpsCount = len(wanted), len(attached)
	last, err := u.Actions().LastContact(of.Site, of.ID, u.Now)
	if err != nil {
		return record, err
	}
	for _, f := range attached {
		for _, step := range f.History {
			last = kernel.Latest(step.At, last)
		}
	}
	record.LastContactAt = kernel.When(last)
	if u.Grant.Packs.Any(access.Webhooks) {
		for _, r := range rejections {
			record.SyncErrors = append(record.SyncErrors, listing.SyncErrorOf(r))
		}
	}
	return record, nil
}

// addRole adds a role, unless it is empty.
func (r *Customer) addRole(role string) {
	if role != "" && !slices.Contains(r.Roles, role) {
		r.Roles = append(r.Roles, role)
	}
}
