package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// ReadActions is GET /products/{productId}/actions.
type ReadActions struct {
	ID     int64            `path:"productId"`
	Cursor opt.Field[int64] `query:"cursor" minimum:"1" doc:"next_cursor of the previous page"`
}

// ActionPage is a page of a history, latest first.
type ActionPage struct {
	Data       []ActionHistoryItem `json:"data"`
	NextCursor *int64              `json:"next_cursor" doc:"id of the last action shown"`
	HasMore    bool                `json:"has_more"`
}

// CreateProductAction is POST /products/{productId}/actions.
type CreateProductAction struct {
	ID int64 `path:"productId"`
	ActionInput
	CustomerID opt.Field[int64] `json:"customer_id" doc:"whom it was done with"`
}

// ActionInput is what actions about products and about customers have in common.
type ActionInput struct {
	ActionID      opt.Field[int64]  `json:"action_id" required:"true" doc:"one of GET /actions/types"`
	ChildActionID opt.Field[int64]  `json:"child_action_id" doc:"one of the children of the type"`
	UserID        opt.Field[int64]  `json:"user_id" doc:"agent who performed it"`
	Result        opt.Field[string] `json:"result" max:"listing.MaxResult" doc:"comment or result"`
	DatePerformed opt.Field[string] `json:"date_performed" format:"date-time" doc:"now, unless given; may lie in the future"`
}

// ActionCreated is the answer to writing down an action. The id is that of the
// product or customer it is about.
type ActionCreated struct {
	ID int64 `json:"id" doc:"of the product or customer"`
	// ActionID is the id of the action itself.
	ActionID string `json:"-" header:"X-Action-Id"`
}

// ActionHistoryItem is an action in the history of a product or customer.
type ActionHistoryItem struct {
	ID               int64          `json:"id"`
	ActionID         int64          `json:"action_id"`
	ActionLabel      string         `json:"action_label"`
	ChildActionID    *int64         `json:"child_action_id"`
	ChildActionLabel *string        `json:"child_action_label"`
	UserID           *int64         `json:"user_id" doc:"agent who performed it"`
	ProductID        *int64         `json:"product_id" ref:"product" doc:"what it is about; null when it is about a customer"`
	CustomerID       *int64         `json:"customer_id" ref:"customer" doc:"whom it was done with, or whom it is about"`
	Result           *string        `json:"result"`
	DatePerformed    kernel.Instant `json:"date_performed"`
	DateAdded        kernel.Instant `json:"date_added"`
}

// ActionLogItem is an entry of the application log about a product.
type ActionLogItem struct {
	ID            int64          `json:"id"`
	ActionID      *int64         `json:"action_id" doc:"null for what the system logs, such as a change of Statut"`
	Label         string         `json:"label" doc:"what the action was called when it was written down"`
	UserID        *int64         `json:"user_id"`
	Actor         string         `json:"actor" doc:"name of the user, or else the client id that wrote it down"`
	Result        *string        `json:"result"`
	DatePerformed kernel.Instant `json:"date_performed"`
	DateAdded     kernel.Instant `json:"date_added"`
}
