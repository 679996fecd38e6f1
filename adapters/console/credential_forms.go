package console

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// credentialInput reads the form of a client.
func (v *pageRequest) credentialInput(id string) tokens.CredentialInput {
	chosen := picked(v.r.PostForm)
	in := tokens.CredentialInput{ID: id, Name: strings.TrimSpace(v.sent("name")), Packs: chosen.Packs, Permissions: chosen.Permissions, Rights: chosen.Rights}
	for _, text := range v.r.PostForm["sites"] {
		if site, err := strconv.ParseInt(text, 10, 64); err == nil {
			in.Sites = append(in.Sites, site)
		}
	}
	return in
}

func createCredential(v *pageRequest) (done, error) {
	in := v.credentialInput(strings.TrimSpace(v.sent("id")))
	made, err := v.Backoffice.CreateCredential(v.ctx, v.actor, in)
	return went("credentials", in.ID).showing("The credential is made. This is its secret.", made.Secret, keepIt), err
}

func updateCredential(v *pageRequest) (done, error) {
	known, err := v.findCredential()
	if err != nil {
		return done{}, err
	}
	in := v.credentialInput(known.ID)
	in.Disabled = known.Disabled
	_, err = v.Backoffice.UpdateCredential(v.ctx, v.actor, in)
	return went("credentials", known.ID).saying("Saved. It holds from the next request on."), err
}

func rotateCredential(v *pageRequest) (done, error) {
	id := v.r.PathValue("id")
	drawn, err := v.Backoffice.RotateCredential(v.ctx, v.actor, tokens.RotateSecret{Credential: access.CredentialID(id), AtOnce: v.sent("at_once") != ""})
	said := "This is the new secret. The former one has ended."
	if drawn.FormerEnds != nil {
		said = "This is the new secret. The former one stays good for " + nearly(drawn.FormerEnds.Sub(v.now)) + "."
	}
	return went("credentials", id).showing(said, drawn.Secret, keepIt), err
}

func revokeTokens(v *pageRequest) (done, error) {
	id := v.r.PathValue("id")
	_, err := v.Backoffice.RevokeTokens(v.ctx, v.actor, backoffice.CredentialPath{ID: id})
	return went("credentials", id).saying("Its tokens have ended. It can obtain others."), err
}

func disableCredential(v *pageRequest) (done, error) {
	id, disabled := v.r.PathValue("id"), v.sent("disabled") == "yes"
	_, err := v.Backoffice.DisableCredential(v.ctx, v.actor, backoffice.DisableCredential{ID: id, Disabled: disabled})
	said := "It is let in again."
	if disabled {
		said = "It is kept out from the next request on."
	}
	return went("credentials", id).saying(said), err
}

func revokeCredential(v *pageRequest) (done, error) {
	id := v.r.PathValue("id")
	if strings.TrimSpace(v.sent("confirm")) != id {
		return done{}, wrongField("confirm", fault.CodeInvalidFormat, fault.Textf("type the id as it stands above"))
	}
	_, err := v.Backoffice.RevokeCredential(v.ctx, v.actor, backoffice.CredentialPath{ID: id})
	return went("credentials", id).saying("The credential has ended for good."), err
}

func createKey(v *pageRequest) (done, error) {
	id := v.r.PathValue("id")
	in := tokens.KeyInput{
		Credential: id, Name: v.sent("name"), Packs: v.r.PostForm["packs"], Expires: v.sent("expires"),
		Addresses: separated(v.sent("addresses")),
	}
	in.Site, _ = strconv.ParseInt(v.sent("key_site"), 10, 64)
	made, err := v.Backoffice.CreateKey(v.ctx, v.actor, in)
	return went("credentials", id).showing(fmt.Sprintf("This is the key %s.", made.Name), made.Text, keepIt), err
}

// separated returns what a text names, separated by commas or spaces.
func separated(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func revokeKey(v *pageRequest) (done, error) {
	id := v.r.PathValue("id")
	key, err := v.id("key")
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.RevokeKey(v.ctx, v.actor, tokens.NamedKey{Credential: access.CredentialID(id), ID: access.KeyID(key)})
	return went("credentials", id).saying("The key has ended."), err
}
