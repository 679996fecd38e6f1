package exchange

import "testing"

func TestNumbersAreReadAsFrenchSoftwareWritesThem(t *testing.T) {
	for kind, c := range map[string]struct {
		translation
		read map[string]any
	}{
		"price": {price, map[string]any{
			"250000": "250000", "250 000": "250000", "250 000 €": "250000", "250\u00a0000\u00a0€": "250000", "250\u202f000\u202f€": "250000",
			"250.000,00 EUR": "250000.00", "250.000": "250000", "250,000": "250000", "250.000 €": "250000", "1.250.000": "1250000", "1,250,000.50": "1250000.50",
			"1 250 000,50 euros": "1250000.50", "€ 250000": "250000", "250'000": "250000", "250000.00": "250000.00", "250000,5": "250000.5", "+1200": "1200",
			"0": nil, "0,00 €": nil, "1250000.000": "1250000.000",
			"250 000 € FAI": "250000", "250000€ F.A.I.": "250000", "250 000 euros HAI": "250000", "250.000 € (honoraires inclus)": "250000", "250 000 FAI*": "250000",
			"820 € CC": "820", "820€/mois CC": "820", "820 €/mois": "820", "820 € par mois, charges comprises": "820", "820,50 € / mois HC": "820.50", "820 hc": "820",
			"820 €/semaine": "820 €/semaine", "820 € + 50 € de charges": "820 € + 50 € de charges", "250000 hors frais": "250000 hors frais", "250 000 € net vendeur": "250 000 € net vendeur",
			"1 mois": "1 mois", "250000 faible": "250000 faible", "820 CC 2": "820 CC 2", "FAI": "FAI", "250 000 €/m²": "250 000 €/m²",
			"NC": "NC", "250 k€": "250 k€", "12 34": "12 34", "1.25.000": "1.25.000", "250000 CHF": "250000 CHF", "": "", "€": "€",
		}},
		"deposit": {money, map[string]any{"0": "0", "85,50 €": "85.50", "1 085": "1085", "2 mois": "2 mois"}},
		"fees":    {fees, map[string]any{"0": nil, "5 000 € TTC": "5000", "1 mois": "1 mois", "5 %": "5 %"}},
		"charges": {rent, map[string]any{"0": "0", "85 €/mois": "85"}},
		"dues":    {dues, map[string]any{"1 200 €/an": "1200", "1200 € par an": "1200", "100 €/mois": "100 €/mois"}},
		"area":    {area, map[string]any{"135,5": "135.5", "135.500": "135.500", "135,5 m²": "135.5", "1 135 m2": "1135", "0": nil}},
		"land":    {land, map[string]any{"2500": "2500", "2 500 m²": "2500", "12.500": "12.500", "12.500,5": "12500.5", "1250.5": "1250.5"}},
		"count":   {number, map[string]any{"3": "3", "-1": "-1", "\u22121": "-1", "3.0": "3.0", "3 pièces": "3 pièces"}},
		"floor":   {floor, map[string]any{"RDC": "0", "Rez-de-chaussée": "0", "2": "2", "dernier": "dernier"}},
		"energy":  {energy, map[string]any{"191": "191", "191 kWh/m²/an": "191", "191,4": "191.4"}},
		"year":    {year, map[string]any{"2021": "2021", "01/01/2021": "2021", "0": nil, "00/00/0000": nil}},
		"date":    {date, map[string]any{"13/02/2003": "2003-02-13", "13-02-2003": "2003-02-13", "2003-02-13 00:00:00": "2003-02-13", "20030213": "2003-02-13", "00/00/0000": nil, "0000-00-00": nil, "bientôt": "bientôt"}},
		"balcony": {some, map[string]any{"2": true, "0": false, "OUI": true, "non": false, "deux": "deux"}},
	} {
		for text, want := range c.read {
			if got := c.translation.read(text); got != want {
				t.Errorf("%s: %q is read as %v, not %v", kind, text, got, want)
			}
		}
	}
}
