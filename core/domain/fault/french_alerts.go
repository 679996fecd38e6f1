package fault

// frenchAlerts is what operators are told without looking.
var frenchAlerts = []translation{
	{"%d alerts, of which %d are over", "%d alertes, dont %d terminées"},
	{"From %s until %s", "Du %s au %s"},
	{"Since: %s", "Depuis : %s"},
	{"Somebody tries whether alerts reach you here. There is nothing to do.", "Quelqu'un vérifie que les alertes vous parviennent ici. Il n'y a rien à faire."},
	{"Vitrine: %s", "Vitrine : %s"},
	{"What to do: %s", "À faire : %s"},
	{"a test of this channel", "un essai de ce canal"},
	{"over: %s", "terminé : %s"},
}
