package webhook

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// AuthType is how deliveries prove who they are to a receiver that wants more
// than a signature.
type AuthType string

// The types of authentication.
const (
	AuthBasic   AuthType = "basic"
	AuthBearer  AuthType = "bearer"
	AuthAPIKey  AuthType = "api_key"
	AuthOAuth2  AuthType = "oauth2_client_credentials"
	AuthEd25519 AuthType = "ed25519"
)

// AuthTypes lists the types of authentication.
func AuthTypes() []AuthType {
	return []AuthType{AuthBasic, AuthBearer, AuthAPIKey, AuthOAuth2, AuthEd25519}
}

// Auth is an authentication configuration that webhooks refer to. Which fields
// count follows from the type.
type Auth struct {
	ID   AuthID
	Site site.ID
	Name string
	Type AuthType

	Username string // basic
	Header   string // api_key: the name of the header
	TokenURL string // oauth2
	ClientID string // oauth2
	Scope    string // oauth2
	// PublicKey of ed25519 is given out, in base64, for receivers to verify.
	PublicKey string

	// Secret is the one thing nobody may read back: the password, the token,
	// the value of the header, the client secret, or the private key in base64.
	Secret string

	Added, Modified time.Time
}

// Signing is what a webhook signs its deliveries with.
type Signing struct {
	Site    site.ID
	Hook    ID
	Current Secret
	// Previous still signs, next to Current, until Until.
	Previous Secret
	Until    time.Time
}

// RotationPeriod is how long the previous secret goes on signing.
const RotationPeriod = 24 * time.Hour

// Rotate puts a new secret in the place of the current one.
func (s Signing) Rotate(fresh Secret, now time.Time) Signing {
	s.Current, s.Previous, s.Until = fresh, s.Current, now.Add(RotationPeriod)
	return s
}

// Valid lists the secrets that sign at the given moment, the current one first.
func (s Signing) Valid(now time.Time) []Secret {
	if s.Previous != "" && now.Before(s.Until) {
		return []Secret{s.Current, s.Previous}
	}
	return []Secret{s.Current}
}

// Rejection says that a resource is errored: a receiver answered its last event
// with 422.
type Rejection struct {
	Site     site.ID
	Hook     ID
	Kind     string // the resource of the event type, such as PRODUCT
	Resource int64
	Type     string
	Reason   string
	At       time.Time
}
