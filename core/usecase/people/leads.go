package people

import (
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Limits of one lead.
const (
	MaxCountry = 2
	// MaxOffered is how many criteria of the product a seller can give: the lead's own
	// fields add some.
	MaxOffered = product.MaxCriteria - 10
)

// intake is a lead on its way in: what is known of it before anything is
// written.
type intake struct {
	lead demand.Lead
	// at is where the property is that a seller speaks of.
	at demand.LeadPlace
	// metadata are the members of the lead's.
	metadata []demand.Member
	// person is who got in touch, as a new customer.
	person customer.Customer
	// fill does what the lead is for, for the customer that was found or made.
	// It notes what it made in the lead.
	fill func(u Unit, owner customer.Customer, l *demand.Lead) error
}

// readIntake reads what all leads have in common.
func readIntake(b kernel.Basis, kind demand.LeadKind, in LeadInput, problems *fault.Problems) (intake, error) {
	var i intake
	agency, err := b.AgencyOf(in.AgencyID, problems)
	if err != nil {
		return i, err
	}
	b.CheckUser(in.UserID, 0, problems)
	if in.Email.Or("") == "" && in.Phone.Or("") == "" {
		problems.Add("email", fault.CodeRequired, "a lead has an email or a phone")
	}
	described := customer.Change{
		Type: opt.Of("PROSPECT"), Civility: in.Civility, Firstname: in.Firstname, Lastname: in.Lastname, Email: in.Email, Phone: in.Phone,
		Origin: in.Origin, OriginDetail: in.OriginDetail, Consent: in.Consent,
	}
	i.person = CustomerRules(b).Create(described, problems)
	i.person.Site, i.person.Agency = b.Site.ID, agency

	l := demand.Lead{
		Site: b.Site.ID, Agency: agency, Kind: kind, Status: demand.LeadNew, Origin: i.person.Origin, OriginDetail: i.person.OriginDetail,
		LeadContact: demand.LeadContact{
			Civility: i.person.Civility, Firstname: i.person.Firstname, Lastname: i.person.Lastname, Email: i.person.Email(), Phone: i.person.Phone(),
		},
		Metadata: in.Metadata.Value.Text,
	}
	for _, m := range in.Metadata.Value.Members {
		l.MetadataNames = append(l.MetadataNames, m.Name)
		i.metadata = append(i.metadata, demand.Member(m))
	}
	f := form.Form{Problems: problems}
	form.ID(f, "user_id", &l.User, in.UserID)
	f.Text("message", &l.Message, in.Message, demand.MaxMessage)
	f.Text("external_id", &l.ExternalID, in.ExternalID, form.MaxName)
	utm := f.In("utm")
	utm.Text("source", &l.Campaign.Source, in.UTM.Value.Source, form.MaxName)
	utm.Text("medium", &l.Campaign.Medium, in.UTM.Value.Medium, form.MaxName)
	utm.Text("campaign", &l.Campaign.Name, in.UTM.Value.Campaign, form.MaxName)
	if len(i.metadata) > demand.MaxMetadata {
		problems.Add("metadata", fault.CodeOutOfRange, "metadata can have at most %d keys", demand.MaxMetadata)
	}
	i.lead = l
	return i, nil
}

// receive writes a lead with everything that comes of it, all or nothing
// (contract: Leads). The same lead sent again within a day is the same lead
// (decision O11): what it adds is kept on that one, and nothing else comes of it.
func (u Unit) receive(i intake) (CreatedLead, error) {
	l := i.lead
	var err error
	if l.ID, err = kernel.NextID[demand.LeadID](u, leads.IDs); err != nil {
		return CreatedLead{}, err
	}
	holder, err := u.Claims().Claim(l.Site, l.Keys(i.at, u.e164(l.Phone)), l.ID, u.Now, u.Now.Add(-demand.ResentWithin))
	if err != nil {
		return CreatedLead{}, err
	}
	if holder != l.ID {
		return CreatedLead{Created: u.Created("/leads/", int64(holder)), DuplicateLead: "true"}, u.receiveAgain(holder, i)
	}
	owner, created, err := u.findOrAdd(i.person, l)
	if err != nil {
		return CreatedLead{}, err
	}
	l.Customer, l.CustomerCreated = owner.ID, created
	if err := i.fill(u, owner, &l); err != nil {
		return CreatedLead{}, listing.ReferenceTaken(err)
	}
	if l.User == 0 {
		l.User = owner.User
	}
	l.AlignStatus()
	l, err = leads.Create(u, l)
	return CreatedLead{Created: u.Created("/leads/", int64(l.ID))}, err
}

// receiveAgain keeps on a lead what the same one adds when it is sent again.
func (u Unit) receiveAgain(id demand.LeadID, again intake) error {
	first, err := leads.Get(u, id)
	if err != nil {
		return err
	}
	_, err = leads.Change(u, first, kernel.IfMatch{}, func(first demand.Lead) (demand.Lead, error) {
		return first.With(again.lead, again.metadata, func(number string) string { return customer.PhoneKey(number, u.e164(number)) }), nil
	})
	return err
}

// e164 returns the international form of a number as it is dialled where the site is.
func (u Unit) e164(number string) string {
	home := u.Site.Settings().Country
	first, _ := customer.ReadNumbers(number, home, home, u.E164)
	return first
}

// findOrAdd finds the customer a lead is from, and adds what the lead knows beyond
// what is known, or makes a new one. Only one who has the same e-mail address
// or phone number, and is the only one who has, is taken for the same person.
// Their next contact becomes due today.
func (u Unit) findOrAdd(person customer.Customer, l demand.Lead) (owner customer.Customer, created bool, err error) {
	alike, err := u.sharingContacts(person)
	if err != nil {
		return owner, false, err
	}
	var known customer.Customer
	if len(alike) == 1 {
		if known, err = u.Customers().Get(u.Site.ID, alike[0]); err != nil {
			return owner, false, err
		}
	}
	// Held only now, the customer may have been anonymised since they were found.
	if len(alike) != 1 || known.IsAnonymous() {
		person.User, person.NextContact = l.User, u.Today(person.Agency)
		added, err := Customers.Create(u, person)
		return added, true, err
	}
	after := u.enrich(known, person)
	if after.User == 0 {
		after.User = l.User
	}
	if after.NextContact == "" || after.NextContact > u.Today(person.Agency) {
		after.NextContact = u.Today(person.Agency)
	}
	if after.Same(known) {
		return known, false, nil
	}
	after, err = Customers.Replace(u, after)
	return after, false, err
}

// enrich adds to a customer what another description of them knows and they do
// not.
func (u Unit) enrich(known, described customer.Customer) customer.Customer {
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
	if with := CustomerRules(u.Basis).Update(after, change, &full); full.Err() == nil {
		after = with
	}
	after.Consent = after.Consent.Complete(described.Consent)
	return after
}

func (u Unit) getLead(in LeadPath) (Lead, error) {
	found, err := leads.Get(u, demand.LeadID(in.ID))
	return leadRecord(found), err
}

const leadsPerPage = 50

func (u Unit) listLeads(in ListLeads) (LeadPage, error) {
	var problems fault.Problems
	q := port.LeadQuery{Site: u.Site.ID, Limit: leadsPerPage + 1, Kind: demand.LeadKind(in.Kind), Status: in.Status}
	f, kind, status := form.Form{Problems: &problems}, "", ""
	f.Code("kind", &kind, opt.Of(in.Kind), []string{string(demand.SellerLead), string(demand.BuyerLead)})
	f.Code("status", &status, opt.Of(in.Status), demand.LeadStatuses())
	form.ID(f, "customer_id", &q.Customer, in.CustomerID)
	form.ID(f, "cursor", &q.Before, in.Cursor)
	var outside error
	q.Agencies, outside = u.ListedAgencies(in.AgencyID, &problems)
	if err := kernel.FirstError(outside, problems.Err()); err != nil {
		return LeadPage{}, err
	}
	if q.Customer != 0 {
		// Leads outlive the customer, whom nothing names then.
		known, err := u.Customers().Existing(q.Site, []customer.ID{q.Customer})
		if err != nil || len(known) == 0 {
			return LeadPage{Data: []Lead{}}, err
		}
	}
	found, err := u.Leads().List(q)
	page := LeadPage{Data: []Lead{}, HasMore: len(found) > leadsPerPage}
	for _, l := range found[:min(len(found), leadsPerPage)] {
		page.Data = append(page.Data, leadRecord(l))
	}
	if page.HasMore {
		page.NextCursor = &page.Data[leadsPerPage-1].ID
	}
	return page, err
}

func leadRecord(l demand.Lead) Lead {
	record := Lead{
		ID: int64(l.ID), Kind: string(l.Kind), Status: l.Status, AgencyID: int64(l.Agency), UserID: kernel.Nullable(int64(l.User)),
		CustomerID: kernel.Nullable(int64(l.Customer)), CustomerCreated: l.CustomerCreated, ProductID: kernel.Nullable(int64(l.Product)),
		SearchID: kernel.Nullable(int64(l.Search)), FollowUpID: kernel.Nullable(int64(l.FollowUp)), Civility: kernel.Nullable(l.Civility),
		Firstname: kernel.Nullable(l.Firstname), Lastname: kernel.Nullable(l.Lastname), Email: kernel.Nullable(l.Email), Phone: kernel.Nullable(l.Phone),
		OtherEmails: kernel.List(l.OtherEmails), OtherPhones: kernel.List(l.OtherPhones),
		Message: kernel.Nullable(l.Message), Origin: kernel.Nullable(l.Origin), OriginDetail: kernel.Nullable(l.OriginDetail), ExternalID: kernel.Nullable(l.ExternalID),
		UTM:      UTM{Source: kernel.Nullable(l.Campaign.Source), Medium: kernel.Nullable(l.Campaign.Medium), Campaign: kernel.Nullable(l.Campaign.Name)},
		Metadata: kernel.Object{Text: l.Metadata},
		Project:  kernel.Nullable(l.Project.Kind), Address: kernel.Nullable(l.Project.Address), PostalCode: kernel.Nullable(l.Project.PostalCode),
		City: kernel.Nullable(l.Project.City), Country: kernel.Nullable(l.Project.Country), EstimatedPriceMin: l.Project.EstimatedFrom,
		EstimatedPriceMax: l.Project.EstimatedTo, EstimationTool: kernel.Nullable(l.Project.EstimationTool), SaleHorizon: kernel.Nullable(l.Project.Horizon),
		TransactionType: kernel.Nullable(l.Wish.TransactionType), PriceMax: l.Wish.PriceMax,
		DateAdded: kernel.Instant{Time: l.Added}, LastModified: kernel.Instant{Time: l.Modified}, Version: kernel.Version(l.Version),
	}
	if l.Wish.VisitDay != "" || l.Wish.VisitSlot != "" {
		record.VisitWish = &VisitWish{Date: kernel.Nullable(l.Wish.VisitDay), Slot: kernel.Nullable(l.Wish.VisitSlot)}
	}
	return record
}
