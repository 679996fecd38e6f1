package backoffice

import (
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// API has the use cases of operators. They also read through the use cases of the Site API with
// the caller of Enter. Each checks the actor first: it fails as Unauthenticated without one, as
// Forbidden when the role lacks the power or the site, and as Forbidden because of ErrNotProved
// when the operator has to reauthenticate. A wrong request fails as Invalid, with every field
// named, and changes nothing.
type API struct {
	// Confirm reauthenticates the actor by the password. It fails as Unauthenticated when it
	// is wrong, and as Limited after too many failures.
	Confirm UseCase[Confirm, kernel.None]
	// ListSessions lists the sessions of the actor.
	ListSessions UseCase[kernel.Nothing, []SessionRecord]
	// EndSession ends one session of the actor, perhaps the present one; EndEverySession
	// all of them.
	EndSession      UseCase[EndSession, kernel.None]
	EndEverySession UseCase[kernel.Nothing, kernel.None]
	// ChangePassword sets a new password of the actor.
	ChangePassword UseCase[ChangePassword, kernel.None]

	// AskConfirm returns a challenge for reauthentication by a passkey, and ConfirmWithPasskey
	// takes the answer.
	AskConfirm         UseCase[AskConfirm, Asked]
	ConfirmWithPasskey UseCase[Answered, kernel.None]
	// ListPasskeys lists the passkeys of the actor. AskNewPasskey returns a challenge for a new
	// one, and AddPasskey stores it: from then on the password alone is not enough.
	ListPasskeys  UseCase[kernel.Nothing, []PasskeyRecord]
	AskNewPasskey UseCase[AskNewPasskey, Asked]
	AddPasskey    UseCase[AddPasskey, kernel.None]
	RemovePasskey UseCase[RemovePasskey, kernel.None]

	// SaveFilter saves a filter of the actor, in place of the one with its page and name.
	// RemoveFilter fails as NotFound when the actor has no such filter.
	SaveFilter   UseCase[operator.Filter, kernel.None]
	RemoveFilter UseCase[RemoveFilter, kernel.None]

	// ListOperators lists operators and invitations.
	ListOperators UseCase[kernel.Nothing, OperatorList]
	// InviteOperator returns a link for a new operator, RecoverOperator one for an operator who
	// lost their password. Nobody can give more rights than they have.
	InviteOperator     UseCase[InviteOperator, Link]
	RecoverOperator    UseCase[OperatorPath, Link]
	WithdrawInvitation UseCase[WithdrawInvitation, kernel.None]
	// ChangeOperator changes the name, role and sites of an operator. Like DisableOperator it
	// fails as Conflict when nobody would be left who can do everything.
	ChangeOperator  UseCase[ChangeOperator, kernel.None]
	DisableOperator UseCase[DisableOperator, kernel.None]
	// ListAudit lists entries of the audit, latest first.
	ListAudit UseCase[ListAudit, AuditPage]

	// ListCredentials lists the clients of the API that reach a site of the actor, and
	// GetCredential returns one with its API keys.
	ListCredentials UseCase[kernel.Nothing, []CredentialRecord]
	GetCredential   UseCase[CredentialPath, CredentialDetail]
	// CreateCredential and the others are those of tokens.Service. They fail as Forbidden when
	// the client has more rights than the actor may give.
	CreateCredential  UseCase[tokens.CredentialInput, Secret]
	UpdateCredential  UseCase[tokens.CredentialInput, kernel.None]
	DisableCredential UseCase[DisableCredential, kernel.None]
	RotateCredential  UseCase[tokens.RotateSecret, Secret]
	RevokeCredential  UseCase[CredentialPath, kernel.None]
	RevokeTokens      UseCase[CredentialPath, int]
	CreateKey         UseCase[tokens.KeyInput, tokens.CreatedKey]
	RevokeKey         UseCase[tokens.NamedKey, kernel.None]
	// ListCallable lists the operations that the picked rights allow, and ListPresets the rights
	// that common kinds of clients need.
	ListCallable UseCase[Picked, []OperationRecord]
	ListPresets  UseCase[kernel.Nothing, []Preset]

	// CreateWebhook makes a webhook for a client of the API. The others are those of
	// hooks.API.
	CreateWebhook UseCase[At[CreateWebhook], kernel.Created]
	UpdateWebhook UseCase[At[hooks.UpdateHook], hooks.WebhookResponse]
	DeleteWebhook UseCase[At[hooks.DeleteHook], kernel.None]
	TestWebhook   UseCase[At[hooks.HookPath], hooks.Delivering]
	Redeliver     UseCase[At[hooks.DeliveryPath], hooks.Delivering]
	ReplayWebhook UseCase[At[hooks.ReplayHook], hooks.Replayed]
	// ResumeWebhook reactivates a suspended webhook and sends the missed events. It fails as
	// Conflict when the webhook is not suspended.
	ResumeWebhook       UseCase[At[hooks.HookPath], hooks.Replayed]
	ReadWebhookSecret   UseCase[At[hooks.HookPath], hooks.HookSecret]
	RotateWebhookSecret UseCase[At[hooks.HookPath], hooks.HookSecret]

	// CreateSite makes a site with an agency, a user, a vocabulary and a client of the API that
	// may do everything there. It is for operators of all sites. It fails as Invalid when the site
	// or the client exists.
	CreateSite UseCase[NewSite, CreatedSite]
	// GetSite returns a site with all its agencies and users, of whatever scope.
	GetSite UseCase[At[kernel.Nothing], WholeSite]
	// CreateAgency and CreateUser add to a site, ChangeAgency and ChangeUser store another state
	// of what there is, by the rules of transfer.Service.Provision and with its events. What
	// belongs to an agency that leaves the scope, or comes into it, is told of by TellScopeChanges.
	CreateAgency UseCase[At[AgencyInput], kernel.Created]
	ChangeAgency UseCase[At[AgencyInput], kernel.Changed]
	CreateUser   UseCase[At[UserInput], kernel.Created]
	ChangeUser   UseCase[At[UserInput], kernel.Changed]
	// ChangeSettings, ChangeCriterionValues and ChangeListValues are those of
	// office.Changes.
	ChangeSettings        UseCase[At[office.ChangeSettings], kernel.Changed]
	ChangeCriterionValues UseCase[At[office.ChangeCriterionValues], kernel.Changed]
	ChangeListValues      UseCase[At[office.ChangeListValues], kernel.Changed]

	// SumUpSites returns what goes on at all sites that the actor reaches.
	SumUpSites UseCase[kernel.Nothing, Summary]

	// FindRequests lists requests of sites, GetRequest returns one, CountRequests counts them,
	// and ListReadiness lists the deprecated names in them. They are those of requests.Service,
	// without what the role does not see. With SignIns FindRequests lists failed sign-ins of
	// clients that reach the sites.
	FindRequests  UseCase[FindRequests, trace.Page]
	GetRequest    UseCase[At[RequestPath], trace.Request]
	CountRequests UseCase[At[CountRequests], []trace.Series]
	// FindSitelessRequests lists requests that belong to no site, for operators of all sites.
	// CountSignIns counts those of clients that reach a site: successful and failed sign-ins; for
	// operators of all sites, also the failed ones of unknown clients.
	FindSitelessRequests UseCase[FindRequests, trace.Page]
	CountSignIns         UseCase[At[CountRequests], []trace.Series]
	ListReadiness        UseCase[At[kernel.Nothing], []trace.Readiness]

	// ListImports, GetImport and ReadImportReport read imports; StartImport, CarryOutImport,
	// UndoImport and StopImport are those of transfer.Imports.
	ListImports      UseCase[At[transfer.ListImportRuns], ImportPage]
	GetImport        UseCase[At[transfer.ImportRunPath], Import]
	ReadImportReport UseCase[At[transfer.ReadImportReport], transfer.ImportReportPage]
	StartImport      UseCase[At[transfer.StartImport], kernel.Created]
	CarryOutImport   UseCase[At[transfer.ImportRunPath], kernel.Created]
	UndoImport       UseCase[At[transfer.ImportRunPath], kernel.Created]
	StopImport       UseCase[At[transfer.ImportRunPath], kernel.None]

	// ListImportSources, GetImportSource, RunImportSource and PauseImportSource are those of
	// transfer.Sources.
	ListImportSources UseCase[At[kernel.Nothing], []operator.ImportSource]
	GetImportSource   UseCase[At[transfer.ImportSourcePath], transfer.ImportSourceRecord]
	RunImportSource   UseCase[At[transfer.RunImportSource], kernel.None]
	PauseImportSource UseCase[At[transfer.PauseImportSource], kernel.None]
	// SaveImportSource and DeleteImportSource are those of transfer.Sources, SavePublicationTarget and
	// DeletePublicationTarget those of portals.Service.
	SaveImportSource        UseCase[At[transfer.SetupImportSource], kernel.Created]
	DeleteImportSource      UseCase[At[transfer.ImportSourcePath], kernel.None]
	SavePublicationTarget   UseCase[At[transfer.SetupPublicationTarget], kernel.Created]
	DeletePublicationTarget UseCase[At[portals.TargetPath], kernel.None]

	// ListPublicationTargets, GetPublicationTarget, SendToPublicationTarget, PausePublicationTarget and RejectListing are those of
	// portals.Service.
	ListPublicationTargets  UseCase[At[kernel.Nothing], []operator.PublicationTarget]
	GetPublicationTarget    UseCase[At[portals.TargetPath], portals.TargetRecord]
	SendToPublicationTarget UseCase[At[portals.TargetPath], kernel.None]
	PausePublicationTarget  UseCase[At[portals.PauseTarget], kernel.None]
	RejectListing           UseCase[At[portals.RejectListing], kernel.None]

	// ListAlerts lists what stands at the sites of the actor, and for operators of all sites who is told;
	// SilenceAlert has nothing told of it. The others are those of alerts.Service, for operators of all sites.
	ListAlerts         UseCase[kernel.Nothing, alerts.Overview]
	SilenceAlert       UseCase[alerts.Silence, kernel.None]
	CreateAlertChannel UseCase[alerts.ChannelInput, alerts.SavedChannel]
	UpdateAlertChannel UseCase[alerts.UpdateChannel, alerts.SavedChannel]
	TestAlertChannel   UseCase[alerts.ChannelPath, alerts.TestResult]
	DeleteAlertChannel UseCase[alerts.ChannelPath, kernel.None]

	// HandLeadOn assigns a lead to a user.
	HandLeadOn UseCase[At[people.UpdateLead], kernel.Changed]
	// FindPerson lists the customers with a phone number or an e-mail address.
	FindPerson UseCase[At[FindPerson], []listing.CustomerSummary]
	// ExportPerson returns everything that is stored about a customer.
	ExportPerson UseCase[At[people.CustomerPath], people.CustomerExport]
	// AnonymizePerson removes everything personal about a customer for good. It fails as
	// Invalid unless their name is typed as NameOf writes it.
	AnonymizePerson UseCase[At[AnonymizePerson], kernel.None]
}

func (s *Service) table(a *API) []Operation {
	site := s.site
	return slices.Concat([]Operation{
		op(s, &a.Confirm, Operation{ID: "session.confirm", Summary: "Give the password again", Clients: true, WithoutPasskey: true}, nil, s.confirm),
		op(s, &a.ListSessions, Operation{ID: "session.list", Summary: "List one's own sessions"}, nil, s.listSessions),
		op(s, &a.EndSession, Operation{ID: "session.end", Summary: "Sign out", Clients: true, WithoutPasskey: true, Audited: true}, nothing[EndSession], s.endSession),
		op(s, &a.EndEverySession, Operation{ID: "session.end-all", Summary: "Sign out everywhere", WithoutPasskey: true, Audited: true}, nothing[kernel.Nothing], s.endEverySession),
		op(s, &a.ChangePassword, Operation{ID: "password.change", Summary: "Change one's own password", Reauthenticate: true, Audited: true}, nothing[ChangePassword], s.changePassword),

		op(s, &a.AskConfirm, Operation{ID: "session.confirm.ask", Summary: "Be asked for a passkey again"}, nil, s.askConfirm),
		op(s, &a.ConfirmWithPasskey, Operation{ID: "session.confirm.passkey", Summary: "Show a passkey again"}, nil, s.confirmWithPasskey),
		op(s, &a.ListPasskeys, Operation{ID: "passkey.list", Summary: "List one's own passkeys", WithoutPasskey: true}, nil, s.listPasskeys),
		op(s, &a.AskNewPasskey, Operation{ID: "passkey.ask", Summary: "Be asked for a new passkey", WithoutPasskey: true}, nil, s.askNewPasskey),
		op(s, &a.AddPasskey, Operation{ID: "passkey.add", Summary: "Add a passkey", WithoutPasskey: true, Reauthenticate: true, Audited: true}, nothing[AddPasskey], s.addPasskey),
		op(s, &a.RemovePasskey, Operation{ID: "passkey.remove", Summary: "Remove a passkey", Reauthenticate: true, Audited: true}, nothing[RemovePasskey], s.removePasskey),

		op(s, &a.SaveFilter, Operation{ID: "filter.save", Summary: "Save a filter of a list", Audited: true}, nothing[operator.Filter], s.saveFilter),
		op(s, &a.RemoveFilter, Operation{ID: "filter.remove", Summary: "Remove a saved filter", Audited: true}, nothing[RemoveFilter], s.removeFilter),

		op(s, &a.ListOperators, Operation{ID: "operator.list", Summary: "List operators and invitations", Powers: operator.ManageOperators}, nil, s.listOperators),
		op(s, &a.InviteOperator, Operation{ID: "operator.invite", Summary: "Invite an operator", Powers: operator.ManageOperators, Reauthenticate: true, Audited: true}, nothing[InviteOperator], s.inviteOperator),
		op(s, &a.RecoverOperator, Operation{ID: "operator.recover", Summary: "Let an operator choose a new password", Powers: operator.ManageOperators, Reauthenticate: true, Audited: true},
			func(in OperatorPath) string { return about("operator", in.ID) }, s.recoverOperator),
		op(s, &a.WithdrawInvitation, Operation{ID: "operator.withdraw", Summary: "Withdraw an invitation", Powers: operator.ManageOperators, Reauthenticate: true, Audited: true},
			func(in WithdrawInvitation) string { return invitationOf(access.Hash(in.ID)) }, s.withdrawInvitation),
		op(s, &a.ChangeOperator, Operation{ID: "operator.change", Summary: "Change an operator", Powers: operator.ManageOperators, Reauthenticate: true, Audited: true},
			func(in ChangeOperator) string { return about("operator", in.ID) }, s.changeOperator),
		op(s, &a.DisableOperator, Operation{ID: "operator.disable", Summary: "Disable an operator, or enable them again", Powers: operator.ManageOperators, Reauthenticate: true, Audited: true},
			func(in DisableOperator) string { return about("operator", in.ID) }, s.disableOperator),
		op(s, &a.ListAudit, Operation{ID: "audit.list", Summary: "List what operators did", Powers: operator.ReadAudit | operator.ReadPersonsAudit}, nil, s.listAudit),

		op(s, &a.ListCredentials, Operation{ID: "credential.list", Summary: "List the clients of the API", Powers: operator.ManageCredentials}, nil, s.listCredentials),
		op(s, &a.GetCredential, Operation{ID: "credential.get", Summary: "Read a client with its keys", Clients: true, Powers: operator.ManageCredentials}, nil, s.getCredential),
		op(s, &a.CreateCredential, Operation{ID: "credential.create", Summary: "Create a client", Powers: operator.ManageCredentials, Reauthenticate: true, Audited: true}, inputOf, s.createCredential),
		op(s, &a.UpdateCredential, Operation{ID: "credential.update", Summary: "Limit or widen a client", Powers: operator.ManageCredentials, Audited: true}, inputOf, s.updateCredential),
		op(s, &a.DisableCredential, Operation{ID: "credential.disable", Summary: "Disable a client, or enable it again", Powers: operator.ManageCredentials, Audited: true},
			func(in DisableCredential) string { return "credential " + in.ID }, s.disableCredential),
		op(s, &a.RotateCredential, Operation{ID: "credential.rotate", Summary: "Draw another secret of a client", Powers: operator.ManageCredentials, Reauthenticate: true, Audited: true},
			func(in tokens.RotateSecret) string { return "credential " + string(in.Credential) }, s.rotateCredential),
		op(s, &a.RevokeCredential, Operation{ID: "credential.revoke", Summary: "End a client for good", Powers: operator.ManageCredentials, Reauthenticate: true, Audited: true}, credentialOf, s.revokeCredential),
		op(s, &a.RevokeTokens, Operation{ID: "credential.tokens.revoke", Summary: "End all tokens of a client", Powers: operator.ManageCredentials, Audited: true}, credentialOf, s.revokeTokens),
		op(s, &a.CreateKey, Operation{ID: "key.create", Summary: "Make an API key of a client", Clients: true, Powers: operator.ManageCredentials, Reauthenticate: true, Audited: true},
			func(in tokens.KeyInput) string { return "credential " + in.Credential }, s.createKey),
		op(s, &a.RevokeKey, Operation{ID: "key.revoke", Summary: "End an API key of a client", Clients: true, Powers: operator.ManageCredentials, Audited: true},
			func(in tokens.NamedKey) string {
				return "credential " + string(in.Credential) + ", " + about("key", int64(in.ID))
			}, s.revokeKey),
		op(s, &a.ListCallable, Operation{ID: "credential.callable", Summary: "List what a client could call", Clients: true, Powers: operator.ManageCredentials}, nil, s.listCallable),
		op(s, &a.ListPresets, Operation{ID: "credential.presets", Summary: "List what clients of some kinds need", Powers: operator.ManageCredentials}, nil, s.listPresets),

		op(s, &a.CreateWebhook, Operation{ID: "webhook.create", Summary: "Create a webhook for a client", Clients: true, Powers: operator.ManageHooks, Audited: true},
			func(At[CreateWebhook]) string { return "webhook" }, s.createWebhook),
		op(s, &a.UpdateWebhook, Operation{ID: "webhook.update", Summary: "Change a webhook, and reactivate it", Clients: true, Powers: operator.ManageHooks, Audited: true},
			func(in At[hooks.UpdateHook]) string { return about("webhook", in.In.ID) }, s.updateWebhook),
		op(s, &a.DeleteWebhook, Operation{ID: "webhook.delete", Summary: "Delete a webhook", Clients: true, Powers: operator.ManageHooks, Audited: true},
			func(in At[hooks.DeleteHook]) string { return about("webhook", in.In.ID) }, through(s, site.Hooks.DeleteHook)),
		op(s, &a.TestWebhook, Operation{ID: "webhook.test", Summary: "Send a test event", Clients: true, Powers: operator.ManageHooks, Audited: true}, webhookOf, through(s, site.Hooks.TestHook)),
		op(s, &a.Redeliver, Operation{ID: "webhook.redeliver", Summary: "Send a delivery once more", Clients: true, Powers: operator.ManageHooks, Audited: true},
			func(in At[hooks.DeliveryPath]) string { return about("webhook", in.In.ID) }, through(s, site.Hooks.Redeliver)),
		op(s, &a.ReplayWebhook, Operation{ID: "webhook.replay", Summary: "Send a range of events again", Clients: true, Powers: operator.ManageHooks, Audited: true},
			func(in At[hooks.ReplayHook]) string { return about("webhook", in.In.ID) }, through(s, site.Hooks.ReplayHook)),
		op(s, &a.ResumeWebhook, Operation{ID: "webhook.resume", Summary: "Reactivate a webhook and send what it missed", Clients: true, Powers: operator.ManageHooks, Audited: true}, webhookOf, s.resumeWebhook),
		op(s, &a.ReadWebhookSecret, Operation{ID: "webhook.secret.read", Summary: "Read the secret of a webhook", Clients: true, Powers: operator.ManageHooks, Reauthenticate: true, Audited: true}, webhookOf, through(s, site.Hooks.GetHookSecret)),
		op(s, &a.RotateWebhookSecret, Operation{ID: "webhook.secret.rotate", Summary: "Draw a new secret for a webhook", Clients: true, Powers: operator.ManageHooks, Reauthenticate: true, Audited: true}, webhookOf, through(s, site.Hooks.RotateHookSecret)),

		op(s, &a.CreateSite, Operation{ID: "site.create", Summary: "Create a site", Powers: operator.ManageSites, Reauthenticate: true, Audited: true}, nothing[NewSite], s.createSite),
		op(s, &a.GetSite, Operation{ID: "site.get", Summary: "Read a site with its agencies and users", Powers: operator.ManageSites}, nil, s.getSite),
		op(s, &a.CreateAgency, Operation{ID: "agency.create", Summary: "Add an agency to a site", Powers: operator.ManageSites, Audited: true},
			func(At[AgencyInput]) string { return "agency" }, s.createAgency),
		op(s, &a.ChangeAgency, Operation{ID: "agency.change", Summary: "Change an agency", Powers: operator.ManageSites, Audited: true},
			func(in At[AgencyInput]) string { return about("agency", int64(in.In.Agency.ID)) }, s.changeAgency),
		op(s, &a.CreateUser, Operation{ID: "user.create", Summary: "Add a user to an agency", Powers: operator.ManageSites, Audited: true},
			func(At[UserInput]) string { return "user" }, s.createUser),
		op(s, &a.ChangeUser, Operation{ID: "user.change", Summary: "Change a user", Powers: operator.ManageSites, Audited: true},
			func(in At[UserInput]) string { return about("user", int64(in.In.User.ID)) }, s.changeUser),
		op(s, &a.ChangeSettings, Operation{ID: "site.settings", Summary: "Change the settings of a site", Powers: operator.ManageSites, Audited: true},
			nothing[At[office.ChangeSettings]], through(s, site.Office.Changes.ChangeSettings)),
		op(s, &a.ChangeCriterionValues, Operation{ID: "site.criterion", Summary: "Activate, order and label the values of a criterion", Powers: operator.ManageSites, Audited: true},
			func(in At[office.ChangeCriterionValues]) string { return "criterion " + in.In.Criteria }, through(s, site.Office.Changes.ChangeCriterionValues)),
		op(s, &a.ChangeListValues, Operation{ID: "site.list", Summary: "Activate, order and label the values of a list", Powers: operator.ManageSites, Audited: true},
			func(in At[office.ChangeListValues]) string { return about("list", in.In.List) }, through(s, site.Office.Changes.ChangeListValues)),

		op(s, &a.SumUpSites, Operation{ID: "site.sum-up", Summary: "List all sites with what goes on there"}, nil, s.sumUpSites),
		op(s, &a.FindRequests, Operation{ID: "request.find", Summary: "Find requests", Clients: true, Powers: operator.SeeRequests}, nil, s.findRequests),
		op(s, &a.GetRequest, Operation{ID: "request.get", Summary: "Read a request", Clients: true, Powers: operator.SeeRequests}, nil, s.getRequest),
		op(s, &a.CountRequests, Operation{ID: "request.count", Summary: "Count requests in steps", Clients: true, Powers: operator.SeeRequests}, nil, s.countRequests),
		op(s, &a.FindSitelessRequests, Operation{ID: "request.find-siteless", Summary: "Find requests that belong to no site", Powers: operator.SeeRequests}, nil, s.findSitelessRequests),
		op(s, &a.CountSignIns, Operation{ID: "request.sign-ins", Summary: "Count sign-ins in steps", Clients: true, Powers: operator.SeeRequests}, nil, s.countSignIns),
		op(s, &a.ListReadiness, Operation{ID: "request.readiness", Summary: "List deprecated names in use", Clients: true, Powers: operator.SeeRequests}, nil, s.listReadiness),

		op(s, &a.HandLeadOn, Operation{ID: "lead.hand-on", Summary: "Hand a lead on", Powers: operator.ManageLeads, Audited: true},
			func(in At[people.UpdateLead]) string { return about("lead", in.In.ID) }, through(s, site.People.UpdateLead)),
		op(s, &a.FindPerson, Operation{ID: "person.find", Summary: "Find a person by phone or e-mail", Powers: operator.HandlePersons, Audited: true}, nothing[At[FindPerson]], s.findPerson),
		op(s, &a.ExportPerson, Operation{ID: "person.export", Summary: "Read all that is kept about a person", Powers: operator.HandlePersons, Audited: true}, customerOf, through(s, site.People.ExportCustomer)),
		op(s, &a.AnonymizePerson, Operation{ID: "person.anonymize", Summary: "Remove all that is personal about a person", Powers: operator.HandlePersons, Reauthenticate: true, Audited: true},
			func(in At[AnonymizePerson]) string { return about("customer", in.In.ID) }, s.anonymizePerson),
	}, s.importOperations(a), s.alertOperations(a))
}

// about returns the subject of an entry of the audit.
func about(kind string, id int64) string { return kind + " " + strconv.FormatInt(id, 10) }

// invitationOf returns the name of an invitation: the beginning of its hash.
func invitationOf(hash access.Hash) string {
	const enough = 8
	return "invitation " + string(hash[:min(enough, len(hash))])
}

func inputOf(in tokens.CredentialInput) string { return "credential " + in.ID }

func credentialOf(in CredentialPath) string { return "credential " + in.ID }

func webhookOf(in At[hooks.HookPath]) string { return about("webhook", in.In.ID) }

func customerOf(in At[people.CustomerPath]) string { return about("customer", in.In.ID) }

// nothing returns the empty subject.
func nothing[In any](In) string { return "" }
