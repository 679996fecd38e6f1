package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// CreateWebhook is a webhook that an operator makes for a client of the API.
type CreateWebhook struct {
	// Credential is the client: the webhook hears what it may read.
	Credential string
	hooks.CreateHook
}

// createWebhook makes a webhook of the client's, which hears nothing that the
// operator's role could not read. A client makes its own, as through the API.
func (s *Service) createWebhook(ctx context.Context, a Actor, in At[CreateWebhook]) (kernel.Created, error) {
	if a.client != nil {
		return through(s, s.site.Hooks.CreateHook)(ctx, a, At[hooks.CreateHook]{Site: in.Site, In: in.In.CreateHook})
	}
	c, err := s.enterFor(ctx, a, site.ID(in.Site), access.CredentialID(in.In.Credential))
	if err != nil {
		return kernel.Created{}, err
	}
	if err := mayHear(a, in.Site, in.In.Origines.Or(nil)); err != nil {
		return kernel.Created{}, err
	}
	return s.site.Hooks.Unchecked().CreateHook(ctx, c, in.In.CreateHook)
}

// enterFor returns the caller with the grant of a client, who may have webhooks, on behalf
// of an operator.
func (s *Service) enterFor(ctx context.Context, a Actor, id site.ID, client access.CredentialID) (kernel.Caller, error) {
	known, err := view(ctx, s, func(u unit) (access.Credential, error) { return u.Credentials().Get(client) })
	switch {
	case kernel.IsAbsent(err) || err == nil && !known.Reaches(id):
		return kernel.Caller{}, kernel.Invalid("credential", fault.CodeNotFound, "no client of this site has this id")
	case err != nil:
		return kernel.Caller{}, err
	case known.Disabled || known.Revoked():
		return kernel.Caller{}, kernel.Invalid("credential", fault.CodeConflict, "the client is disabled, or has ended")
	case !known.Packs.Any(access.Webhooks):
		return kernel.Caller{}, kernel.Invalid("credential", fault.CodePackMissing, "the client does not have the pack webhooks")
	}
	c, err := s.k.Admit(ctx, known.Grant(id))
	return c.Audited(a.note), err
}

// mayHear refuses event types about what the actor's role may not read.
func mayHear(a Actor, of int64, types []string) error {
	packs := a.Grant(site.ID(of)).Packs
	refused := slices.DeleteFunc(slices.Clone(types), func(name string) bool {
		t, known := event.Parse(name)
		return !known || kernel.MayHear(packs, t)
	})
	if len(refused) == 0 {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodePackMissing, "your role does not see what %s is about", refused[0])
}

// updateWebhook changes a webhook. New event types are judged as when it is created.
func (s *Service) updateWebhook(ctx context.Context, a Actor, in At[hooks.UpdateHook]) (hooks.WebhookResponse, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return hooks.WebhookResponse{}, err
	}
	if in.In.Origines.Given() {
		known, err := s.site.Hooks.GetHook(ctx, c, hooks.HookPath{ID: in.In.ID})
		if err != nil {
			return hooks.WebhookResponse{}, err
		}
		if err := s.heardBy(ctx, access.CredentialID(known.CreatedBy), in.In.Origines.Value); err != nil {
			return hooks.WebhookResponse{}, err
		}
	}
	return s.site.Hooks.UpdateHook(ctx, c, in.In)
}

// heardBy refuses event types that a client could not hear of.
func (s *Service) heardBy(ctx context.Context, client access.CredentialID, types []string) error {
	known, err := view(ctx, s, func(u unit) (access.Credential, error) { return u.Credentials().Get(client) })
	if err != nil {
		return kernel.AbsentIs(err, nil)
	}
	for _, name := range types {
		if t, is := event.Parse(name); is && !kernel.MayHear(known.Packs, t) {
			return kernel.Invalid("origines", fault.CodeUnknownEventType, "the client of the webhook may not hear of %s", name)
		}
	}
	return nil
}

// resumeWebhook makes a suspended webhook active again, and sends what it missed. The
// audit knows the two as one.
func (s *Service) resumeWebhook(ctx context.Context, a Actor, in At[hooks.HookPath]) (hooks.Replayed, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return hooks.Replayed{}, err
	}
	return s.site.Hooks.ResumeHook(ctx, c, in.In)
}
