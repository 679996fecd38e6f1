package backoffice

import (
	"context"
	"regexp"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Vocabulary has new sites begin with a vocabulary; without it they have none.
func Vocabulary(read func() (transfer.SetupVocabulary, error)) Option {
	return func(s *Service) { s.vocabulary = read }
}

func noVocabulary() (transfer.SetupVocabulary, error) { return transfer.SetupVocabulary{}, nil }

// NewSite is what has to be known to begin with a site: a network, its first agency, and who
// works there first.
type NewSite struct {
	// ID is the number of the site; 0 for the next one.
	ID   int64
	Name string
	// Agency is the name of the agency; empty for that of the site.
	Agency, PostalCode, City   string
	Firstname, Lastname, Email string
}

// CreatedSite is a site that was made, with its first client of the API. The secret is shown once.
type CreatedSite struct {
	Site   int64  `json:"site"`
	Agency int64  `json:"agency"`
	User   int64  `json:"user"`
	Client string `json:"client"`
	Secret string `json:"secret"`
}

var postalCode = regexp.MustCompile(`^[0-9]{5}$`)

// Setup describes the site, with an agency and a user of the same number as the site, without
// vocabulary and client. Its error is Invalid, and names every field that is wrong.
func (in NewSite) Setup() (transfer.SetupSite, error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	for _, field := range []struct {
		name   string
		target *string
	}{
		{"name", &in.Name}, {"agency", &in.Agency}, {"postal_code", &in.PostalCode}, {"city", &in.City},
		{"firstname", &in.Firstname}, {"lastname", &in.Lastname},
	} {
		f.Name(field.name, field.target, opt.Of(*field.target), form.MaxName)
		f.Required(field.name, *field.target == "" && field.name != "agency")
	}
	if in.PostalCode != "" && !postalCode.MatchString(in.PostalCode) {
		f.Wrong("postal_code", fault.CodeInvalidFormat, in.PostalCode, "postal_code has five digits, such as 44000")
	}
	f.Required("email", in.Email == "")
	customer.SetEmail(f, &in.Email, opt.Of(in.Email))
	if in.ID < 0 {
		f.Wrong("site", fault.CodeOutOfRange, in.ID, "site is a number of at least 1")
	}
	if in.Agency == "" {
		in.Agency = in.Name
	}
	in.ID = max(in.ID, 1)
	return transfer.SetupSite{
		ID: in.ID, Name: in.Name,
		Agencies: []transfer.SetupAgency{{ID: in.ID, Name: in.Agency, PostalCode: in.PostalCode, City: in.City, Country: site.Settings{}.WithDefaults().Country}},
		Users:    []transfer.SetupUser{{ID: in.ID, AgencyID: in.ID, Firstname: in.Firstname, Lastname: in.Lastname, Email: in.Email}},
	}, problems.Err()
}

func (s *Service) createSite(ctx context.Context, a Actor, in NewSite) (CreatedSite, error) {
	if !a.Operator.Everywhere {
		return CreatedSite{}, outOfReach()
	}
	described, err := in.Setup()
	if err != nil {
		return CreatedSite{}, err
	}
	vocabulary, err := s.vocabulary()
	if err != nil {
		return CreatedSite{}, err
	}
	secret, _, err := s.secret()
	if err != nil {
		return CreatedSite{}, err
	}
	return write(ctx, s, a.note, func(u unit) (CreatedSite, error) {
		made := CreatedSite{Site: in.ID, Secret: secret}
		if err := u.number(&made); err != nil {
			return CreatedSite{}, err
		}
		u.About(about("site", made.Site))
		described.ID, described.Agencies[0].ID = made.Site, made.Agency
		described.Users[0].ID, described.Users[0].AgencyID = made.User, made.Agency
		all := []string{string(access.All)}
		_, err := s.site.Transfer.ProvisionWithin(u.Unit, transfer.Setup{
			Sites: []transfer.SetupSite{described.With(vocabulary)},
			Credentials: []transfer.SetupCredential{{
				ID: made.Client, Secret: secret, Name: described.Name, Sites: []int64{made.Site}, Packs: all, Permissions: all, Rights: all,
			}},
		})
		return made, err
	})
}

// number gives a new site, its agency, its user and its client what nobody has. It is Invalid if
// somebody has what was chosen.
func (u unit) number(made *CreatedSite) error {
	// From here on others who add sites or agencies wait.
	agency, err := u.Agencies().LastID()
	if err != nil {
		return err
	}
	sites, err := u.Sites().All()
	if err != nil {
		return err
	}
	var problems fault.Problems
	var last int64
	for _, other := range sites {
		if int64(other.ID) == made.Site {
			problems.Wrong("site", fault.CodeNameTaken, made.Site, "there is a site %d already, %s", made.Site, other.Name)
		}
		last = max(last, int64(other.ID))
	}
	if made.Site == 0 {
		made.Site = last + 1
	}
	made.Agency, made.User = int64(agency)+1, int64(agency)+1 // a new site has no users
	made.Client = "site-" + strconv.FormatInt(made.Site, 10)
	switch _, err := u.Credentials().Held(access.CredentialID(made.Client)); {
	case err == nil && problems.Empty():
		problems.Wrong("site", fault.CodeNameTaken, made.Site, "the credential %q exists", made.Client)
	case err != nil && !kernel.IsAbsent(err):
		return err
	}
	return problems.Err()
}
