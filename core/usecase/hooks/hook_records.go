package hooks

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// CreateHook is the body of POST /hooks.
type CreateHook struct {
	_   struct{}          `required:"origines"`
	URL opt.Field[string] `json:"url" required:"true" max:"webhook.MaxURL" format:"uri" doc:"https target, publicly reachable, answers within 10 seconds"`
	HookInput
}

// HookInput is what creating and updating have in common.
type HookInput struct {
	Origines opt.Field[[]string]          `json:"origines" doc:"event types, as GET /hooks/origines lists them"`
	Headers  opt.Field[map[string]string] `json:"headers" max:"webhook.MaxHeaders" doc:"sent with every delivery"`
	AuthID   opt.Field[int64]             `json:"auth_id" doc:"one of GET /hooks/auths"`
	Format   opt.Field[string]            `json:"format" enum:"default,standard,cloudevents,reso"`
	SkipOwn  opt.Field[bool]              `json:"skip_own" doc:"leave out events this credential causes"`
	// CoalesceSeconds is 0 for null too.
	CoalesceSeconds opt.Field[int] `json:"coalesce_seconds" minimum:"0" maximum:"60" doc:"for how long updates of one resource are gathered into one request; 0 sends each"`
}

// UpdateHook is the body of PUT /hooks/{hookId}. An update, also an empty one,
// reactivates a suspended webhook.
type UpdateHook struct {
	ID      int64             `path:"hookId"`
	IfMatch kernel.IfMatch    `header:"If-Match"`
	URL     opt.Field[string] `json:"url" max:"webhook.MaxURL" format:"uri"`
	HookInput
	Status opt.Field[string] `json:"status" enum:"active,suspended" doc:"suspended stops deliveries until the next update"`
}

// HookPath is a webhook, named in the path.
type HookPath struct {
	ID int64 `path:"hookId"`
}

// DeleteHook is DELETE /hooks/{hookId}.
type DeleteHook struct {
	ID      int64          `path:"hookId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// ListHooks is GET /hooks.
type ListHooks struct{ kernel.PageQuery }

// HookPage is a page of webhooks.
type HookPage struct {
	Data  []WebhookResponse            `json:"data"`
	Meta  kernel.CursorPaginationMeta  `json:"meta"`
	Links kernel.CursorPaginationLinks `json:"links"`
}

// WebhookResponse is a webhook. Its secrets are read elsewhere.
type WebhookResponse struct {
	ID              int64             `json:"id"`
	URL             string            `json:"url"`
	Origines        []string          `json:"origines" trace:"keep"`
	Headers         map[string]string `json:"headers"`
	AuthID          *int64            `json:"auth_id"`
	Format          *string           `json:"format"`
	Status          string            `json:"status" enum:"active,suspended"`
	SuspendedAt     *kernel.Instant   `json:"suspended_at"`
	SuspendedReason *string           `json:"suspended_reason"`
	// MissedAfterEventID stays when the webhook is reactivated, until a replay sends what
	// it missed.
	MissedAfterEventID *int64          `json:"missed_after_event_id" doc:"a replay after this event, with missed_only, sends what a suspension kept back; null when nothing is missing"`
	CoalesceSeconds    int             `json:"coalesce_seconds"`
	SkipOwn            bool            `json:"skip_own"`
	CreatedBy          string          `json:"created_by" doc:"client id"`
	LastSuccessAt      *kernel.Instant `json:"last_success_at"`
	LastFailureAt      *kernel.Instant `json:"last_failure_at"`
	DateAdded          kernel.Instant  `json:"date_added"`
	LastModified       kernel.Instant  `json:"last_modified"`
	Version            kernel.Version  `json:"-" header:"ETag"`
}

// HookSecret is what a webhook signs with.
type HookSecret struct {
	Secret string `json:"secret" doc:"whsec_ and base64, for the Standard Webhooks libraries"`
}

// ReadDeliveries is GET /hooks/{hookId}/deliveries.
type ReadDeliveries struct {
	ID         int64            `path:"hookId"`
	Status     string           `query:"status" enum:"pending,succeeded,rejected,failed,cancelled,superseded"`
	EventType  string           `query:"event_type"`
	ResourceID opt.Field[int64] `query:"resource_id"`
	From       string           `query:"from" format:"date-time" doc:"added on or after"`
	To         string           `query:"to" format:"date-time" doc:"added before"`
	Cursor     opt.Field[int64] `query:"cursor" doc:"next_cursor of the previous page"`
}

// DeliveryPage is a page of deliveries, latest first.
type DeliveryPage struct {
	Data       []DeliveryRecord `json:"data"`
	NextCursor *string          `json:"next_cursor"`
	HasMore    bool             `json:"has_more"`
}

// DeliveryRecord is one event on its way to one webhook.
type DeliveryRecord struct {
	ID            int64           `json:"id"`
	HookID        int64           `json:"hook_id"`
	EventID       *int64          `json:"event_id" doc:"null for a test"`
	WebhookID     string          `json:"webhook_id" doc:"the webhook-id header"`
	EventType     string          `json:"event_type"`
	ResourceID    int64           `json:"resource_id"`
	Status        string          `json:"status" enum:"pending,succeeded,rejected,failed,cancelled,superseded"`
	Reason        *string         `json:"reason"`
	Attempts      []AttemptRecord `json:"attempts"`
	NextAttemptAt *kernel.Instant `json:"next_attempt_at"`
	DateAdded     kernel.Instant  `json:"date_added"`
}

// DeliveryDetail is a delivery with what is sent.
type DeliveryDetail struct {
	DeliveryRecord
	Payload string `json:"payload" doc:"body of its requests, as the webhook's format has it now"`
}

// AttemptRecord is one request that was made.
type AttemptRecord struct {
	Number          int            `json:"number" doc:"1 for the first attempt"`
	At              kernel.Instant `json:"at"`
	URL             string         `json:"url" doc:"where it was sent"`
	HTTPStatus      *int           `json:"http_status"`
	DurationMS      int64          `json:"duration_ms"`
	Error           *string        `json:"error"`
	ResponseExcerpt *string        `json:"response_excerpt"`
}

// DeliveryPath is a delivery, named in the path.
type DeliveryPath struct {
	ID         int64 `path:"hookId"`
	DeliveryID int64 `path:"deliveryId"`
}

// Delivering names a delivery that was put on its way.
type Delivering struct {
	DeliveryID int64 `json:"delivery_id"`
}

// ReplayHook is the body of POST /hooks/{hookId}/replay: a range of the ledger,
// by ids or by time.
type ReplayHook struct {
	_            struct{}          `oneOf:"after_event_id,from"`
	ID           int64             `path:"hookId"`
	AfterEventID opt.Field[int64]  `json:"after_event_id"`
	From         opt.Field[string] `json:"from" format:"date-time"`
	To           opt.Field[string] `json:"to" format:"date-time"`
	MissedOnly   opt.Field[bool]   `json:"missed_only" doc:"only events without a delivery that is pending or has succeeded"`
}

// Replayed counts the deliveries a replay put on their way, and tells the events it
// looked at.
type Replayed struct {
	Deliveries   int    `json:"deliveries"`
	FirstEventID *int64 `json:"first_event_id" doc:"the first event it looked at; null when there was none"`
	LastEventID  *int64 `json:"last_event_id" doc:"the last event it looked at; null when there was none"`
	HasMore      bool   `json:"has_more" doc:"the range goes on: replay after last_event_id"`
}

// HookAuthInput is the body of POST /hooks/auths and PUT /hooks/auths/{authId}.
// Which fields count follows from the type; secrets can be written, not read.
type HookAuthInput struct {
	Name         opt.Field[string] `json:"name" max:"kernel.MaxText"`
	Type         opt.Field[string] `json:"type" required:"true" enum:"basic,bearer,api_key,oauth2_client_credentials,ed25519"`
	Username     opt.Field[string] `json:"username" max:"hooks.MaxSecret" doc:"basic"`
	Password     opt.Field[string] `json:"password" max:"hooks.MaxSecret" doc:"basic; write-only"`
	Token        opt.Field[string] `json:"token" max:"hooks.MaxSecret" doc:"bearer; write-only"`
	Header       opt.Field[string] `json:"header" max:"hooks.MaxSecret" doc:"api_key: name of the header"`
	Value        opt.Field[string] `json:"value" max:"hooks.MaxSecret" doc:"api_key; write-only"`
	TokenURL     opt.Field[string] `json:"token_url" max:"hooks.MaxSecret" format:"uri" doc:"oauth2_client_credentials"`
	ClientID     opt.Field[string] `json:"client_id" max:"hooks.MaxSecret" doc:"oauth2_client_credentials"`
	ClientSecret opt.Field[string] `json:"client_secret" max:"hooks.MaxSecret" doc:"oauth2_client_credentials; write-only"`
	Scope        opt.Field[string] `json:"scope" max:"hooks.MaxSecret" doc:"oauth2_client_credentials"`
}

// UpdateHookAuth is PUT /hooks/auths/{authId}.
type UpdateHookAuth struct {
	_       struct{}       `optional:"type"`
	ID      int64          `path:"authId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	HookAuthInput
}

// DeleteHookAuth is DELETE /hooks/auths/{authId}.
type DeleteHookAuth struct {
	ID      int64          `path:"authId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// HookAuthPath is an authentication configuration, named in the path.
type HookAuthPath struct {
	ID int64 `path:"authId"`
}

// HookAuth is an authentication configuration, without its secret.
type HookAuth struct {
	ID           int64          `json:"id"`
	Name         *string        `json:"name"`
	Type         string         `json:"type" enum:"basic,bearer,api_key,oauth2_client_credentials,ed25519"`
	Username     *string        `json:"username"`
	Header       *string        `json:"header"`
	TokenURL     *string        `json:"token_url"`
	ClientID     *string        `json:"client_id"`
	Scope        *string        `json:"scope"`
	PublicKey    *string        `json:"public_key" doc:"ed25519, in base64: verifies v1a signatures"`
	DateAdded    kernel.Instant `json:"date_added"`
	LastModified kernel.Instant `json:"last_modified"`
	Version      kernel.Version `json:"-" header:"ETag"`
}
