package siteapi

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

const maxMetadata = 50

// enquiry is a lead on its way in: what is known of it before anything is
// written.
type enquiry struct {
	lead lead.Lead
	// person is who got in touch, as a new customer.
	person customer.Customer
	// fill does what the lead is for, for the customer that was found or made.
	// It notes what it made in the lead.
	fill func(tx port.Tx, owner customer.Customer, l *lead.Lead) error
}

// enquiry reads what all leads have in common.
func (s *Service) enquiry(c Caller, kind lead.Kind, in LeadInput, problems *fault.Problems) (enquiry, error) {
	var e enquiry
	agency, err := c.agencyOf(in.AgencyID, problems)
	if err != nil {
		return e, err
	}
	c.checkUser(in.UserID, problems)
	if in.Email.Or("") == "" && in.Phone.Or("") == "" {
		problems.Add("email", fault.CodeRequired, "a lead has an email or a phone")
	}
	described := customer.Change{
		Type: opt.Of("PROSPECT"), Civility: in.Civility, Firstname: in.Firstname, Lastname: in.Lastname, Email: in.Email, Phone: in.Phone,
		Origin: in.Origin, OriginDetail: in.OriginDetail, Consent: in.Consent,
	}
	e.person = s.customerRules(c).Create(described, problems)
	e.person.Site, e.person.Agency = c.Site(), agency

	l := lead.Lead{
		Site: c.Site(), Agency: agency, Kind: kind, Status: lead.StatusNew, Origin: e.person.Origin, OriginDetail: e.person.OriginDetail,
		Contact: lead.Contact{
			Civility: e.person.Civility, Firstname: e.person.Firstname, Lastname: e.person.Lastname, Email: e.person.Email(), Phone: e.person.Phone(),
		},
		Metadata: in.Metadata.Value.Text,
	}
	f := form.Form{Problems: problems}
	form.ID(f, "user_id", &l.User, in.UserID)
	f.Text("message", &l.Message, in.Message, form.MaxComment)
	f.Text("external_id", &l.ExternalID, in.ExternalID, form.MaxName)
	utm := f.In("utm")
	utm.Text("source", &l.Campaign.Source, in.UTM.Value.Source, form.MaxName)
	utm.Text("medium", &l.Campaign.Medium, in.UTM.Value.Medium, form.MaxName)
	utm.Text("campaign", &l.Campaign.Name, in.UTM.Value.Campaign, form.MaxName)
	if in.Metadata.Value.Size > maxMetadata {
		problems.Add("metadata", fault.CodeOutOfRange, "metadata can have at most %d keys", maxMetadata)
	}
	e.lead = l
	return e, nil
}

// receive writes a lead with everything that comes of it, all or nothing
// (contract: Leads). The same lead sent again within a day is the same lead.
func (s *Service) receive(ctx context.Context, c Caller, e enquiry) (CreatedLead, error) {
	return write(ctx, s, c, func(tx port.Tx) (CreatedLead, error) {
		l := e.lead
		ids, err := tx.NextIDs(port.LeadIDs, 1)
		if err != nil {
			return CreatedLead{}, err
		}
		l.ID = lead.ID(ids[0])
		now := s.now()
		key := l.Key(s.ports.E164(l.Phone, c.settings.site.Settings.Country))
		holder, err := tx.Leads().Claim(l.Site, key, l.ID, now, now.Add(-lead.ResentWithin))
		if err != nil {
			return CreatedLead{}, err
		}
		if holder != l.ID {
			return CreatedLead{Created: s.created("/leads/", int64(holder)), DuplicateLead: "true"}, nil
		}
		owner, created, err := s.welcome(tx, c, e.person, l)
		if err != nil {
			return CreatedLead{}, err
		}
		l.Customer, l.CustomerCreated = owner.ID, created
		if err := e.fill(tx, owner, &l); err != nil {
			return CreatedLead{}, referenceTaken(err)
		}
		if l.User == 0 {
			l.User = owner.User
		}
		l.Settle()
		recorded, err := s.recordLead(tx, c.author(), event.LeadCreate, l)
		if err != nil {
			return CreatedLead{}, err
		}
		l.Version, l.Added, l.Modified = recorded.Seq, recorded.At, recorded.At
		return CreatedLead{Created: s.created("/leads/", int64(l.ID))}, tx.Leads().Put(l)
	})
}

func (s *Service) recordLead(tx port.Tx, a author, t event.Type, l lead.Lead) (event.Event, error) {
	return s.record(tx, a, l.Site, event.Event{Type: t, Resource: int64(l.ID), Agency: l.Agency})
}

// welcome finds the customer a lead is from, and adds what the lead knows beyond
// what is known, or makes a new one. Only one who has the same e-mail address
// or phone number, and is the only one who has, is taken for the same person.
// Whoever is to call them finds them due today.
func (s *Service) welcome(tx port.Tx, c Caller, person customer.Customer, l lead.Lead) (owner customer.Customer, created bool, err error) {
	alike, err := c.sharing(tx, person)
	if err != nil {
		return owner, false, err
	}
	var known customer.Customer
	if len(alike) == 1 {
		if known, err = tx.Customers().Get(c.Site(), alike[0]); err != nil {
			return owner, false, err
		}
	}
	today := s.now().In(c.settings.zone).Format(time.DateOnly)
	// Who is held only now may have been anonymised since they were found.
	if len(alike) != 1 || known.IsAnonymous() {
		person.User, person.NextContact = l.User, today
		added, err := s.addCustomer(tx, c.author(), person)
		return added, true, err
	}
	after := s.enrich(c, known, person)
	if after.User == 0 {
		after.User = l.User
	}
	if after.NextContact == "" || after.NextContact > today {
		after.NextContact = today
	}
	if after.Same(known) {
		return known, false, nil
	}
	after, err = s.replaceCustomer(tx, c.author(), after)
	return after, false, err
}

// enrich adds to a customer what another description of them knows and they do
// not.
func (s *Service) enrich(c Caller, known, described customer.Customer) customer.Customer {
	after := known.Clone()
	for target, value := range map[*string]string{
		&after.Civility: described.Civility, &after.Firstname: described.Firstname, &after.Lastname: described.Lastname,
		&after.Origin: described.Origin, &after.OriginDetail: described.OriginDetail,
	} {
		if *target == "" {
			*target = value
		}
	}
	has := customer.ContactKeys(known)
	var change customer.Change
	for _, key := range customer.ContactKeys(described) {
		if slices.Contains(has, key) {
			continue
		}
		if strings.Contains(key, "@") {
			change.Emails = opt.Of([]customer.EmailInput{{Email: opt.Of(described.Email())}})
		} else {
			change.PhoneNumbers = opt.Of([]customer.PhoneInput{{Number: opt.Of(described.Phone())}})
		}
	}
	// The description was judged by the same rules; what there is no room for stays
	// in the lead.
	var full fault.Problems
	if with := s.customerRules(c).Update(after, change, &full); full.Err() == nil {
		after = with
	}
	after.Consent = after.Consent.Complete(described.Consent)
	return after
}

// GetLead reads one lead.
func (s *Service) GetLead(ctx context.Context, c Caller, in LeadPath) (record Lead, err error) {
	return record, s.ports.Store.View(ctx, func(tx port.Tx) error {
		found, err := c.lead(tx, in.ID)
		record = leadRecord(found)
		return err
	})
}

// lead reads a lead of the caller's site: NotFound when there is none, Forbidden
// when its agency is outside the scope.
func (c Caller) lead(tx port.Tx, id int64) (lead.Lead, error) {
	found, err := tx.Leads().Get(c.Site(), lead.ID(id))
	if err != nil {
		return found, absentIs(err, fault.New(fault.NotFound, fault.CodeNotFound, "no lead has this id"))
	}
	return found, c.seesAgency(found.Agency)
}

const leadsPerPage = 50

// ListLeads lists the leads in scope, latest first.
func (s *Service) ListLeads(ctx context.Context, c Caller, in ListLeads) (LeadPage, error) {
	var problems fault.Problems
	q := port.LeadQuery{Site: c.Site(), Agencies: c.Scope.Agencies(), Limit: leadsPerPage + 1, Kind: lead.Kind(in.Kind), Status: in.Status}
	f, kind, status := form.Form{Problems: &problems}, "", ""
	f.Code("kind", &kind, opt.Of(in.Kind), []string{string(lead.Seller), string(lead.Buyer)})
	f.Code("status", &status, opt.Of(in.Status), lead.Statuses())
	form.ID(f, "customer_id", &q.Customer, in.CustomerID)
	form.ID(f, "cursor", &q.Before, in.Cursor)
	outside := c.inScope(in.AgencyID, &problems)
	if err := firstError(outside, problems.Err()); err != nil {
		return LeadPage{}, err
	}
	if in.AgencyID.Given() {
		q.Agencies = []site.AgencyID{site.AgencyID(in.AgencyID.Value)}
	}
	var found []lead.Lead
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		found, err = tx.Leads().List(q)
		return err
	})
	page := LeadPage{Data: []Lead{}, HasMore: len(found) > leadsPerPage}
	for _, l := range found[:min(len(found), leadsPerPage)] {
		page.Data = append(page.Data, leadRecord(l))
	}
	if page.HasMore {
		page.NextCursor = &page.Data[leadsPerPage-1].ID
	}
	return page, err
}

func leadRecord(l lead.Lead) Lead {
	record := Lead{
		ID: int64(l.ID), Kind: string(l.Kind), Status: l.Status, AgencyID: int64(l.Agency), UserID: nullable(int64(l.User)),
		CustomerID: nullable(int64(l.Customer)), CustomerCreated: l.CustomerCreated, ProductID: nullable(int64(l.Product)),
		SearchID: nullable(int64(l.Search)), FollowUpID: nullable(int64(l.FollowUp)), Civility: nullable(l.Civility),
		Firstname: nullable(l.Firstname), Lastname: nullable(l.Lastname), Email: nullable(l.Email), Phone: nullable(l.Phone),
		Message: nullable(l.Message), Origin: nullable(l.Origin), OriginDetail: nullable(l.OriginDetail), ExternalID: nullable(l.ExternalID),
		UTM:      UTM{Source: nullable(l.Campaign.Source), Medium: nullable(l.Campaign.Medium), Campaign: nullable(l.Campaign.Name)},
		Metadata: Object{Text: l.Metadata},
		Project:  nullable(l.Project.Kind), Address: nullable(l.Project.Address), PostalCode: nullable(l.Project.PostalCode),
		City: nullable(l.Project.City), Country: nullable(l.Project.Country), EstimatedPriceMin: l.Project.EstimatedFrom,
		EstimatedPriceMax: l.Project.EstimatedTo, EstimationTool: nullable(l.Project.EstimationTool), SaleHorizon: nullable(l.Project.Horizon),
		TransactionType: nullable(l.Wish.TransactionType), PriceMax: l.Wish.PriceMax,
		DateAdded: Instant{l.Added}, LastModified: Instant{l.Modified}, Version: Version(l.Version),
	}
	if l.Wish.VisitDay != "" || l.Wish.VisitSlot != "" {
		record.VisitWish = &VisitWish{Date: nullable(l.Wish.VisitDay), Slot: nullable(l.Wish.VisitSlot)}
	}
	return record
}
