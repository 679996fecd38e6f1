package listing

import (
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// Product is a product as responses show it.
type Product struct {
	ID int64 `json:"id"`
	ProductFields
}

// ProductSummary is a product as searches show it: its id alone without fetch,
// otherwise as it is read.
type ProductSummary struct {
	ID int64 `json:"id"`
	*ProductFields
}

// ProductFields are the base fields of a product and the blocks that fetch asks
// for. Blocks are absent unless asked for.
type ProductFields struct {
	Model           string         `json:"model" doc:"reference of the mandate or agency"`
	AgencyID        int64          `json:"agency_id"`
	UserID          *int64         `json:"user_id" doc:"assigned agent"`
	ParentID        *int64         `json:"parent_id" doc:"the product this is a lot of; null once that is gone"`
	LotsCount       int            `json:"lots_count"`
	Status          *string        `json:"status" doc:"code of Statut"`
	PropertyType    *string        `json:"property_type" doc:"code of TypeBien"`
	TransactionType *string        `json:"transaction_type" doc:"code of TypeTransaction"`
	Price           *float64       `json:"price" doc:"Prix, in the site's currency"`
	Surface         *float64       `json:"surface" doc:"Surface, living area in m²"`
	RoomsNumber     *float64       `json:"rooms_number" doc:"NbPieces"`
	Title           *string        `json:"title" doc:"title in the site's main language"`
	Address         *string        `json:"address" doc:"Adresse; null for credentials that only feed websites when AdresseMasquee is 1"`
	PostalCode      *string        `json:"postal_code"`
	City            *string        `json:"city"`
	Country         *string        `json:"country"`
	Position        *Position      `json:"position" doc:"where it is; null when unknown"`
	Energy          Energy         `json:"energy"`
	HasVisit360     bool           `json:"has_visit360"`
	PhotosCount     int            `json:"photos_count" doc:"public pictures"`
	CoverPhotoURL   *string        `json:"cover_photo_url"`
	WebStatus       bool           `json:"web_status"`
	Intercabinet    bool           `json:"intercabinet"`
	DateAdded       kernel.Instant `json:"date_added"`
	LastModified    kernel.Instant `json:"last_modified"`
	InternalFields

	CriteresText              *[]CriterionValue            `json:"criteres_text,omitempty"`
	CriteresNumber            *[]CriterionValue            `json:"criteres_number,omitempty"`
	CriteresFulltext          *[]CriterionValue            `json:"criteres_fulltext,omitempty"`
	CriteresFlag              *[]CriterionValue            `json:"criteres_flag,omitempty"`
	CriteresPublicationErrors *[]PublicationError          `json:"criteres_publication_errors,omitempty"`
	Descriptions              *[]Description               `json:"descriptions,omitempty"`
	Rooms                     *[]Room                      `json:"rooms,omitempty"`
	ProductsPhotos            *[]Photo                     `json:"products_photos,omitempty"`
	Customer                  **CustomerSummary            `json:"customer,omitempty"`
	AssignedTo                **office.UserSummary         `json:"assigned_to,omitempty"`
	CreatedBy                 **office.UserSummary         `json:"created_by,omitempty"`
	Publications              *[]Publication               `json:"publications,omitempty"`
	ActionsHistory            *[]ActionHistoryItem         `json:"actions_history,omitempty"`
	SaleAgreement             *[]dealrecords.SaleAgreement `json:"sale_agreement,omitempty"`
	ActiveSaleAgreement       **dealrecords.SaleAgreement  `json:"active_sale_agreement,omitempty"`
	LogActions                *[]ActionLogItem             `json:"log_actions,omitempty"`
	LiveVisit                 **LiveVisit                  `json:"live_visit,omitempty"`
	Scopes                    *[]ScopeItem                 `json:"scopes,omitempty"`
	Statistic                 *Statistic                   `json:"statistic,omitempty"`
	INSEE                     **INSEE                      `json:"insee,omitempty"`
	OnlineBooking             *OnlineBooking               `json:"online_booking,omitempty"`
	Category                  **Category                   `json:"category,omitempty"`
	Themes                    *[]Theme                     `json:"themes,omitempty"`
}

// Position is where a product is, in degrees.
type Position struct {
	Latitude  float64  `json:"latitude"`
	Longitude float64  `json:"longitude"`
	Source    string   `json:"source" enum:"alentour,address,city"`
	Score     *float64 `json:"score"`
}

// Energy is the energy label: the numbers, the letters, and whether the letters
// were computed.
type Energy struct {
	ConsoEnerg *float64 `json:"conso_energ" doc:"primary energy, kWh/m²/year"`
	ValeurGES  *float64 `json:"valeur_ges" doc:"kgCO2/m²/year"`
	ConsoEner  *string  `json:"conso_ener" doc:"DPE letter"`
	GES        *string  `json:"ges" doc:"GES letter"`
	Derived    bool     `json:"derived" doc:"whether a letter was computed from the numbers"`
	Regime     *string  `json:"regime" doc:"name of the scale it was read off, such as fr-2021"`
	DateDPE    *string  `json:"date_dpe" format:"date"`
}

// SyncError reports that a webhook receiver rejected the last event about a
// resource.
type SyncError struct {
	HookID     int64          `json:"hook_id"`
	EventType  string         `json:"event_type"`
	Reason     string         `json:"reason"`
	OccurredAt kernel.Instant `json:"occurred_at"`
}

// CriterionValue is the value of one criterion; Label is that of the value.
type CriterionValue struct {
	ID      string  `json:"id" doc:"key of the criterion"`
	Value   any     `json:"value" type:"string,number,strings" doc:"a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type"`
	Label   *string `json:"label" doc:"label of the value; labels of a MULTIPLE are joined by commas"`
	Derived bool    `json:"derived" doc:"computed, not sent"`
}

// PublicationError is something that keeps a product off the web.
type PublicationError struct {
	ID      *string `json:"id"`
	Code    string  `json:"code" enum:"missing,invalid,legal_mention_missing,diagnosis_void,photo_missing,rejected_by_receiver"`
	Message string  `json:"message"`
	Channel *string `json:"channel"`
}

// Description is the text of a product in one language.
type Description struct {
	Language  string  `json:"language"`
	Title     *string `json:"title"`
	Text      string  `json:"text"`
	ShortText *string `json:"short_text"`
}

// Room is one room of a product.
type Room struct {
	ID          int64    `json:"id"`
	Type        string   `json:"type" doc:"code of list 1"`
	Surface     *float64 `json:"surface" doc:"m²"`
	Niveau      *int     `json:"niveau" doc:"0 is the ground floor"`
	Exposition  *string  `json:"exposition" doc:"code of list 2"`
	Vue         *string  `json:"vue" doc:"code of list 3"`
	Sol         *string  `json:"sol" doc:"code of list 4"`
	Commentaire *string  `json:"commentaire"`
	Position    int      `json:"position"`
}

// Publication is the state of a product on one channel.
type Publication struct {
	Channel     string          `json:"channel"`
	Status      string          `json:"status" enum:"published,pending,error,off"`
	Reference   *string         `json:"reference"`
	URL         *string         `json:"url"`
	PublishedAt *kernel.Instant `json:"published_at"`
	Error       *string         `json:"error"`
}

// LiveVisit is a visit by video.
type LiveVisit struct {
	URL      string          `json:"url" doc:"that of the next remote visit for everybody; VisiteVirtuelle without one, or else LienVideo"`
	Provider string          `json:"provider" doc:"host of the URL"`
	StartsAt *kernel.Instant `json:"starts_at"`
}

// ScopeItem is an agency that sees a product, and why.
type ScopeItem struct {
	SiteID   int64  `json:"site_id"`
	AgencyID int64  `json:"agency_id"`
	Access   string `json:"access" enum:"owner,intercabinet"`
}

// Statistic counts what became of a product.
type Statistic struct {
	Views            int     `json:"views" doc:"not counted yet: 0"`
	Contacts         int     `json:"contacts" doc:"customers with whom there was an action"`
	VisitsDone       int     `json:"visits_done" doc:"VISITE actions up to now"`
	VisitsPlanned    int     `json:"visits_planned" doc:"VISITE actions from now on"`
	Favorites        int     `json:"favorites" doc:"not counted yet: 0"`
	MatchingSearches int     `json:"matching_searches" doc:"open search requests in scope that the product matches"`
	Since            *string `json:"since" format:"date" doc:"when the product was added"`
}

// INSEE is the official code of a commune.
type INSEE struct {
	Code           string `json:"code" doc:"of the commune"`
	Commune        string `json:"commune"`
	DepartmentCode string `json:"department_code"`
	RegionCode     string `json:"region_code"`
}

// OnlineBooking is how a visit can be booked.
type OnlineBooking struct {
	Enabled   bool          `json:"enabled"`
	URL       *string       `json:"url"`
	NextSlots []BookingSlot `json:"next_slots" doc:"the next five; empty in lists"`
}

// BookingSlot is a time at which an agent is free.
type BookingSlot struct {
	StartAt kernel.Instant `json:"start_at"`
	EndAt   kernel.Instant `json:"end_at"`
	UserID  *int64         `json:"user_id" doc:"null for websites"`
}

// Category is the type of a property, as the site's referential has it.
type Category struct {
	ID       int64  `json:"id" doc:"of the value of TypeBien"`
	Name     string `json:"name" doc:"label of the value"`
	ParentID *int64 `json:"parent_id" doc:"always null: the types are not grouped"`
}

// Theme is a FLAG criterion of the site's own that a product has.
type Theme struct {
	ID    int64  `json:"id" doc:"of the criterion"`
	Label string `json:"label"`
}

// ProductCriteria are the criteria of a product, with the version of the product.
type ProductCriteria struct {
	Data    []ProductCriterion `json:"data"`
	Version kernel.Version     `json:"-" header:"ETag"`
}

// ProductCriterion is a criterion of a product in GET
// /products/{productId}/criteria; Label is that of the value.
type ProductCriterion struct {
	ID    string  `json:"id" doc:"key of the criterion"`
	Value any     `json:"value" type:"string,number,strings" doc:"a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type"`
	Label *string `json:"label" doc:"label of the value; labels of a MULTIPLE are joined by commas"`
}
