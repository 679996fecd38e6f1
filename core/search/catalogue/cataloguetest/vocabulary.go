package cataloguetest

import (
	"fmt"
	"math/rand/v2"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// What French listings are made of. Lists start with what is frequent.
var (
	propertyTypes = []string{
		"Appartement", "Maison", "Terrain", "Villa", "Studio", "LocalCommercial", "Immeuble", "Parking", "Bureau",
		"Duplex", "Loft", "Garage", "FondsCommerce", "Chalet", "Entrepot", "Cave", "Divers",
	}
	transactions = []string{"Vente", "Location", "Viager", "VenteNeuf", "LocationSaisonniere", "CessionBail"}
	statuses     = []string{
		"EnCours", "Vendu", "Archive", "SousCompromis", "Loue", "Estimation", "Suspendu", "Retire", "SousOffre",
		"VenduParTiers", "Projet", "Option", "BailEnCours",
	}
	conditions = []string{"BonEtat", "ARafraichir", "Neuf", "ARenover", "Renove"}
	heatings   = []string{"Individuel", "Collectif", "Mixte", "Aucun"}
	energies   = []string{"Gaz", "Electricite", "Fioul", "PompeAChaleur", "Bois", "Reseau", "Solaire"}
	mandates   = []string{"Simple", "Exclusif", "SemiExclusif"}
	fees       = []string{"Vendeur", "Acquereur"}
	letters    = []string{"D", "E", "C", "F", "B", "G", "A"}
	directions = []string{"S", "SE", "SO", "E", "O", "N", "NE", "NO", "TRAVERSANT"}
	countries  = []string{"FR", "MC", "CH", "BE"}
	equipment  = []string{
		"Interphone", "DoubleVitrage", "Digicode", "Fibre", "VoletsRoulants", "Alarme", "Cheminee", "Climatisation",
		"Dressing", "CuisineEquipee", "PorteBlindee", "Domotique", "Sauna",
	}
	surroundings = []string{
		"Ecoles", "Commerces", "Bus", "Gare", "Metro", "Tramway", "Autoroute", "Creche", "Lycee", "Hopital", "Plage",
		"Aeroport",
	}
	annexes = []string{"Cave", "Grenier", "Atelier", "Abri", "Dependance", "Buanderie"}

	districts = []string{
		"Centre-ville", "Hôpital", "Gare", "Les Écoles", "Vieux Port", "Saint-Michel", "La Plaine", "Croix-Rousse",
		"Bellecour", "Préfecture", "Université", "Île de Nantes", "Chartrons", "Capucins", "Les Minimes",
		"Compans", "Mériadeck", "Rives de Saône", "Montchat", "Jean Macé", "Monplaisir", "Grand Parc",
	}

	streetKinds = []string{"rue", "avenue", "boulevard", "chemin", "place", "allée", "impasse", "quai", "cours", "route"}
	streetNames = []string{
		"de la République", "Victor Hugo", "du Général de Gaulle", "Jean Jaurès", "de la Gare", "Pasteur",
		"des Écoles", "de l'Église", "Gambetta", "de la Mairie", "Saint-Exupéry", "Jules Ferry", "du Moulin",
		"de Verdun", "du Château", "de la Fontaine", "Émile Zola", "de la Libération", "du 8 Mai 1945",
		"des Lilas", "des Tilleuls", "Voltaire", "Anatole France", "de la Liberté", "du 11 Novembre 1918",
		"Aristide Briand", "de Strasbourg", "Molière", "des Acacias", "Marceau", "de la Paix", "du Stade",
		"Léon Blum", "Carnot", "du Lavoir", "des Vignes", "Pierre Curie", "de Lattre de Tassigny", "du Maréchal Foch",
		"Frédéric Mistral", "George Sand", "Albert Camus", "des Rosiers", "du Pont", "de Bretagne", "des Peupliers",
		"Rouget de Lisle", "Jean Moulin", "Louis Blanc", "de la Forêt", "Édouard Herriot", "Garibaldi", "de Créqui",
		"Lafayette", "Saint-Honoré", "Sœur Bouvier", "du Cœur Volant", "Honoré de Balzac", "Clemenceau", "Denfert",
	}
	cityNames = []string{
		"Lyon", "Villeurbanne", "Saint-Étienne", "Grenoble", "Bordeaux", "Mérignac", "Pessac", "Nantes", "Annecy",
		"Chambéry", "Valence", "Bourg-en-Bresse", "Caluire-et-Cuire", "Bron", "Vénissieux", "Écully", "Oullins",
		"Tassin-la-Demi-Lune", "Sainte-Foy-lès-Lyon", "Rillieux-la-Pape", "Décines-Charpieu", "Meyzieu", "Givors",
		"Mâcon", "Villefranche-sur-Saône", "Vienne", "Roanne", "Montélimar", "Aix-les-Bains", "Thonon-les-Bains",
		"Talence", "Bègles", "Libourne", "Arcachon", "La Teste-de-Buch", "Rezé", "Saint-Nazaire", "Orvault",
	}
	saints = []string{
		"Saint-Martin", "Saint-Jean", "Saint-Pierre", "Sainte-Marie", "Saint-Rémy", "Saint-Aubin", "Saint-Genès",
		"Saint-Germain", "Saint-Cyr", "Saint-Didier", "Saint-Forgeux", "Saint-Laurent", "Villeneuve", "Neuville",
	}
	rivers = []string{
		"sur-Saône", "sur-Loire", "le-Château", "en-Forez", "la-Forêt", "les-Mines", "d'Albigny", "au-Mont-d'Or",
		"de-Médoc", "lès-Mâcon", "sous-Bois", "l'Évêque",
	}
	firstnames = []string{
		"Marie", "Jean", "Philippe", "Nathalie", "Michel", "Isabelle", "Alain", "Sylvie", "Patrick", "Catherine",
		"Nicolas", "Françoise", "Thierry", "Hélène", "Stéphane", "Céline", "Sébastien", "Émilie", "Jérôme", "Aurélie",
		"François", "Véronique", "Frédéric", "Stéphanie", "Éric", "Zoé", "Loïc", "Maëlys", "Théo", "Chloé", "Noël",
		"Anaïs", "Benoît", "Inès", "Raphaël", "Léa", "Gaël", "Agnès", "Cédric", "Joël",
	}
	lastnames = []string{
		"Martin", "Bernard", "Thomas", "Petit", "Robert", "Richard", "Durand", "Dubois", "Moreau", "Laurent", "Simon",
		"Michel", "Lefèvre", "Leroy", "Roux", "David", "Bertrand", "Morel", "Fournier", "Girard", "Bonnet", "Dupont",
		"Lambert", "Fontaine", "Rousseau", "Vincent", "Müller", "Faure", "André", "Mercier", "Blanc", "Guérin",
		"Boyer", "Garnier", "Chevalier", "François", "Legrand", "Gauthier", "Garcia", "Perrin", "Robin", "Clément",
		"Morin", "Nicolas", "Henry", "Roussel", "Mathieu", "Gautier", "Masson", "Marchand", "Duval", "Denis",
		"Dumont", "Marie", "Lemaire", "Noël", "Meyer", "Dufour", "Meunier", "Brun", "Blanchard", "Giraud", "Joly",
		"Rivière", "Lucas", "Brunet", "Gaillard", "Barbier", "Arnaud", "Martínez", "Gérard", "Roche", "Renard",
		"Schmitt", "Roy", "Leroux", "Colin", "Vidal", "Caron", "Picard", "Røger", "Fabre", "Aubert", "Lemoine",
		"Renaud", "Dumas", "Lacroix", "Olivier", "Philippe", "Bourgeois", "Pierre", "Benoît", "Rey", "Leclerc",
		"Payet", "Rolland", "Leclercq", "Guillaume", "Lecomte", "López", "Jean", "Dupuy", "Guillot", "Hubert",
		"Berger", "Carpentier", "Sánchez", "Dupuis", "Moulin", "Louis", "Deschamps", "Huet", "Vasseur", "Perez",
	}
	companies = []string{"SCI", "SARL", "Indivision", "SAS", "Copropriété", "Succession"}
)

type city struct{ name, postalCode string }

// cities are the named ones and some two hundred villages.
func cities() []city {
	var all []city
	for i, name := range cityNames {
		all = append(all, city{name, fmt.Sprintf("%05d", 1000+i*2310)})
	}
	for i, saint := range saints {
		for j, river := range rivers {
			all = append(all, city{saint + "-" + river, fmt.Sprintf("%05d", 2100+i*650+j*20)})
		}
	}
	return all
}

// dice is a source of skewed choices.
type dice struct{ *rand.Rand }

// chance is true in so many of 100 cases.
func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

// of chooses from a list whose early members are the frequent ones.
func of[T any](d dice, list []T) T {
	x := d.Float64()
	return list[int(x*x*x*float64(len(list)))]
}

// some chooses a few members of a list, in the order of the list.
func (d dice) some(list []string, percent int) criteria.Multiple {
	var chosen criteria.Multiple
	for i, one := range list {
		if d.chance(max(4, percent-4*i)) {
			chosen = append(chosen, one)
		}
	}
	return chosen
}

func (d dice) address() string {
	return fmt.Sprintf("%d %s %s", 1+d.IntN(180), of(d, streetKinds), of(d, streetNames))
}

func (d dice) person() (firstname, lastname string) { return of(d, firstnames), of(d, lastnames) }
