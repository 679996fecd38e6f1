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
			"NC": "NC", "250 k€": "250 k€", "12 34": "12 34", "1.25.000": "1.25.000", "250000 CHF": "250000 CHF", "": "", "€": "€",
		}},
		"charges": {money, map[string]any{"0": "0", "85,50 €": "85.50", "1 085": "1085"}},
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
