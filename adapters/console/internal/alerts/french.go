package alerts

import "github.com/vitrine-crm/vitrine/adapters/console/internal/kit"

// french has the texts of these pages, frenchCodes those of codes, frenchPhrases the phrases of
// the templates.
var french = map[kit.Text]kit.Text{
	"A channel is a mailbox, or an address that gets a POST.": "Un canal est une adresse e-mail, ou une URL qui reçoit un POST.",
	"A mailbox, or a URL that gets a POST with JSON.":         "Une adresse e-mail, ou une URL qui reçoit un POST en JSON.",
	"Alerts": "Alertes",
	"Digests are sent at the full hour, and at 06:00 UTC.": "Les résumés partent à l'heure pleine, et à 6 h UTC.",
	"Draw a new secret":                 "Tirer un nouveau secret",
	"Edit channel":                      "Modifier le canal",
	"English":                           "anglais",
	"French":                            "français",
	"How often":                         "Fréquence",
	"It is told again.":                 "Elle est de nouveau signalée.",
	"Least severity":                    "Gravité minimale",
	"New channel":                       "Nouveau canal",
	"Nobody is told":                    "Personne n'est prévenu",
	"Nothing is told for %d h.":         "Rien n'est signalé pendant %d h.",
	"Nothing is told until it is over.": "Rien n'est signalé jusqu'à ce que ce soit fini.",
	"No open alerts":                    "Aucune alerte",
	"Sign what a webhook gets":          "Signer ce qu'un webhook reçoit",
	"Signature":                         "Signature",
	"Suspended webhooks, failing clients, errors, failing sources, portals and backups, and keys that end soon appear here within a minute.": "Les webhooks suspendus, les comptes d'API en échec, les erreurs du serveur, les sources, les portails et les sauvegardes en erreur et les clés qui expirent bientôt apparaissent ici en moins d'une minute.",
	"The channel is changed.":                                   "Le canal est modifié.",
	"The channel is changed. This is what it signs with.":       "Le canal est modifié. Voici le secret avec lequel il signe.",
	"The channel is there. Try it.":                             "Le canal est créé. Essayez-le.",
	"The channel is there. Try it. This is what it signs with.": "Le canal est créé. Essayez-le. Voici le secret avec lequel il signe.",
	"The channel is told no more.":                              "Le canal n'est plus prévenu.",
	"The secret is shown once.":                                 "Le secret n'est montré qu'une fois.",
	"The secret stays as it is.":                                "Le secret reste le même.",
	"The test was not taken: %s":                                "Le test n'a pas été accepté : %s",
	"The test was taken: %s":                                    "Le test a été accepté : %s",
	"signed":                                                    "signé",
	"silent for %s":                                             "silence pendant %s",
	"silent until it is over":                                   "silence jusqu'à la fin",
	"OK":                                                        "OK",
	"without a word":                                            "réponse sans texte",
}

var frenchCodes = map[kit.Text]kit.Text{
	"at once":  "immédiatement",
	"critical": "critique",
	"daily":    "chaque jour",
	"hourly":   "chaque heure",
	"mail":     "e-mail",
	"warning":  "avertissement",
	"webhook":  "webhook",
}

var frenchPhrases = map[string]string{
	": silence about: {{.Words}}": " : silence sur : {{.Words}}",
	"Alerts":                      "Alertes",
	"Channel":                     "Canal",
	"From":                        "À partir de",
	"How often":                   "Fréquence",
	"Last sent":                   "Dernier envoi",
	"New channel":                 "Nouveau canal",
	"Silence":                     "Silence",
	"Tell again":                  "Signaler de nouveau",
	"Test":                        "Tester",
	"Until over":                  "Jusqu'à la fin",
	"Open alerts":                 "Alertes en cours",
	"What wants attention at the sites of your role, and who is told without looking.": "Ce qui demande votre attention sur les sites de votre rôle, et qui en est prévenu sans avoir à consulter cette page.",
	"What, and how to mend it":     "Problème, et comment y remédier",
	"Who is told":                  "Qui est prévenu",
	"of silence about: {{.Words}}": "de silence sur : {{.Words}}",
	"of: {{.Words}}":               " : {{.Words}}",
}
