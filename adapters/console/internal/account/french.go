package account

import "github.com/vitrine-crm/vitrine/adapters/console/internal/kit"

// french has the texts of these pages, frenchCodes those of browsers, frenchPhrases the phrases of
// the templates.
var french = map[kit.Text]kit.Text{
	"%s on %s":                       "%s sur %s",
	"As others see it in the audit.": "Tel que les autres le voient dans le journal d'audit.",
	"At least 12 characters. A sentence is easy to remember.":     "Au moins 12 caractères. Une phrase est facile à retenir.",
	"At least 12 characters. You are signed out everywhere else.": "Au moins 12 caractères. Vous êtes déconnecté partout ailleurs.",
	"Begin": "Commencer",
	"Choose a new password. You are signed out everywhere else.": "Choisissez un nouveau mot de passe. Vous êtes déconnecté partout ailleurs.",
	"Come in":            "Entrer",
	"Name of the device": "Nom de l'appareil",
	"New password":       "Nouveau mot de passe",
	"Set up":             "Mise en route",
	"Sign in":            "Se connecter",
	"So that you know which one to remove when it is lost.":    "Pour savoir laquelle retirer si l'appareil est perdu.",
	"The passkey is added. You are asked for one from now on.": "La clé d'accès est ajoutée. Une clé vous sera demandée désormais.",
	"The passkey is removed.":                                  "La clé d'accès est retirée.",
	"Welcome":                                                  "Bienvenue",
	"Welcome back":                                             "Bon retour",
	"You":                                                      "Vous",
	"You are invited as %s. Choose a password to come in.": "Vous êtes invité comme %s. Choisissez un mot de passe pour entrer.",
	"You are signed out there.":                            "Vous y êtes déconnecté.",
	"You are signed out.":                                  "Vous êtes déconnecté.",
	"You are the first. You will be the administrator of everything, and can invite others.": "Vous êtes la première personne ici. Vous serez administrateur de tout, et pourrez en inviter d'autres.",
	"You sign in with it. Nothing is ever sent there.":                                       "Elle vous sert à vous connecter. Rien n'y est jamais envoyé.",
	"Your passkey":              "Votre clé d'accès",
	"Your password is changed.": "Votre mot de passe est changé.",
	"all sites":                 "tous les sites",
	"perhaps copied":            "peut-être copiée",
	"this one":                  "celle-ci",
}

var frenchCodes = map[kit.Text]kit.Text{
	"a Mac":     "un Mac",
	"an iPad":   "un iPad",
	"an iPhone": "un iPhone",
}

var frenchPhrases = map[string]string{
	"A passkey can only be made with JavaScript.":                                                                 "Une clé d'accès ne peut être créée qu'avec JavaScript.",
	"A passkey can only be shown with JavaScript.":                                                                "Une clé d'accès ne peut être montrée qu'avec JavaScript.",
	"A passkey is shown after the password, or alone. Once you have one, the password alone does not let you in.": "Une clé d'accès se montre après le mot de passe, ou seule. Dès que vous en avez une, le mot de passe seul ne suffit plus.",
	"Add a passkey":       "Ajouter une clé d'accès",
	"Browser":             "Navigateur",
	"Change it":           "Le changer",
	"Device":              "Appareil",
	"From":                "Depuis l'adresse",
	"Passkeys":            "Clés d'accès",
	"Remove":              "Retirer",
	"Sessions":            "Sessions",
	"Show it":             "La montrer",
	"Sign in":             "Se connecter",
	"Sign out everywhere": "Se déconnecter partout",
	"Sign out there":      "Se déconnecter là-bas",
	"The password is right. Now show one of your passkeys.":           "Le mot de passe est juste. Montrez maintenant une de vos clés d'accès.",
	"Where you are signed in":                                         "Où vous êtes connecté",
	"Without any of them, ask an administrator for a new invitation.": "Si vous n'en avez plus aucune, demandez une nouvelle invitation à un administrateur.",
	"Your passkey":                         "Votre clé d'accès",
	"{{.Email}} · {{.Role}} of {{.Sites}}": "{{.Email}} · {{.Role}} de {{.Sites}}",
}
