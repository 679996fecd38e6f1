package overview

import "github.com/vitrine-crm/vitrine/adapters/console/internal/kit"

// french has the texts of these pages, frenchPhrases the phrases of the templates.
var french = map[kit.Text]kit.Text{
	"%s fails to sign in":  "%s n'arrive pas à s'authentifier",
	"%s is mostly refused": "%s est le plus souvent refusé",
	"%s late":              "%s en retard",
	"%s not written down":  "%s non consignées",
	"%s of its %s in the last hour were refused.": "%s de ses %s de la dernière heure ont été refusées.",
	"%s since %s.": "%s depuis %s.",
	"%s to %s should have begun %s ago. Is a dispatcher running?": "%s vers %s auraient dû commencer il y a %s. Un distributeur est-il en marche ?",
	"Addresses are looked up late":                                "Les adresses sont localisées en retard",
	"Deliveries due":                                              "Livraisons dues",
	"Each credential that sends requests appears here, with how many were refused.": "Chaque compte d'API qui envoie des requêtes apparaît ici, avec le nombre de celles qui sont refusées.",
	"Found":            "Trouvé",
	"Last good import": "Dernier bon import",
	"More came at once than could be stored since this server started. They were answered, and are missing in the log alone.": "Il en est venu plus à la fois qu'on ne pouvait en enregistrer depuis le démarrage du serveur. Elles ont reçu une réponse, et ne manquent que dans le journal.",
	"No webhooks yet":                       "Pas encore de webhooks",
	"Nobody asked yet":                      "Personne n'a encore rien demandé",
	"Nothing needs attention":               "Rien à traiter",
	"Nothing that you may see is like that": "Rien de ce que vous pouvez voir ne correspond",
	"Numbers and ids are found as they are, names by any of their words.": "Les numéros et identifiants se cherchent tels quels, les noms par n'importe lequel de leurs mots.",
	"Overview":            "Vue d'ensemble",
	"Products on the web": "Biens en ligne",
	"Requests of the last hour: %d answered, %d refused": "Requêtes de la dernière heure : %d répondues, %d refusées",
	"Requests, 1 h":          "Requêtes, 1 h",
	"Requests, every minute": "Requêtes, par minute",
	"The locator has yet to look at %s. Does the geocoder answer?":                      "Il reste au localisateur %s à examiner. Le géocodeur répond-il ?",
	"Those that integrators subscribe, or that you make for a credential, appear here.": "Ceux que les intégrateurs souscrivent, ou que vous créez pour un compte d'API, apparaissent ici.",
	"Unknown clients fail to sign in":                                                   "Des comptes inconnus n'arrivent pas à s'authentifier",
	"Webhook %d is suspended: %s":                                                       "Le webhook %d est suspendu : %s",
	"Webhooks suspended":                                                                "Webhooks suspendus",
	"What is wrong at any site stands here within a minute.":                            "Ce qui ne va pas sur un site s'affiche ici en moins d'une minute.",
	"has received nothing for %s.":                                                      "n'a rien reçu depuis %s.",
	"last hour":                                                                         "dernière heure",
}

var frenchPhrases = map[string]string{
	"All":        "Tous",
	"Found":      "Trouvé",
	"Look at it": "Voir",
	"On all sites that you see: products, people, users, webhooks, credentials, criteria and requests.": "Sur tous les sites que vous voyez : biens, personnes, utilisateurs, webhooks, comptes d'API, critères et requêtes.",
	"Overview":                   "Vue d'ensemble",
	"There are more like these.": "Il y en a d'autres.",
	"What":                       "Quoi",
	"What needs attention":       "À traiter",
	"What needs attention anywhere, the worst first, and what goes on at each site.": "Ce qui demande votre attention, le plus grave d'abord, et ce qui se passe sur chaque site.",
	"Who asks": "Qui demande",
	"last success {{template \"time\" .Success}}": "dernier succès {{template \"time\" .Success}}",
	"webhooks": "les webhooks",
}
