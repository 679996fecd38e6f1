package clients

import (
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// credentialInput reads the form of a client.
func credentialInput(v *kit.Request, id string) tokens.CredentialInput {
	chosen := picked(v.HTTP.PostForm)
	in := tokens.CredentialInput{ID: id, Name: strings.TrimSpace(v.Sent("name")), Packs: chosen.Packs, Permissions: chosen.Permissions, Rights: chosen.Rights}
	for _, text := range v.HTTP.PostForm["sites"] {
		if site, err := strconv.ParseInt(text, 10, 64); err == nil {
			in.Sites = append(in.Sites, site)
		}
	}
	return in
}

func createCredential(v *kit.Request) (kit.Done, error) {
	in := credentialInput(v, strings.TrimSpace(v.Sent("id")))
	made, err := v.Backoffice.CreateCredential(v.Ctx, v.Actor, in)
	return kit.Went("credentials", in.ID).Showing("The credential is made. This is its secret.", made.Secret, kit.KeepIt), err
}

func updateCredential(v *kit.Request) (kit.Done, error) {
	known, err := findCredential(v)
	if err != nil {
		return kit.Done{}, err
	}
	in := credentialInput(v, known.ID)
	in.Disabled = known.Disabled
	_, err = v.Backoffice.UpdateCredential(v.Ctx, v.Actor, in)
	return kit.Went("credentials", known.ID).Saying("Saved. It holds from the next request on."), err
}

func rotateCredential(v *kit.Request) (kit.Done, error) {
	id := v.HTTP.PathValue("id")
	drawn, err := v.Backoffice.RotateCredential(v.Ctx, v.Actor, tokens.RotateSecret{Credential: access.CredentialID(id), AtOnce: v.Sent("at_once") != ""})
	said := kit.Text("This is the new secret. The former one has ended.")
	if drawn.FormerEnds != nil {
		said = kit.Text(v.Say("This is the new secret. The former one stays valid for %s.", v.Nearly(drawn.FormerEnds.Sub(v.Time))))
	}
	return kit.Went("credentials", id).Showing(said, drawn.Secret, kit.KeepIt), err
}

func revokeTokens(v *kit.Request) (kit.Done, error) {
	id := v.HTTP.PathValue("id")
	_, err := v.Backoffice.RevokeTokens(v.Ctx, v.Actor, backoffice.CredentialPath{ID: id})
	return kit.Went("credentials", id).Saying("Its tokens have ended. It can obtain others."), err
}

func disableCredential(v *kit.Request) (kit.Done, error) {
	id, disabled := v.HTTP.PathValue("id"), v.Sent("disabled") == "yes"
	_, err := v.Backoffice.DisableCredential(v.Ctx, v.Actor, backoffice.DisableCredential{ID: id, Disabled: disabled})
	said := kit.Text("It is enabled again.")
	if disabled {
		said = "It is disabled from the next request on."
	}
	return kit.Went("credentials", id).Saying(said), err
}

func revokeCredential(v *kit.Request) (kit.Done, error) {
	id := v.HTTP.PathValue("id")
	if strings.TrimSpace(v.Sent("confirm")) != id {
		return kit.Done{}, kit.WrongField("confirm", fault.CodeInvalidFormat, fault.Textf("type the id as it stands above"))
	}
	_, err := v.Backoffice.RevokeCredential(v.Ctx, v.Actor, backoffice.CredentialPath{ID: id})
	return kit.Went("credentials", id).Saying("The credential has ended for good."), err
}

func createKey(v *kit.Request) (kit.Done, error) {
	id := v.HTTP.PathValue("id")
	in := tokens.KeyInput{
		Credential: id, Name: v.Sent("name"), Packs: v.HTTP.PostForm["packs"], Expires: v.Sent("expires"),
		Addresses: kit.Separated(v.Sent("addresses")),
	}
	in.Site, _ = strconv.ParseInt(v.Sent("key_site"), 10, 64)
	made, err := v.Backoffice.CreateKey(v.Ctx, v.Actor, in)
	return kit.Went("credentials", id).Showing(kit.Text(v.Say("This is the key %s.", made.Name)), made.Text, kit.KeepIt), err
}

func revokeKey(v *kit.Request) (kit.Done, error) {
	id := v.HTTP.PathValue("id")
	key, err := v.ID("key")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.RevokeKey(v.Ctx, v.Actor, tokens.NamedKey{Credential: access.CredentialID(id), ID: access.KeyID(key)})
	return kit.Went("credentials", id).Saying("The key has ended."), err
}
