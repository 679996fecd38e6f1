package transfer

import (
	"iter"
	"time"

	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// Setup describes sites as an operator wants them: their settings, agencies,
// users and vocabulary, some customers and products to begin with, and the
// credentials that reach them, with their API keys.
type Setup struct {
	// Environment names what the database is for; it means nothing here.
	Environment string `yaml:"environment"`
	Reference   any    `yaml:"reference"` // a place for anchors
	// Indices are for all sites of the setup.
	Indices     []SetupIndexValue `yaml:"indices"`
	Sites       []SetupSite       `yaml:"sites"`
	Credentials []SetupCredential `yaml:"credentials"`
	Keys        []SetupKey        `yaml:"keys"`
}

// SetupSite is one site. Agencies with in_scope false stay out of the
// manufacturers list.
type SetupSite struct {
	ID               int64    `yaml:"id"`
	Name             string   `yaml:"name"`
	Disabled         bool     `yaml:"disabled"`
	DefaultStatus    string   `yaml:"default_status"`
	Timezone         string   `yaml:"timezone"`
	Currency         string   `yaml:"currency"`
	Country          string   `yaml:"country"`
	Language         string   `yaml:"language"`
	ReferencePattern string   `yaml:"reference_pattern"`
	EnergyScales     []string `yaml:"energy_scales"`
	// Vocabulary is that of one that readers of files replace by what it holds; see With.
	Vocabulary      string `yaml:"vocabulary"`
	SetupVocabulary `yaml:",inline"`
	AgendaTypes     []SetupAgendaType `yaml:"agenda_types"`
	Indices         []SetupIndexValue `yaml:"indices"`
	FeeCaps         []SetupFeeCap     `yaml:"fee_caps"`
	Agencies        []SetupAgency     `yaml:"agencies"`
	UserGroups      []SetupUserGroup  `yaml:"user_groups"`
	Users           []SetupUser       `yaml:"users"`
	Customers       []SetupCustomer   `yaml:"customers"`
	Products        []SetupProduct    `yaml:"products"`
	// ImportSources are where files of listings come from again and again.
	ImportSources []SetupImportSource `yaml:"import_sources"`
	// PublicationTargets are portals that get the listings.
	PublicationTargets []SetupPublicationTarget `yaml:"publication_targets"`
	// MoreProducts are added after Products, a hundred at a time, where they are too many to be
	// held together. They are asked for again when the unit of work has to be run again.
	MoreProducts iter.Seq2[SetupProduct, error] `yaml:"-" json:"-"`
}

// SetupIndexValue is what an index of rents was in a quarter. Values that a setup
// does not name stay.
type SetupIndexValue struct {
	Index       string  `yaml:"index"`
	Quarter     string  `yaml:"quarter"`
	Territory   string  `yaml:"territory"`
	Value       float64 `yaml:"value"`
	PublishedOn string  `yaml:"published_on"`
}

// SetupFeeCap is what tenants can be asked for at most from a day on, per m². Caps
// replace those of French law.
type SetupFeeCap struct {
	From      string  `yaml:"from"`
	VeryTight float64 `yaml:"very_tight"`
	Tight     float64 `yaml:"tight"`
	Other     float64 `yaml:"other"`
	Inventory float64 `yaml:"inventory"`
}

// SetupCriterion is a criteria definition. It is active and searchable unless
// it says otherwise.
type SetupCriterion struct {
	ID                       int64         `yaml:"id"`
	Key                      string        `yaml:"key"`
	Type                     string        `yaml:"type"`
	Label                    string        `yaml:"label"`
	Description              string        `yaml:"description"`
	IsActive                 *bool         `yaml:"is_active"`
	IsCustom                 bool          `yaml:"is_custom"`
	IsLabelCustom            bool          `yaml:"is_label_custom"`
	IsValuesCustom           bool          `yaml:"is_values_custom"`
	IsRequiredForPublication bool          `yaml:"is_required_for_publication"`
	IsSearchable             *bool         `yaml:"is_searchable"`
	IsPrivate                bool          `yaml:"is_private"`
	Unit                     string        `yaml:"unit"`
	Min                      *float64      `yaml:"min"`
	Max                      *float64      `yaml:"max"`
	Decimals                 *int          `yaml:"decimals"`
	MaxLength                int           `yaml:"max_length"`
	IsFulltext               bool          `yaml:"is_fulltext"`
	Group                    string        `yaml:"group"`
	PropertyTypes            []string      `yaml:"property_types"`
	Position                 int           `yaml:"position"`
	Values                   []SetupChoice `yaml:"values"`
}

// SetupChoice is a value of a referential or list, active unless it says
// otherwise.
type SetupChoice struct {
	ID       int64  `yaml:"id"`
	Model    string `yaml:"model"`
	Label    string `yaml:"label"`
	IsActive *bool  `yaml:"is_active"`
}

// SetupList is a list of values.
type SetupList struct {
	ID     int64         `yaml:"id"`
	Key    string        `yaml:"key"`
	Label  string        `yaml:"label"`
	Values []SetupChoice `yaml:"values"`
}

// SetupActionType is a kind of action.
type SetupActionType struct {
	ID       int64         `yaml:"id"`
	Model    string        `yaml:"model"`
	Label    string        `yaml:"label"`
	IsActive *bool         `yaml:"is_active"`
	Target   string        `yaml:"target"`
	Color    string        `yaml:"color"`
	Position int           `yaml:"position"`
	Children []SetupChoice `yaml:"children"`
}

// SetupAgency is an agency.
type SetupAgency struct {
	ID               int64    `yaml:"id"`
	InScope          *bool    `yaml:"in_scope"`
	Name             string   `yaml:"name"`
	LegalName        string   `yaml:"legal_name"`
	Address          string   `yaml:"address"`
	PostalCode       string   `yaml:"postal_code"`
	City             string   `yaml:"city"`
	Country          string   `yaml:"country"`
	Email            string   `yaml:"email"`
	Phone            string   `yaml:"phone"`
	SIREN            string   `yaml:"siren"`
	SIRET            string   `yaml:"siret"`
	Latitude         *float64 `yaml:"latitude"`
	Longitude        *float64 `yaml:"longitude"`
	LogoURL          string   `yaml:"logo_url"`
	IsActive         *bool    `yaml:"is_active"`
	Website          string   `yaml:"website"`
	VATNumber        string   `yaml:"vat_number"`
	RCS              string   `yaml:"rcs"`
	Capital          string   `yaml:"capital"`
	LegalForm        string   `yaml:"legal_form"`
	ProfessionalCard struct {
		Number     string   `yaml:"number"`
		Mentions   []string `yaml:"mentions"`
		IssuedBy   string   `yaml:"issued_by"`
		ValidUntil string   `yaml:"valid_until"`
	} `yaml:"professional_card"`
	Guarantee struct {
		Provider string  `yaml:"provider"`
		Amount   float64 `yaml:"amount"`
	} `yaml:"guarantee"`
	Insurance struct {
		Provider string `yaml:"provider"`
		Policy   string `yaml:"policy"`
	} `yaml:"insurance"`
	Mediator struct {
		Name string `yaml:"name"`
		URL  string `yaml:"url"`
	} `yaml:"mediator"`
	FeesScheduleURL string              `yaml:"fees_schedule_url"`
	Network         string              `yaml:"network"`
	OpeningHours    []SetupOpeningHours `yaml:"opening_hours"`
	// Timezone is that of the site where it is empty.
	Timezone    string   `yaml:"timezone"`
	Languages   []string `yaml:"languages"`
	Description string   `yaml:"description"`
	// OnlineBooking is nil where it stays as it is.
	OnlineBooking *SetupOnlineBooking `yaml:"online_booking"`
}

// SetupOpeningHours is one opening of a weekday; 1 is Monday.
type SetupOpeningHours struct {
	Weekday int    `yaml:"weekday"`
	Open    string `yaml:"open"`
	Close   string `yaml:"close"`
}

// SetupUser is an agent or collaborator, active unless it says otherwise.
type SetupUser struct {
	ID               int64    `yaml:"id"`
	AgencyID         int64    `yaml:"agency_id"`
	Firstname        string   `yaml:"firstname"`
	Lastname         string   `yaml:"lastname"`
	Email            string   `yaml:"email"`
	Phone            string   `yaml:"phone"`
	Mobile           string   `yaml:"mobile"`
	JobTitle         string   `yaml:"job_title"`
	PhotoURL         string   `yaml:"photo_url"`
	Languages        []string `yaml:"languages"`
	StatusKind       string   `yaml:"status_kind"`
	RSAC             string   `yaml:"rsac"`
	SIRET            string   `yaml:"siret"`
	ProfessionalCard string   `yaml:"professional_card"`
	IsActive         *bool    `yaml:"is_active"`
	WebVisible       bool     `yaml:"web_visible"`
	Biography        string   `yaml:"biography"`
	Zone             string   `yaml:"zone"`
	// GroupID is one of the site's user groups; Type and Gender are codes.
	GroupID int64  `yaml:"group_id"`
	Type    string `yaml:"type"`
	Gender  string `yaml:"gender"`
	// WorkingTime is nil where it stays as it is.
	WorkingTime *SetupWorkingTime `yaml:"working_time"`
}

// SetupUserGroup is a team of users, of one agency or of the whole site.
type SetupUserGroup struct {
	ID       int64  `yaml:"id"`
	Name     string `yaml:"name"`
	AgencyID int64  `yaml:"agency_id"`
}

// SetupProduct is a product to begin with. Parent is the model of another
// product of the same agency.
type SetupProduct struct {
	Model            string             `yaml:"model"`
	AgencyID         int64              `yaml:"agency_id"`
	UserID           int64              `yaml:"user_id"`
	CustomerID       int64              `yaml:"customer_id"`
	Parent           string             `yaml:"parent"`
	WebStatus        bool               `yaml:"web_status"`
	Intercabinet     bool               `yaml:"intercabinet"`
	SellerStatistics bool               `yaml:"seller_statistics"`
	NextContact      string             `yaml:"next_contact"`
	Color            int                `yaml:"color"`
	DateAdded        time.Time          `yaml:"date_added"`
	LastModified     time.Time          `yaml:"last_modified"`
	Criteria         map[string]any     `yaml:"criteria"`
	Rooms            []SetupRoom        `yaml:"rooms"`
	Descriptions     []SetupDescription `yaml:"descriptions"`
	// Pictures are for those who call from Go; a file names none. Those of MoreProducts are not added.
	Pictures []SetupPicture `yaml:"-"`
	// Line is where the product begins in a file, for errors; 0 if that is not known.
	Line int `yaml:"-"`
}

// SetupRoom is a room of a product to begin with.
type SetupRoom struct {
	Type        string   `yaml:"type"`
	Surface     *float64 `yaml:"surface"`
	Niveau      *int     `yaml:"niveau"`
	Exposition  string   `yaml:"exposition"`
	Vue         string   `yaml:"vue"`
	Sol         string   `yaml:"sol"`
	Commentaire string   `yaml:"commentaire"`
}

// SetupDescription is the text of a product in one language.
type SetupDescription struct {
	Language  string `yaml:"language"`
	Title     string `yaml:"title"`
	Text      string `yaml:"text"`
	ShortText string `yaml:"short_text"`
}

// SetupCredential is a client of the API. In each of packs, permissions and
// rights the word all means every one.
type SetupCredential = tokens.CredentialInput

// SetupKey is an API key of a credential, known by its name.
type SetupKey = tokens.KeyInput
