package catalogue

import "github.com/vitrine-crm/vitrine/adapters/console/internal/kit"

// french has the texts of these pages, frenchCodes those of codes, frenchPhrases the phrases of
// the templates.
var french = map[kit.Text]kit.Text{
	"%s (computed)":             "%s (calculé)",
	"%s, not on the web":        "%s, pas en ligne",
	"Catalogue":                 "Catalogue",
	"Climate":                   "Climat",
	"Energy":                    "Énergie",
	"No products are like that": "Aucun bien ne correspond",
	"No products yet":           "Aucun bien pour l'instant",
	"Nothing is remembered":     "Rien n'est conservé",
	"On the web":                "En ligne",
	"Picture %d":                "Photo %d",
	"Product":                   "Bien",
	"Products appear here as soon as one is created, with POST /products or by an import.": "Les biens apparaissent ici dès qu'il en est créé un, par POST /products ou par un import.",
	"Rooms":   "Pièces",
	"Surface": "Surface",
	"Text":    "Texte",
	"What happens to the product appears here, for as long as events are kept.": "Ce qui arrive au bien apparaît ici, aussi longtemps que les événements sont conservés.",
	"Other criteria": "Autres critères",
	"kWh/m²/year":    "kWh/m²/an",
	"kg CO₂/m²/year": "kg CO₂/m²/an",
	"no status":      "sans statut",
}

var frenchPhrases = map[string]string{
	", the cover":                           ", photo de couverture",
	"Catalogue":                             "Catalogue",
	"Comment":                               "Commentaire",
	"Earlier events":                        "Événements antérieurs",
	"Energy":                                "Énergie",
	"Energy label":                          "Étiquette énergie",
	"It is not known where the product is.": "On ne sait pas où se trouve le bien.",
	"Level":                                 "Étage",
	"Pictures":                              "Photos",
	"Position":                              "Position",
	"Price":                                 "Prix",
	"Receivers of webhooks refuse this product.": "Des destinataires de webhooks refusent ce bien.",
	"Reference": "Référence",
	"Room":      "Pièce",
	"Rooms":     "Pièces",
	"Surface":   "Surface",
	"Texts":     "Textes",
	"The call of the API that finds the same":        "L'appel de l'API qui trouve la même chose",
	"The products of this site":                      "Les biens de ce site",
	"This lies outside the drawing.":                 "C'est en dehors du dessin.",
	"Webhook {{.Hook}}":                              "Webhook {{.Hook}}",
	"What is missing for the web":                    "Ce qui manque pour la mise en ligne",
	"from {{.Source}}":                               "d'après {{.Source}}",
	"private":                                        "privée",
	"product <code id=\"product-id\">{{.ID}}</code>": "bien <code id=\"product-id\">{{.ID}}</code>",
	"TOKEN has to hold a token":                      "TOKEN doit contenir un jeton",
	"what happened":                                  "ce qui s'est passé",
	", the last changed first":                       ", les derniers modifiés d'abord",
}
