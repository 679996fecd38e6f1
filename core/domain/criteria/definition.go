// Package criteria knows the typed facts of a listing: what a criterion is,
// how its values are written, parsed and compared, and which operator means
// what on which type.
package criteria

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// ID is the numeric id of a criterion.
type ID int64

// Type is one of the six types of the contract.
type Type uint8

// The types. The zero Type is none of them.
const (
	// UNIQUE is a single choice out of a referential.
	UNIQUE Type = iota + 1
	// NUMBER is an integer or decimal number.
	NUMBER
	// FLAG is yes or no, written 1 or 0.
	FLAG
	// TEXT is free text.
	TEXT
	// MULTIPLE is any number of choices out of a referential.
	MULTIPLE
	// DATE is a day or an instant.
	DATE
)

var typeNames = [...]string{UNIQUE: "UNIQUE", NUMBER: "NUMBER", FLAG: "FLAG", TEXT: "TEXT", MULTIPLE: "MULTIPLE", DATE: "DATE"}

// Types lists the six types.
func Types() []Type { return []Type{UNIQUE, NUMBER, FLAG, TEXT, MULTIPLE, DATE} }

// String returns the contract's name of the type.
func (t Type) String() string {
	if t > 0 && int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// MarshalText writes the contract's name of the type; the zero type is the empty text.
func (t Type) MarshalText() ([]byte, error) {
	if t == 0 {
		return nil, nil
	}
	return []byte(t.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (t *Type) UnmarshalText(name []byte) (err error) {
	if len(name) == 0 {
		*t = 0
		return nil
	}
	*t, err = ParseType(string(name))
	return err
}

// ParseType reads the contract's name of a type.
func ParseType(name string) (Type, error) {
	for _, t := range Types() {
		if t.String() == name {
			return t, nil
		}
	}
	return 0, fmt.Errorf("no criterion type is named %q", name)
}

// Keys of criteria that rules of the contract speak of.
const (
	KeyPropertyType    = "TypeBien"
	KeyTransactionType = "TypeTransaction"
	KeyStatus          = "Statut"
	KeyRooms           = "NbPieces"
	KeySurface         = "Surface"
	KeyPrice           = "Prix"
	KeyAddress         = "Adresse"
	KeyPostalCode      = "CodePostal"
	KeyCity            = "Ville"
	KeyCountry         = "Pays"
	KeyCommune         = "CodeInsee"
	KeyPosition        = "Alentour"
	KeyHideAddress     = "AdresseMasquee"
	KeyConsumption     = "conso_energ"
	KeyEmission        = "valeur_GES"
	KeyEnergyLetter    = "ConsoEner"
	KeyClimateLetter   = "GES"
	KeyEnergyDate      = "DateDPE"
	// KeyReferenceSurface is the surface an energy label is about.
	KeyReferenceSurface = "SurfaceReference"
	KeyAltitude         = "Altitude"
	KeyVirtualVisit     = "VisiteVirtuelle"
	KeyMandateNumber    = "NumeroMandat"
	KeyMandateType      = "TypeMandat"
	KeyMandateEnd       = "DateFinMandat"
)

// StatusActive is the code of Statut that makes a product active and visible.
const StatusActive = "EnCours"

// Choice is a value of a referential or of a list. Code is what travels: the
// contract calls it model.
type Choice struct {
	ID     int64
	Code   string
	Label  string
	Active bool
}

// Definition describes one criterion of one site (contract: CriteriaResource).
type Definition struct {
	ID                     ID
	Key                    string
	Type                   Type
	Label                  string
	Description            string
	Active                 bool
	Custom                 bool
	CustomLabel            bool
	CustomValues           bool
	RequiredForPublication bool
	Searchable             bool
	// Private hides the criterion from credentials that only feed websites. Some
	// are hidden in any case: see IsPrivate.
	Private bool
	Unit    string
	// Min and Max bound a NUMBER, both inclusive; nil is no bound.
	Min, Max *float64
	// Decimals is the most decimals a NUMBER may have; nil is any.
	Decimals *int
	// MaxLength bounds a TEXT in characters; 0 means the type's own limit.
	MaxLength int
	// FullText marks a long TEXT.
	FullText      bool
	Group         string
	PropertyTypes []string
	Position      int
	Choices       []Choice
}

// Lengths of TEXT values, in characters, where the definition states none.
const (
	MaxShortText = 255
	MaxFullText  = 65535
)

// TextLimit returns the most characters a TEXT value of this criterion may have.
func (d Definition) TextLimit() int {
	switch {
	case d.MaxLength > 0:
		return d.MaxLength
	case d.FullText:
		return MaxFullText
	}
	return MaxShortText
}

// InternalKeys returns the keys of criteria that are private whatever their
// definition says: they tell how an agency and an owner stand to each other.
func InternalKeys() []string { return []string{KeyMandateType, KeyMandateEnd} }

// IsPrivate reports whether the criterion is hidden from credentials that only
// feed websites: in records, facets, searches and sorts alike.
func (d Definition) IsPrivate() bool { return d.Private || slices.Contains(InternalKeys(), d.Key) }

// Choice finds a value of the referential by its code, active or not.
func (d Definition) Choice(code string) (Choice, bool) { return findChoice(d.Choices, code) }

// Recognise puts the code in the place of a value that is, case and accents
// aside, the code or the label of an active choice. Everything else stays as it
// is, to be judged by Parse.
func (d Definition) Recognise(raw Raw) Raw {
	if several, is := raw.V.([]any); is {
		all := make([]any, len(several))
		for i, one := range several {
			all[i] = d.Recognise(Raw{one}).V
		}
		return Raw{all}
	}
	text, ok := raw.V.(string)
	if !ok {
		return raw
	}
	if c, found := d.Choice(text); found && c.Active {
		return raw
	}
	folded := Fold(text)
	for _, c := range d.Choices {
		if c.Active && (Fold(c.Code) == folded || Fold(c.Label) == folded) {
			return Raw{c.Code}
		}
	}
	return raw
}

// ActiveCodes returns the codes of the choices that are active.
func ActiveCodes(choices []Choice) []string {
	var codes []string
	for _, c := range choices {
		if c.Active {
			codes = append(codes, c.Code)
		}
	}
	return codes
}

func findChoice(choices []Choice, code string) (Choice, bool) {
	for i := range choices {
		if choices[i].Code == code {
			return choices[i], true
		}
	}
	return Choice{}, false
}

// LabelOf returns the label of the choice with a code, and whether there is one.
func LabelOf(choices []Choice, code string) (string, bool) {
	for i := range choices {
		if choices[i].Code == code {
			return choices[i].Label, true
		}
	}
	return "", false
}

// Validate reports what is wrong with a definition an administrator proposes.
// A key made of digits alone could be mistaken for an id.
func (d Definition) Validate() error {
	switch {
	case d.ID < 1:
		return fmt.Errorf("criterion %q: the id must be positive", d.Key)
	case strings.TrimSpace(d.Key) == "" || utf8.RuneCountInString(d.Key) > 64:
		return fmt.Errorf("criterion %d: the key must have 1 to 64 characters", d.ID)
	case allDigits(d.Key):
		return fmt.Errorf("criterion %q: a key cannot consist of digits alone", d.Key)
	case d.Key == "all":
		return fmt.Errorf("criterion %q: the key is reserved", d.Key)
	case d.Type < UNIQUE || d.Type > DATE:
		return fmt.Errorf("criterion %q: the type must be one of UNIQUE, NUMBER, FLAG, TEXT, MULTIPLE, DATE", d.Key)
	case len(d.Choices) > 0 && d.Type != UNIQUE && d.Type != MULTIPLE:
		return fmt.Errorf("criterion %q: only UNIQUE and MULTIPLE have a referential", d.Key)
	}
	seen := map[string]bool{}
	for _, c := range d.Choices {
		if c.Code == "" || seen[c.Code] {
			return fmt.Errorf("criterion %q: the code %q is empty or given twice", d.Key, c.Code)
		}
		seen[c.Code] = true
	}
	return nil
}

func allDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// ListID identifies a list of values that is not a criterion's referential.
type ListID int64

// The lists that describe rooms (contract: Configs), and those that other
// records take codes from.
const (
	RoomTypes        ListID = 1
	Expositions      ListID = 2
	Views            ListID = 3
	FloorTypes       ListID = 4
	CustomerTypes    ListID = 5
	Civilities       ListID = 6
	PhoneTypes       ListID = 7
	AddressTypes     ListID = 8
	FollowUpStatuses ListID = 9
	Origins          ListID = 10
	KeyPoints        ListID = 13
	Urgencies        ListID = 14
	RefusalReasons   ListID = 15
	// CancellationReasons are why offers, agreements and leases are given up.
	CancellationReasons ListID = 17
)

// List is a named list of choices.
type List struct {
	ID      ListID
	Key     string
	Label   string
	Choices []Choice
}

// Choice finds a value of the list by its code, active or not.
func (l List) Choice(code string) (Choice, bool) { return findChoice(l.Choices, code) }
