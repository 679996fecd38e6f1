package alerts

import "github.com/vitrine-crm/vitrine/adapters/console/internal/kit"

// french has the texts of these pages, frenchCodes those of codes, frenchPhrases the phrases of
// the templates.
var french = map[kit.Text]kit.Text{
	"not tested": "pas encore essayé",
	"A channel is a mailbox, or an address that gets a POST.": "Un canal est une adresse e-mail, ou une URL qui reçoit un POST.",
	"A mailbox, or a URL that gets a POST with JSON.":         "Une adresse e-mail, ou une URL qui reçoit un POST en JSON.",
	"Alerts": "Alertes",
	"Digests are sent at the full hour, and at 06:00 UTC.": "Les résumés partent à l'heure pleine, et à 6 h UTC.",
	"Draw a new secret":       "Tirer un nouveau secret",
	"Edit channel":            "Modifier le canal",
	"The channel is changed.": "Le canal est modifié.",
	"The channel is changed. This is what it signs with.": "Le canal est modifié. Voici le secret avec lequel il signe.",
	"The secret stays as it is.":                          "Le secret reste le même.",
	"English":                                             "anglais",
	"French":                                              "français",
	"How often":                                           "Fréquence",
	"Its alerts are sent again.":                          "Ses alertes sont de nouveau envoyées.",
	"Least severity":                                      "Gravité minimale",
	"New channel":                                         "Nouveau canal",
	"Nobody is notified":                                  "Personne n'est prévenu",
	"No alert is sent for %d h.":                          "Aucune alerte n'est envoyée pendant %d h.",
	"No alert is sent until it is over.":                  "Aucune alerte n'est envoyée jusqu'à la fin.",
	"No open alerts":                                      "Aucune alerte",
	"Sign what a webhook gets":                            "Signer ce qu'un webhook reçoit",
	"Signature":                                           "Signature",
	"Suspended webhooks, failing clients, errors, failing sources, portals and backups, and keys that end soon appear here within a minute.": "Les webhooks suspendus, les comptes d'API en échec, les erreurs du serveur, les sources, les portails et les sauvegardes en erreur et les clés qui expirent bientôt apparaissent ici en moins d'une minute.",
	"The channel is created. Test it.":                             "Le canal est créé. Essayez-le.",
	"The channel is created. Test it. This is what it signs with.": "Le canal est créé. Essayez-le. Voici le secret avec lequel il signe.",
	"The channel is deleted.":                                      "Le canal est supprimé.",
	"The secret is shown once.":                                    "Le secret n'est montré qu'une fois.",
	"The test was not accepted: %s":                                "Le test n'a pas été accepté : %s",
	"The test was accepted: %s":                                    "Le test a été accepté : %s",
	"signed":                                                       "signé",
	"silent for %s":                                                "silence pendant %s",
	"silent until it is over":                                      "silence jusqu'à la fin",
	"OK":                                                           "OK",
	"no text in the answer":                                        "réponse sans texte",
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
	"Alerts":                   "Alertes",
	"Channel":                  "Canal",
	"From":                     "À partir de",
	"How often":                "Fréquence",
	"Last sent":                "Dernier envoi",
	"New channel":              "Nouveau canal",
	"Silence":                  "Silence",
	"End the silence":          "Mettre fin au silence",
	"Test":                     "Tester",
	"Silence for 1 h":          "Silence pendant 1 h",
	"Silence for 8 h":          "Silence pendant 8 h",
	"Silence until it is over": "Silence jusqu'à la fin",
	"Open alerts":              "Alertes en cours",
	"What needs attention at the sites of your role, and who is notified of it.": "Ce qui demande votre attention sur les sites de votre rôle, et qui en est prévenu sans avoir à consulter cette page.",
	"Problem, and how to fix it": "Problème, et comment y remédier",
	"Who is notified":            "Qui est prévenu",
}
