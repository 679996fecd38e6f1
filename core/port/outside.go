package port

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/webhook"
)

// Sender makes one attempt to deliver. It has no error: failing to reach the
// receiver is an outcome like any other. It must bound the attempt in time and
// in what it reads, follow no redirect, and connect to permitted addresses
// only.
type Sender interface {
	Send(context.Context, webhook.Request) webhook.Answer
}
