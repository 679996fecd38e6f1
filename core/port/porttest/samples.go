package porttest

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// awkward is text that stores have been known to lose.
const awkward = "  É\"'\\\t\n\r<&>%_🏠e\u0301\u2028\ufeff $1 ? ?? {\"a\":[]} ß "

// instant is a moment with microseconds.
func instant(n int) time.Time {
	return time.Date(2026, 2, 28, 23, 59, 59, 987_654_000, time.UTC).Add(time.Duration(n) * 1_000_001 * time.Microsecond)
}

func sampleSite(id site.ID) site.Site {
	return site.Site{
		ID: id, Name: awkward, Disabled: true, Agencies: []site.AgencyID{3, 1, 2}, Groups: []site.Group{{ID: 2, Name: awkward, Agency: 1}},
		Settings: site.Settings{
			DefaultStatus: "EnCours", TimeZone: "Indian/Reunion", Currency: "EUR", Country: "RE", Language: "fr",
			ReferencePattern: "{agency}-{number}", EnergyScales: []string{"fr-2021", "ch-co2"},
			Indices: []site.IndexValue{{Index: "IRL", Quarter: "2025-T3", Value: 145.77, Published: "2025-10-15"}, {Index: "ILC", Quarter: "2024-T1", Value: 134.58}},
			FeeCaps: []site.FeeCap{{From: "2026-01-01", VeryTight: 12.1, Tight: 10.09, Other: 8.07, Inventory: 3.03}},
		},
	}
}

func sampleCredential(id access.CredentialID) access.Credential {
	return access.Credential{
		ID: id, Name: awkward, Secret: "5ec7e7", Former: access.Former{Hash: "f08e8", Until: instant(7)}, Sites: []site.ID{2, 1}, Packs: access.Properties | access.Configs,
		Permissions: []access.Permission{access.ProductRead, access.All}, Rights: access.Rights(), Disabled: true, Added: instant(5),
		RevokedAt: instant(6),
	}
}

func sampleKey(s site.ID, id access.KeyID) access.Key {
	k := sampleOf[access.Key]("api_key", s, int64(id))
	k.Credential, k.Hash = keyHolder(s), keyHash(s, id)
	return k
}

// keyHolder is the credential whose keys a site has, and keyHash the hash of one.
func keyHolder(s site.ID) access.CredentialID { return access.CredentialID(fmt.Sprint("holder-", s)) }

func keyHash(s site.ID, id access.KeyID) access.Hash {
	return access.Hash(fmt.Sprint("key-", s, "-", id))
}

func sampleToken(hash access.Hash, family access.FamilyID, expires time.Time) access.Token {
	return access.Token{
		Hash: hash, Family: family, Credential: "client", Site: 7, Refresh: true, Parent: hash + "p",
		Issued: instant(6), Expires: expires, Rotated: instant(7), Pairs: 3, Succeeded: true, Revoked: true,
	}
}

// sampleValues has every type of value, and more than one of some.
func sampleValues() criteria.Values {
	return criteria.Values{
		"TypeBien": criteria.Unique("Maison"), "Unique vide": criteria.Unique(""), "Unique \"\\\n": criteria.Unique(awkward),
		"Prix": criteria.Number(250000), "Zéro": criteria.Number(0), "Négatif": criteria.Number(-0.1), "Grand": criteria.Number(123456789012345),
		"Petit": criteria.Number(0.000000123), "Énorme": criteria.Number(1e22),
		"Oui": criteria.Flag(true), "Non": criteria.Flag(false),
		"Adresse": criteria.Text(awkward), "Texte vide": criteria.Text(""), "Chiffres": criteria.Text("01000"), "Vrai": criteria.Text("true"),
		"Exposition": criteria.Multiple{"SO", "N", awkward}, "Aucune": criteria.Multiple{},
		"Jour":    criteria.Date{At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
		"Ancien":  criteria.Date{At: time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)},
		"Instant": criteria.Date{At: instant(10), Timed: true}, "Minuit": criteria.Date{At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), Timed: true},
	}
}

func sampleProduct(s site.ID, id product.ID) product.Product {
	surface, floor := 12.5, 0
	return product.Product{
		ID: id, Site: s, Agency: 1, User: 2, Customer: 3, Parent: 4, Reference: fmt.Sprint("Réf ", id, awkward),
		WebStatus: true, Intercabinet: true, SellerStatistics: true, NextContact: "2026-03-01", Color: 4,
		Criteria: sampleValues(), Derived: product.Derived{Energy: true, Climate: true, Regime: "fr-2021"},
		Rooms: []product.Room{
			{ID: 2, Type: "Séjour", Surface: &surface, Niveau: &floor, Exposition: "S", Vue: "Mer", Sol: "Parquet", Commentaire: awkward},
			{ID: 1, Type: "Bureau"},
		},
		Descriptions: []product.Description{
			{Language: "fr", Title: awkward, Text: awkward + awkward, ShortText: "court"}, {Language: "en", Title: "House"},
		},
		Geocoded: product.Geocoded{
			For:   product.Address{Street: awkward, PostalCode: "01000", City: "bourg", Country: "fr"},
			Place: product.Place{Position: criteria.Position{Latitude: -48.856601, Longitude: 2.352201}, Source: product.FromAddress, Score: 0.123456789, Commune: "2A004"},
		},
		Pictures: []product.Picture{
			{
				ID: 2, Visibility: product.Private, Label: awkward, Width: 50_000, Height: 1_000, Size: 20 << 20, ContentType: "image/webp",
				SHA256: "0a", Sent: "1b", Added: instant(13),
			},
			{ID: 1},
		},
		CreatedBy: 5, Added: instant(11), Modified: instant(12), Version: 1 << 40,
	}
}

// plainProduct has nothing that is optional.
func plainProduct(s site.ID, id product.ID) product.Product {
	return product.Product{
		ID: id, Site: s, Agency: 1, Reference: fmt.Sprint("R", id), Criteria: criteria.Values{}, Added: instant(0), Modified: instant(0),
	}
}

func familyID(s site.ID, n int64) access.FamilyID { return access.FamilyID(int64(s)*1000 + n) }

// tokenOf is a token whose hash only this site has.
func tokenOf(s site.ID, family access.FamilyID, hash string, expires time.Time) access.Token {
	k := sampleToken(access.Hash(fmt.Sprint(hash, " of ", s)), family, expires)
	k.Site = s
	return k
}
