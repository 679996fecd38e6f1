package siteapi

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// SearchCustomers finds customers, by e-mail address or phone number above all
// (contract: What the service does, point 9a).
func (s *Service) SearchCustomers(ctx context.Context, c Caller, in SearchCustomers) (CustomerResult, error) {
	var problems fault.Problems
	filter, outside := s.customerFilter(c, in, &problems)
	p := readPaging(in.Paging, in.SortType, in.SortOrder, []string{"id", "name", "date", "date_added"}, maxPageHydrated, &problems)
	if err := firstError(outside, problems.Err()); err != nil {
		return CustomerResult{}, err
	}
	query := port.CustomerQuery{
		Site: c.Site(), Filter: filter, After: customer.ID(p.after), Skip: p.skip, Limit: p.limit + 1,
		Order: customer.Order{Key: customerKeys[p.sort], Desc: p.descending},
	}
	var found []customer.Customer
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		found, err = tx.Customers().Find(query)
		return err
	})
	result := CustomerResult{Data: []CustomerSummary{}, Mode: p.mode, HasMore: len(found) > p.limit}
	for _, one := range found[:min(len(found), p.limit)] {
		result.Data = append(result.Data, *customerSummary(one))
	}
	if result.HasMore && p.mode == cursorMode {
		cursor := catalogue.EncodeCursor(product.ID(found[p.limit-1].ID))
		result.NextCursor = &cursor
	}
	return result, err
}

var customerKeys = map[string]customer.Key{
	"id": customer.ByID, "name": customer.ByName, "date": customer.ByModified, "date_added": customer.ByAdded,
}

// customerFilter reads the filters of a request. An agency_id outside the scope
// is returned apart, because it is Forbidden rather than Invalid.
func (s *Service) customerFilter(c Caller, in SearchCustomers, problems *fault.Problems) (customer.Filter, error) {
	f := customer.Filter{
		Agencies:      c.Scope.Agencies(),
		Email:         customer.EmailKey(in.Email.Or("")),
		Type:          in.Type.Or(""),
		ModifiedSince: c.since(in.LastModified, problems),
	}
	for field, text := range map[string]string{"email": in.Email.Or(""), "phone": in.Phone.Or(""), "type": f.Type} {
		checkText(field, text, maxKeyword, problems)
	}
	if in.Email.Given() && f.Email == "" {
		// Not everybody: a form with an empty field would take a stranger for its sender.
		problems.Add("email", fault.CodeInvalidFormat, "an e-mail address is not empty")
	}
	if keyword := in.Keyword.Or(""); checkText("keyword", keyword, maxKeyword, problems) {
		f.Keyword = criteria.Fold(keyword)
	}
	if phone := in.Phone.Or(""); in.Phone.Given() {
		f.Phone = customer.PhoneKey(phone, s.ports.E164(phone, c.settings.site.Settings.Country))
		if len(strings.TrimLeft(f.Phone, "+")) < 4 {
			problems.Wrong("phone", fault.CodeInvalidFormat, phone, "a phone number has at least 4 digits")
		}
	}
	if in.IsArchived.Given() {
		f.Archived = &in.IsArchived.Value
	}
	if id := positive("user_id", in.UserID, problems); id != 0 {
		f.Users = []site.UserID{site.UserID(id)}
	}
	if id := positive("agency_id", in.AgencyID, problems); id != 0 {
		f.Agencies = []site.AgencyID{site.AgencyID(id)}
		return f, c.agency(id)
	}
	return f, nil
}

// CreateCustomer adds a customer (contract: What the service does, point 9b).
// Others with the same e-mail address or phone number are no obstacle; the
// answer names them.
func (s *Service) CreateCustomer(ctx context.Context, c Caller, in CreateCustomer) (CreatedCustomer, error) {
	var problems fault.Problems
	draft := s.customerRules(c).Create(in.Change, &problems)
	agency, err := c.agencyOf(in.AgencyID, &problems)
	if err != nil {
		return CreatedCustomer{}, err
	}
	c.checkUser(in.UserID, &problems)
	if err := problems.Err(); err != nil {
		return CreatedCustomer{}, err
	}
	draft.Site, draft.Agency = c.Site(), agency
	return write(ctx, s, c, func(tx port.Tx) (CreatedCustomer, error) {
		if err := c.checkMentions(tx, customer.Customer{}, draft); err != nil {
			return CreatedCustomer{}, err
		}
		alike, err := c.alike(tx, draft)
		if err != nil {
			return CreatedCustomer{}, err
		}
		added, err := s.addCustomer(tx, c.author(), draft)
		return CreatedCustomer{Created: s.created("/customers/", int64(added.ID)), PossibleDuplicates: alike}, err
	})
}

// addCustomer stores a new customer, whole but for its id, version and times,
// and records its creation.
func (s *Service) addCustomer(tx port.Tx, a author, made customer.Customer) (customer.Customer, error) {
	ids, err := tx.NextIDs(port.CustomerIDs, 1)
	if err != nil {
		return made, err
	}
	made.ID = customer.ID(ids[0])
	recorded, err := s.recordCustomer(tx, a, event.CustomerCreate, made)
	if err != nil {
		return made, err
	}
	made.Version, made.Added, made.Modified = recorded.Seq, recorded.At, recorded.At
	return made, tx.Customers().Put(made)
}

// alike names the customers in scope that have an e-mail address or a phone
// number of another one.
func (c Caller) alike(tx port.Tx, of customer.Customer) (string, error) {
	ids, err := c.sharing(tx, of)
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = strconv.FormatInt(int64(id), 10)
	}
	return strings.Join(names, ","), err
}

// maxAlike bounds how many customers with the same contacts are looked for.
const maxAlike = 20

func (c Caller) sharing(tx port.Tx, of customer.Customer) ([]customer.ID, error) {
	var ids []customer.ID
	for _, key := range customer.ContactKeys(of) {
		found, err := tx.Customers().Find(port.CustomerQuery{
			Site: c.Site(), Filter: customer.Filter{Agencies: c.Scope.Agencies(), Phone: key}, Limit: maxAlike,
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

// customerRules are what changes of customers are judged by.
func (s *Service) customerRules(c Caller) customer.Rules {
	return customer.Rules{
		Dictionary: c.settings.dictionary, Country: c.settings.site.Settings.Country, Zone: c.settings.zone,
		Now: s.now(), E164: s.ports.E164,
	}
}

// customer reads a customer of the caller's site in a unit of work: NotFound
// when there is none, Forbidden when its agency is outside the scope.
func (c Caller) customer(tx port.Tx, id int64) (customer.Customer, error) {
	found, err := tx.Customers().Get(c.Site(), customer.ID(id))
	if err != nil {
		return found, absentIs(err, fault.New(fault.NotFound, fault.CodeNotFound, "no customer has this id"))
	}
	return found, c.seesAgency(found.Agency)
}

// person is customer for those who are to add something: Conflict when the
// customer was anonymised.
func (c Caller) person(tx port.Tx, id int64) (customer.Customer, error) {
	found, err := c.customer(tx, id)
	return found, firstError(err, stillKnown(found))
}

func stillKnown(c customer.Customer) error {
	if !c.IsAnonymous() {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeCustomerAnonymized, "the customer was anonymised: nothing can be added")
}

// UpdateCustomer changes the given fields of a customer and nothing else. A
// request that changes nothing leaves no trace.
func (s *Service) UpdateCustomer(ctx context.Context, c Caller, in UpdateCustomer) (Changed, error) {
	return s.changeCustomer(ctx, c, in.ID, in.IfMatch, func(before customer.Customer) (customer.Customer, error) {
		var problems fault.Problems
		after := s.customerRules(c).Update(before, in.Change, &problems)
		if id := positive("agency_id", in.AgencyID, &problems); id != 0 {
			if err := c.agency(id); err != nil {
				return before, err
			}
		}
		c.checkUser(in.UserID, &problems)
		return after, problems.Err()
	})
}

// changeCustomer is change for customers.
func (s *Service) changeCustomer(
	ctx context.Context, c Caller, id int64, match IfMatch, edit func(customer.Customer) (customer.Customer, error),
) (Changed, error) {
	return write(ctx, s, c, func(tx port.Tx) (Changed, error) {
		before, err := c.person(tx, id)
		if err != nil {
			return Changed{}, err
		}
		after, err := edit(before)
		if err := firstError(err, match.check(Version(before.Version))); err != nil {
			return Changed{}, err
		}
		if after.Same(before) {
			return Changed{Version(before.Version)}, nil
		}
		if err := c.checkMentions(tx, before, after); err != nil {
			return Changed{}, err
		}
		after, err = s.replaceCustomer(tx, c.author(), after)
		return Changed{Version(after.Version)}, err
	})
}

// checkMentions makes sure that the customers whom a new state names are there. Of
// somebody who was anonymised nothing can be written down any more.
func (c Caller) checkMentions(tx port.Tx, before, after customer.Customer) error {
	var problems fault.Problems
	check := func(field string, id customer.ID) error {
		if id == after.ID || before.Mentions(id) {
			return nil
		}
		return c.checkCustomerIn(tx, field, id, &problems)
	}
	err := check("notary.customer_id", after.Notary.Customer)
	for i, r := range after.Related {
		err = firstError(err, check(fmt.Sprintf("related_contacts[%d].customer_id", i), r.Customer))
	}
	return firstError(err, problems.Err())
}

// replaceCustomer stores a new state of a customer and records the change.
func (s *Service) replaceCustomer(tx port.Tx, a author, after customer.Customer) (customer.Customer, error) {
	recorded, err := s.recordCustomer(tx, a, event.CustomerUpdate, after)
	if err != nil {
		return after, err
	}
	after.Version, after.Modified = recorded.Seq, latest(recorded.At, after.Modified)
	return after, tx.Customers().Put(after)
}

// DeleteCustomer removes a customer with their search requests and follow-ups.
// One who owns products stays: whose would they be?
func (s *Service) DeleteCustomer(ctx context.Context, c Caller, in DeleteCustomer) (None, error) {
	return write(ctx, s, c, func(tx port.Tx) (None, error) {
		before, err := c.customer(tx, in.ID)
		if err != nil {
			return None{}, err
		}
		t, err := s.traces(ctx, tx, c, before)
		if err != nil {
			return None{}, err
		}
		if n := len(t.owned); n > 0 {
			return None{}, fault.New(fault.Conflict, fault.CodeConflict, "the customer owns %d products; give them to another or delete them first", n)
		}
		if err := in.IfMatch.check(Version(before.Version)); err != nil {
			return None{}, err
		}
		return None{}, s.remove(tx, c, t)
	})
}

// remove deletes a customer who owns nothing. What stays of them elsewhere, such
// as a lead, nobody could ask about any more: it is anonymised.
func (s *Service) remove(tx port.Tx, c Caller, t traces) error {
	if err := s.forgetDemand(tx, c.author(), t); err != nil {
		return err
	}
	if !t.person.IsAnonymous() {
		if err := firstError(s.anonymizeLeads(tx, c, t), s.anonymizeMentions(tx, c, t)); err != nil {
			return err
		}
	}
	if _, err := s.recordCustomer(tx, c.author(), event.CustomerDelete, t.person); err != nil {
		return err
	}
	return firstError(
		tx.Customers().Delete(t.person.Site, t.person.ID), tx.Receipts().Forget(t.person.Site, t.person.ID), s.forgetAnswers(tx, c, t),
	)
}

// owned reads the products a customer owns, as of the unit of work.
func (s *Service) owned(ctx context.Context, tx port.Tx, c Caller, id customer.ID) ([]product.Product, error) {
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return nil, err
	}
	products, err := tx.Products().Many(c.Site(), index.Owned(id))
	return slices.DeleteFunc(products, func(p product.Product) bool { return p.Customer != id }), err
}

// ListCustomerProducts lists the products a customer owns, by id.
func (s *Service) ListCustomerProducts(ctx context.Context, c Caller, in CustomerProducts) (Records[Product], error) {
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		_, err := c.customer(tx, in.ID)
		return err
	})
	if err != nil {
		return Records[Product]{}, err
	}
	entries, parts, err := s.family(ctx, c, in.Fetch, product.Filter{Customer: customer.ID(in.ID)})
	if err != nil {
		return Records[Product]{}, err
	}
	return s.records(ctx, c, entries, parts)
}

// GetCustomer reads one customer with everything known about them.
func (s *Service) GetCustomer(ctx context.Context, c Caller, in CustomerPath) (Customer, error) {
	var record Customer
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		found, err := c.customer(tx, in.ID)
		if err != nil {
			return err
		}
		record, err = s.customerRecord(ctx, tx, c, found)
		return err
	})
	return record, err
}

// customerRecord is a customer with what follows from their products, search
// requests, follow-ups and actions.
func (s *Service) customerRecord(ctx context.Context, tx port.Tx, c Caller, of customer.Customer) (Customer, error) {
	record := plainCustomer(of)
	products, err := s.owned(ctx, tx, c, of.ID)
	if err != nil {
		return record, err
	}
	searches, err := tx.SearchRequests().Of(of.Site, of.ID)
	if err != nil {
		return record, err
	}
	followUps, err := tx.FollowUps().Of(of.Site, of.ID)
	if err != nil {
		return record, err
	}
	rejections, err := tx.Rejections().Many(of.Site, event.CustomerUpdate.Resource(), []int64{int64(of.ID)})
	if err != nil {
		return record, err
	}
	today := s.now().In(c.settings.zone).Format(time.DateOnly)
	for _, p := range products {
		record.addRole(demand.OwnerRole(p.Criteria.Code(criteria.KeyTransactionType)))
		if m, ok := p.Mandate(today); ok {
			record.Mandates = append(record.Mandates, mandateRecord(p, m))
		}
	}
	for _, r := range searches {
		record.addRole(demand.SeekerRole(r.TransactionType))
	}
	record.SearchesCount, record.FollowUpsCount = len(searches), len(followUps)
	last, err := tx.Actions().LastContact(of.Site, of.ID, s.now())
	if err != nil {
		return record, err
	}
	for _, f := range followUps {
		for _, step := range f.History {
			last = latest(step.At, last)
		}
	}
	record.LastContactAt = when(last)
	if c.Grant.Packs.Any(webhooks) {
		for _, r := range rejections {
			record.SyncErrors = append(record.SyncErrors, syncError(r))
		}
	}
	return record, nil
}

func syncError(r webhook.Rejection) SyncError {
	return SyncError{HookID: int64(r.Hook), EventType: r.Type, Reason: r.Reason, OccurredAt: Instant{r.At}}
}

// addRole notes a role, empty for none.
func (r *Customer) addRole(role string) {
	if role != "" && !slices.Contains(r.Roles, role) {
		r.Roles = append(r.Roles, role)
	}
}

func mandateRecord(p product.Product, m product.Mandate) Mandate {
	return Mandate{
		Number: m.Number, Type: nullable(m.Type), ProductID: int64(p.ID), CustomerIDs: []int64{int64(p.Customer)},
		AgencyID: int64(p.Agency), UserID: nullable(int64(p.User)), DateStart: nullable(m.Start), DateEnd: nullable(m.End), Status: m.Status,
		Price: number(p.Criteria, criteria.KeyPrice), NetSeller: number(p.Criteria, "PrixNetVendeur"),
		FeesAmount: number(p.Criteria, "Honoraires"), FeesPayer: nullable(p.Criteria.Code("ChargeHonoraires")),
	}
}

func plainCustomer(c customer.Customer) Customer {
	record := Customer{
		CustomerSummary: *customerSummary(c), GenderID: nullable(c.Gender), Roles: []string{}, BirthName: nullable(c.BirthName),
		LegalForm: nullable(c.LegalForm), SIRET: nullable(c.SIRET), VATNumber: nullable(c.VATNumber),
		Emails: []CustomerEmail{}, PhoneNumbers: []PhoneNumber{}, Addresses: []PostalAddress{}, RelatedContacts: []RelatedContact{},
		Mandates: []Mandate{}, SyncErrors: []SyncError{}, Language: nullable(c.Language), BirthDate: nullable(c.BirthDate),
		BirthPlace: nullable(c.BirthPlace), Nationality: nullable(c.Nationality), Profession: nullable(c.Profession),
		FamilyStatus: nullable(c.FamilyStatus), MatrimonialRegime: nullable(c.MatrimonialRegime), Origin: nullable(c.Origin),
		OriginDetail: nullable(c.OriginDetail), Comment: nullable(c.Comment), NextContact: nullable(c.NextContact),
		IsArchived: c.Archived, AnonymizedAt: when(c.Anonymized), DateAdded: Instant{c.Added}, Version: Version(c.Version),
		Consent: Consent{
			Email: c.Consent.Email, SMS: c.Consent.SMS, Phone: c.Consent.Phone, Partners: c.Consent.Partners,
			ObtainedAt: when(c.Consent.ObtainedAt), Source: nullable(c.Consent.Source), WithdrawnAt: when(c.Consent.WithdrawnAt),
		},
		ClientArea: ClientArea{
			Enabled: c.ClientArea.Enabled, Login: nullable(c.ClientArea.Login),
			InvitedAt: when(c.ClientArea.InvitedAt), LastLoginAt: when(c.ClientArea.LastLogin),
		},
	}
	for _, e := range c.Emails {
		record.Emails = append(record.Emails, CustomerEmail{ID: e.ID, Email: e.Address, Type: nullable(e.Type), IsPrimary: e.Primary})
	}
	for _, p := range c.Phones {
		record.PhoneNumbers = append(record.PhoneNumbers, PhoneNumber{
			ID: p.ID, Type: nullable(p.Type), Number: p.Number, NumberE164: nullable(p.E164), Country: nullable(p.Country),
			IsPrimary: p.Primary, SMSAllowed: p.SMSAllowed, Comment: nullable(p.Comment),
		})
	}
	for _, a := range c.Addresses {
		record.Addresses = append(record.Addresses, PostalAddress{
			ID: a.ID, Type: nullable(a.Type), Line1: nullable(a.Line1), Line2: nullable(a.Line2), PostalCode: nullable(a.PostalCode),
			City: nullable(a.City), Country: nullable(a.Country), IsPrimary: a.Primary,
		})
	}
	if n := c.Notary; n.Known() {
		record.Notary = &Notary{
			CustomerID: nullable(int64(n.Customer)), Name: nullable(n.Name), Office: nullable(n.Office),
			Email: nullable(n.Email), Phone: nullable(n.Phone), City: nullable(n.City),
		}
	}
	for _, r := range c.Related {
		record.RelatedContacts = append(record.RelatedContacts, RelatedContact{
			CustomerID: nullable(int64(r.Customer)), Relation: r.Relation, Firstname: nullable(r.Firstname), Lastname: nullable(r.Lastname),
			Phone: nullable(r.Phone), Email: nullable(r.Email), Comment: nullable(r.Comment),
		})
	}
	return record
}
