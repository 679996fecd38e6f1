package product

import "strings"

// regions are the eighteen regions with their departments.
var regions = map[string]string{
	"01": "971", // Guadeloupe
	"02": "972", // Martinique
	"03": "973", // Guyane
	"04": "974", // La Réunion
	"06": "976", // Mayotte
	"11": "75 77 78 91 92 93 94 95",
	"24": "18 28 36 37 41 45",
	"27": "21 25 39 58 70 71 89 90",
	"28": "14 27 50 61 76",
	"32": "02 59 60 62 80",
	"44": "08 10 51 52 54 55 57 67 68 88",
	"52": "44 49 53 72 85",
	"53": "22 29 35 56",
	"75": "16 17 19 23 24 33 40 47 64 79 86 87",
	"76": "09 11 12 30 31 32 34 46 48 65 66 81 82",
	"84": "01 03 07 15 26 38 42 43 63 69 73 74",
	"93": "04 05 06 13 83 84",
	"94": "2A 2B",
}

// collectivities are overseas and in no region: they are no departments, and
// numbered like some.
const collectivities = "975 977 978 984 986 987 988 989"

// IsDepartment reports whether a code, in capitals, is that of a department or of
// a collectivity overseas.
func IsDepartment(code string) bool {
	_, known := regionOf(code)
	return known || len(code) == 3 && strings.Contains(collectivities, code) && digits(code)
}

// IsCommune reports whether a code, in capitals, has the form of that of a
// commune.
func IsCommune(code string) bool {
	if len(code) != 5 || !digits(code[2:]) {
		return false
	}
	return IsDepartment(departmentIn(code))
}

func digits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// departmentIn returns what the code of a commune begins with.
func departmentIn(commune string) string {
	if first := commune[:2]; first != "97" && first != "98" {
		return first
	}
	return commune[:3]
}

func regionOf(department string) (region string, ok bool) {
	for code, departments := range regions {
		for d := range strings.FieldsSeq(departments) {
			if d == department {
				return code, true
			}
		}
	}
	return "", false
}

// LocateCommune finds the department and the region of a commune by its code; ok is
// false where there is neither.
func LocateCommune(commune string) (department, region string, ok bool) {
	if len(commune) != 5 || !digits(commune[2:]) {
		return "", "", false
	}
	if region, ok = regionOf(departmentIn(commune)); !ok {
		return "", "", false
	}
	return departmentIn(commune), region, true
}

// CommuneOf returns the commune that an arrondissement of Paris, Lyon or Marseille is
// in, such as 69123 for 69383. Any other commune is its own.
func CommuneOf(commune string) string {
	switch {
	case len(commune) != 5:
	case "75101" <= commune && commune <= "75120":
		return "75056"
	case "69381" <= commune && commune <= "69389":
		return "69123"
	case "13201" <= commune && commune <= "13216":
		return "13055"
	}
	return commune
}
