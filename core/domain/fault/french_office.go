package fault

// frenchOffice is what is said of sites, agencies and settings.
var frenchOffice = []translation{
	{"%q is not named as the IANA does, such as Europe/Paris", "%q n'est pas un nom IANA, comme Europe/Paris"},
	{"%s is a code of %d letters such as %s", "%s est un code de %d lettres, comme %s"},
	{"%s is no active value of %s", "%s n'est pas une valeur active de %s"},
	{"a time zone is named as the IANA does, such as Europe/Paris", "un fuseau horaire porte son nom IANA, comme Europe/Paris"},
	{"agency %d belongs to site %d", "l'agence %d appartient au site %d"},
	{"energy_scales: %q is none of %s, nor %s alone", "energy_scales : %q n'est ni l'une des échelles %s, ni %s seul"},
	{"every value is named, in the order they are to have; %s is missing", "toutes les valeurs sont nommées, dans l'ordre voulu ; il manque %s"},
	{"one is needed; the site's agencies are %v", "il en faut une ; les agences du site sont %v"},
	{"products are created with this status; choose another default_status first", "les biens sont créés avec ce statut ; choisissez d'abord un autre default_status"},
	{"the only format is tag_document", "le seul format est tag_document"},
	{"the site has changed since it was read; read it again", "le site a changé depuis votre lecture ; relisez-le"},
	{"the site has no agency %d; its agencies are %v", "le site n'a pas d'agence %d ; ses agences sont %v"},
	{"the site has no user group %d", "le site n'a pas de groupe d'utilisateurs %d"},
	{"the token reaches no active agency", "le jeton ne donne accès à aucune agence active"},
	{"there is no value with this code", "aucune valeur n'a ce code"},
}
