// Package passkeys makes and checks what browsers say of passkeys, by the library
// go-webauthn.
package passkeys

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

// WebAuthn implements port.WebAuthn. A passkey belongs to the host name of the place
// at which it was made.
type WebAuthn struct {
	// name is what devices call the place.
	name string
}

var _ port.WebAuthn = WebAuthn{}

// New makes one for a place that devices are to show under a name.
func New(name string) WebAuthn { return WebAuthn{name} }

// party returns the place at which a browser is.
func (w WebAuthn) party(at string) (*webauthn.WebAuthn, error) {
	place, err := url.Parse(at)
	if err == nil {
		err = protocol.ValidateRPID(place.Hostname())
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeInvalidFormat, "passkeys need a host name, not an address of numbers").Because(err)
	}
	return webauthn.New(&webauthn.Config{
		RPID: place.Hostname(), RPDisplayName: w.name, RPOrigins: []string{at}, AttestationPreference: protocol.PreferNoAttestation,
		// A key without memory for names is good after the password, one with it alone.
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: operator.AskedFor, TimeoutUVD: operator.AskedFor},
			Registration: webauthn.TimeoutConfig{Timeout: operator.AskedFor, TimeoutUVD: operator.AskedFor},
		},
	})
}

// holder is an operator as the library knows users.
type holder struct {
	port.PasskeyHolder
	credentials []webauthn.Credential
}

func newHolder(of port.PasskeyHolder) (holder, error) {
	h := holder{PasskeyHolder: of}
	for _, p := range of.Passkeys {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(p.Record), &c); err != nil {
			return h, fmt.Errorf("reading a passkey: %w", err)
		}
		h.credentials = append(h.credentials, c)
	}
	return h, nil
}

// WebAuthnID implements webauthn.User. Devices keep it, and say it again.
func (h holder) WebAuthnID() []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(h.Operator.ID))
}

// WebAuthnName implements webauthn.User.
func (h holder) WebAuthnName() string { return h.Operator.Email }

// WebAuthnDisplayName implements webauthn.User.
func (h holder) WebAuthnDisplayName() string { return h.Operator.Name }

// WebAuthnCredentials implements webauthn.User.
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// AskNew implements port.WebAuthn.
func (w WebAuthn) AskNew(at string, of port.PasskeyHolder) (question, state string, err error) {
	party, err := w.party(at)
	if err != nil {
		return "", "", err
	}
	h, err := newHolder(of)
	if err != nil {
		return "", "", err
	}
	asked, session, err := party.BeginRegistration(h, webauthn.WithExclusions(webauthn.Credentials(h.credentials).CredentialDescriptors()))
	if err != nil {
		return "", "", fmt.Errorf("asking for a new passkey: %w", err)
	}
	return written(asked.Response, session)
}

// Ask implements port.WebAuthn.
func (w WebAuthn) Ask(at string, of port.PasskeyHolder) (question, state string, err error) {
	party, err := w.party(at)
	if err != nil {
		return "", "", err
	}
	var asked *protocol.CredentialAssertion
	var session *webauthn.SessionData
	if len(of.Passkeys) == 0 {
		// What is shown alone must know who shows it.
		asked, session, err = party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	} else {
		var h holder
		if h, err = newHolder(of); err == nil {
			asked, session, err = party.BeginLogin(h)
		}
	}
	if err != nil {
		return "", "", fmt.Errorf("asking for a passkey: %w", err)
	}
	return written(asked.Response, session)
}

func written(asked any, session *webauthn.SessionData) (question, state string, err error) {
	q, err := json.Marshal(asked)
	if err != nil {
		return "", "", err
	}
	s, err := json.Marshal(session)
	return string(q), string(s), err
}

// New implements port.WebAuthn.
func (w WebAuthn) New(at string, of port.PasskeyHolder, state, answer string) (operator.Passkey, error) {
	party, h, session, err := w.again(at, of, state)
	if err != nil {
		return operator.Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return operator.Passkey{}, wrong(err)
	}
	made, err := party.CreateCredential(h, session, parsed)
	if err != nil {
		return operator.Passkey{}, wrong(err)
	}
	// What the device said of its maker is of no use afterwards.
	made.Attestation = webauthn.CredentialAttestation{}
	return record(*made, operator.Passkey{ID: idOf(made.ID), Operator: of.Operator.ID})
}

// again returns what a question was asked with.
func (w WebAuthn) again(at string, of port.PasskeyHolder, state string) (*webauthn.WebAuthn, holder, webauthn.SessionData, error) {
	var session webauthn.SessionData
	party, err := w.party(at)
	if err != nil {
		return nil, holder{}, session, err
	}
	if err := json.Unmarshal([]byte(state), &session); err != nil {
		return nil, holder{}, session, fmt.Errorf("reading the state of a question: %w", err)
	}
	if session.RelyingPartyID != party.Config.RPID {
		return nil, holder{}, session, wrong(errors.New("the question was asked at another host"))
	}
	h, err := newHolder(of)
	return party, h, session, err
}

// Named implements port.WebAuthn.
func (w WebAuthn) Named(answer string) (string, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return "", wrong(err)
	}
	return idOf(parsed.RawID), nil
}

// Check implements port.WebAuthn.
func (w WebAuthn) Check(at string, of port.PasskeyHolder, state, answer string) (operator.Passkey, error) {
	party, h, session, err := w.again(at, of, state)
	if err != nil {
		return operator.Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return operator.Passkey{}, wrong(err)
	}
	var shown *webauthn.Credential
	if len(session.UserID) == 0 {
		_, shown, err = party.ValidatePasskeyLogin(func(_, user []byte) (webauthn.User, error) {
			if !bytes.Equal(user, h.WebAuthnID()) {
				return nil, errors.New("the passkey is another operator's")
			}
			return h, nil
		}, session, parsed)
	} else {
		shown, err = party.ValidateLogin(h, session, parsed)
	}
	if err != nil {
		return operator.Passkey{}, wrong(err)
	}
	for _, known := range of.Passkeys {
		if known.ID == idOf(shown.ID) {
			return record(*shown, known)
		}
	}
	return operator.Passkey{}, wrong(errors.New("no such passkey"))
}

// record writes down a passkey as the library knows it.
func record(c webauthn.Credential, p operator.Passkey) (operator.Passkey, error) {
	text, err := json.Marshal(c)
	p.Record, p.Copied = string(text), p.Copied || c.Authenticator.CloneWarning
	return p, err
}

func idOf(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// wrong is the error of an answer that is not right. Why is for the log.
func wrong(cause error) error {
	if told, ok := errors.AsType[*protocol.Error](cause); ok {
		cause = fmt.Errorf("%s: %s", told.Error(), told.DevInfo)
	}
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the passkey was not accepted").Because(cause)
}
