package energy_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/energy"
)

// every is a site with every scale there is.
var every = energy.Scales(energy.Names())

func number(f float64) *float64 { return &f }

// The official tables once more, typed apart from the code: best letter first,
// each but the last with the value its band ends at.
const (
	dwellings2006 = "A 50 B 90 C 150 D 230 E 330 F 450 G"
	climate2006   = "A 5 B 10 C 20 D 35 E 55 F 80 G"
	dwellings2021 = "A 70 B 110 C 180 D 250 E 330 F 420 G"
	climate2021   = "A 6 B 11 C 30 D 50 E 70 F 100 G"
)

// kinds of bands: how a value at the end of a band, and beside it, is labelled.
const (
	strict   = "the end belongs to the next letter"
	whole    = "a band goes up to the next whole number"
	included = "the end belongs to the band"
)

var officialTables = []struct {
	regime, ends    string
	building        energy.Building
	energy, climate string
}{
	{"fr-2006", whole, energy.Building{Family: energy.House, Country: "FR", Assessed: "2021-06-30"}, dwellings2006, climate2006},
	{"fr-2006", whole, energy.Building{Family: energy.Apartment, Country: "FR", Assessed: "2006-11-01", Surface: 20}, dwellings2006, climate2006},
	{"fr-2006", whole, energy.Building{Family: energy.Block, Country: "FR", Assessed: "2012-01-01", Altitude: 2000, PostalCode: "73000"}, dwellings2006, climate2006},
	{"fr-2021", strict, energy.Building{Family: energy.House, Country: "FR"}, dwellings2021, climate2021},
	{"fr-2021", strict, energy.Building{Family: energy.Apartment, Country: "FR", Assessed: "2021-07-01", Surface: 40.01}, dwellings2021, climate2021},
	{"fr-2021", strict, energy.Building{Family: energy.Block, Country: "FR", Surface: 30}, dwellings2021, climate2021},
	{
		"fr-2021", strict, energy.Building{Family: energy.House, Country: "FR", PostalCode: "74400", Altitude: 801},
		"A 70 B 110 C 180 D 250 E 390 F 500 G", "A 6 B 11 C 30 D 50 E 80 F 110 G",
	},
	{
		"fr-tertiary-offices", whole, energy.Building{Family: energy.Office, Country: "FR", Assessed: "2023-01-01"},
		"A 50 B 110 C 210 D 350 E 540 F 750 G", "A 5 B 15 C 30 D 60 E 100 F 145 G",
	},
	{
		"fr-tertiary-continuous", whole, energy.Building{Family: energy.Continuous, Country: "FR", Assessed: "2010-01-01"},
		"A 100 B 210 C 370 D 580 E 830 F 1130 G", "A 12 B 30 C 65 D 110 E 160 F 220 G",
	},
	{
		"fr-tertiary-other", whole, energy.Building{Family: energy.Tertiary, Country: "FR", Surface: 12},
		"A 30 B 90 C 170 D 270 E 380 F 510 G", "A 3 B 10 C 25 D 45 E 70 F 95 G",
	},
	{
		"fr-tertiary-shopping", whole, energy.Building{Family: energy.ShoppingCentre, Country: "FR"},
		"A 80 B 120 C 180 D 230 E 330 F 450 G", "A 10 B 15 C 25 D 35 E 55 F 80 G",
	},
	{
		"be-wal", included, energy.Building{Family: energy.House, Country: "BE", PostalCode: "5000"},
		"A++ 0 A+ 45 A 85 B 170 C 255 D 340 E 425 F 510 G", "",
	},
	{
		"be-bru", included, energy.Building{Family: energy.Apartment, Country: "BE", PostalCode: "1050"},
		"A 45 B 95 C 150 D 210 E 275 F 345 G", "",
	},
	{
		"be-vlg", included, energy.Building{Family: energy.Block, Country: "BE", PostalCode: "9000"},
		"A+ 0 A 100 B 200 C 300 D 400 E 500 F", "",
	},
	{
		"lu-house", included, energy.Building{Family: energy.House, Country: "LU"},
		"A 45 B 95 C 125 D 145 E 210 F 295 G 395 H 530 I", "",
	},
	{
		"lu-apartment", included, energy.Building{Family: energy.Apartment, Country: "LU"},
		"A 45 B 75 C 85 D 100 E 155 F 225 G 280 H 355 I", "",
	},
	{
		"de-2014", included, energy.Building{Family: energy.House, Country: "DE", Assessed: "2015-01-01"},
		"A+ 30 A 50 B 75 C 100 D 130 E 160 F 200 G 250 H", "",
	},
	{
		"nl-ep2", included, energy.Building{Family: energy.House, Country: "NL"},
		"A++++ 0 A+++ 50 A++ 75 A+ 105 A 160 B 190 C 250 D 290 E 335 F 380 G", "",
	},
	{
		"ch-co2", included, energy.Building{Family: energy.Apartment, Country: "CH"},
		"", "A 0 B 5 C 10 D 15 E 20 F 25 G",
	},
}

func TestEveryBoundaryOfEveryTable(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range officialTables {
		tested[c.regime] = true
		checkBands(t, c.regime, c.ends, c.energy, func(value float64) (energy.Letter, string) {
			b := c.building
			b.Consumption = number(value)
			label := every.Label(b)
			return label.Energy, label.Regime
		})
		checkBands(t, c.regime, c.ends, c.climate, func(value float64) (energy.Letter, string) {
			b := c.building
			b.Emission = number(value)
			label := every.Label(b)
			return label.Climate, label.Regime
		})
	}
	for _, name := range energy.Names() {
		if !tested[name] && name != "fr-2021-small" {
			t.Errorf("no boundary of %s was tested", name)
		}
	}
}

// checkBands asks for the letters at every end of a band and close to it.
func checkBands(t *testing.T, regime, ends, bands string, letter func(float64) (energy.Letter, string)) {
	t.Helper()
	words := strings.Fields(bands)
	check := func(value float64, want string) {
		t.Helper()
		if got, read := letter(value); string(got) != want || read != regime {
			t.Errorf("%s: %v is %q by %q, want %q", regime, value, got, read, want)
		}
	}
	if bands == "" {
		check(1, "")
		return
	}
	check(math.MaxFloat64, words[len(words)-1])
	check(math.Inf(1), words[len(words)-1])
	for i := 0; i+2 < len(words); i += 2 {
		end, err := strconv.ParseFloat(words[i+1], 64)
		if err != nil {
			t.Fatal(err)
		}
		here, next := words[i], words[i+2]
		switch ends {
		case strict:
			check(end-0.1, here)
			check(math.Nextafter(end, 0), here)
			check(end, next)
			check(math.Nextafter(end, 1e9), next)
		case whole:
			check(end, here)
			check(end+0.9, here)
			check(math.Nextafter(end+1, 0), here)
			check(end+1, next)
		case included:
			check(end, here)
			check(math.Nextafter(end, 1e9), next)
			check(end+0.1, next)
		}
		if i == 0 {
			check(0, here)
		}
	}
}

func TestEveryBoundaryOfTheSmallSurfaces(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(smallSurfaces), "\n")
	if len(rows) != 33 {
		t.Fatalf("there are %d rows", len(rows))
	}
	for _, row := range rows {
		var m2 float64
		var e, g [6]float64
		if _, err := fmt.Sscan(row, &m2, &e[0], &e[1], &e[2], &e[3], &e[4], &e[5], &g[0], &g[1], &g[2], &g[3], &g[4], &g[5]); err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		for _, surface := range surfacesOf(m2) {
			for _, place := range []struct {
				altitude   float64
				postalCode string
				high       float64 // 1 where the limits of E and F are raised
			}{{0, "73000", 0}, {800, "73000", 0}, {800.5, "73000", 1}, {2000, "13000", 0}, {2000, "", 0}} {
				b := energy.Building{
					Family: energy.Apartment, Country: "FR", Surface: surface, Altitude: place.altitude, PostalCode: place.postalCode,
				}
				checkBands(t, "fr-2021-small", strict, bands(e, 60*place.high, 80*place.high), func(value float64) (energy.Letter, string) {
					b := b
					b.Consumption = number(value)
					label := every.Label(b)
					return label.Energy, label.Regime
				})
				checkBands(t, "fr-2021-small", strict, bands(g, 10*place.high, 10*place.high), func(value float64) (energy.Letter, string) {
					b := b
					b.Emission = number(value)
					label := every.Label(b)
					return label.Climate, label.Regime
				})
			}
		}
	}
}

// surfacesOf are surfaces whose nearest whole number of m² is m2.
func surfacesOf(m2 float64) []float64 {
	switch m2 {
	case 8:
		return []float64{0.01, 1, 7.5, 8, 8.49}
	case 40:
		return []float64{39.5, 39.99, 40}
	}
	return []float64{m2 - 0.5, m2, m2 + 0.49}
}

func bands(limits [6]float64, e, f float64) string {
	return fmt.Sprint("A ", limits[0], " B ", limits[1], " C ", limits[2], " D ", limits[3], " E ", limits[4]+e, " F ", limits[5]+f, " G")
}

// smallSurfaces are m², the limits of A to F in kWh, and those in kgCO2.
const smallSurfaces = `
8 146 186 386 505 622 739 11 16 44 68 90 122
9 134 174 355 464 574 685 11 16 42 65 87 118
10 124 164 329 428 533 640 10 15 40 62 84 115
11 117 157 311 403 503 607 10 15 39 61 82 113
12 112 152 296 381 478 578 9 14 38 59 81 111
13 108 148 283 363 456 554 9 14 37 58 79 110
14 104 144 273 348 437 532 9 14 37 58 78 108
15 100 140 263 333 421 514 8 13 36 56 76 107
16 97 137 255 325 412 504 8 13 35 55 76 106
17 95 135 248 318 404 496 8 13 35 55 75 105
18 92 132 241 311 397 489 8 13 34 54 75 105
19 90 130 235 305 390 482 8 13 34 54 74 105
20 88 128 230 300 385 476 8 13 34 54 74 104
21 87 127 225 295 380 471 8 13 33 53 74 104
22 85 125 221 291 375 466 7 12 33 53 73 103
23 84 124 217 287 371 462 7 12 33 53 73 103
24 82 122 214 284 367 458 7 12 33 53 73 103
25 81 121 210 280 363 454 7 12 32 52 73 103
26 80 120 207 277 360 451 7 12 32 52 72 103
27 79 119 204 274 357 447 7 12 32 52 72 102
28 78 118 202 272 354 444 7 12 32 52 72 102
29 77 117 199 269 351 442 7 12 32 52 72 102
30 76 116 197 267 349 439 7 12 32 52 72 102
31 76 116 195 265 346 437 7 12 31 51 72 102
32 75 115 193 263 344 434 7 12 31 51 71 101
33 74 114 191 261 342 432 7 12 31 51 71 101
34 74 114 189 259 340 430 7 12 31 51 71 101
35 73 113 188 258 338 428 7 12 31 51 71 101
36 72 112 186 256 337 427 7 12 31 51 71 101
37 72 112 185 255 335 425 7 12 31 51 71 101
38 71 111 183 253 333 423 7 12 31 51 71 101
39 71 111 182 252 332 422 7 12 31 51 71 101
40 70 110 180 250 330 420 6 11 30 50 70 100
`
