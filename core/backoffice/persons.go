package backoffice

import (
	"context"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// FindPerson is a phone number or an e-mail address that somebody gives as theirs.
type FindPerson struct{ Phone, Email string }

// findPerson lists who has a phone number or an e-mail address, 50 at most.
func (s *Service) findPerson(ctx context.Context, a Actor, in At[FindPerson]) ([]listing.CustomerSummary, error) {
	search := people.SearchCustomers{Phone: given(in.In.Phone), Email: given(in.In.Email)}
	if !search.Phone.Given() && !search.Email.Given() {
		return nil, kernel.Invalid("phone", fault.CodeRequired, "give a phone number or an e-mail address")
	}
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return nil, err
	}
	found, err := s.site.People.SearchCustomers(ctx, c, search)
	return found.Data, err
}

// given returns a field of a request that is absent when it is empty.
func given(typed string) opt.Field[string] {
	if typed = strings.TrimSpace(typed); typed == "" {
		return opt.Field[string]{}
	}
	return opt.Of(typed)
}

// AnonymizePerson names a customer, and says their name to confirm.
type AnonymizePerson struct {
	ID int64
	// Name is the full name as the page shows it.
	Name string
}

// anonymizePerson removes everything personal about a customer, for good. The role of
// those who handle persons does not write customers; the table has made sure that
// they may do this.
func (s *Service) anonymizePerson(ctx context.Context, a Actor, in At[AnonymizePerson]) (kernel.None, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return kernel.None{}, err
	}
	known, err := s.site.People.GetCustomer(ctx, c, people.CustomerPath{ID: in.In.ID})
	if err != nil {
		return kernel.None{}, err
	}
	if name := NameOf(known.CustomerSummary); !strings.EqualFold(strings.TrimSpace(in.In.Name), name) {
		return kernel.None{}, kernel.Invalid("name", fault.CodeInvalidFormat, "type the name as it stands above, to confirm")
	}
	return s.site.People.Unchecked().AnonymizeCustomer(ctx, c, people.CustomerPath{ID: in.In.ID})
}

// NameOf returns how a page names a customer: first and last name, or else the company, or
// else what there is to reach them by. One without any of it is known by their id.
func NameOf(c listing.CustomerSummary) string {
	var parts []string
	for _, part := range []*string{c.Firstname, c.Lastname} {
		if part != nil && strings.TrimSpace(*part) != "" {
			parts = append(parts, strings.TrimSpace(*part))
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, " ")
	}
	for _, other := range []*string{c.Company, c.Email, c.Phone} {
		if other != nil && strings.TrimSpace(*other) != "" {
			return strings.TrimSpace(*other)
		}
	}
	return "customer " + strconv.FormatInt(c.ID, 10)
}
