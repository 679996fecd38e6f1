// Package core_test holds what is true of the core as a whole: what may
// import what, and that none of it does I/O.
package core_test

import (
	"slices"
	"strings"
	"testing"
)

const (
	vitrine = "github.com/vitrine-crm/vitrine/"
	core    = vitrine + "core"
)

// folders are those of the core, the lowest first. A package imports what lies in the
// folders before its own; search and port do not know each other.
var folders = []string{"domain", "search", "port", "kernel", "usecase", "engine", "siteapi", "backoffice", "mirror"}

// within says which packages of its own folder a package imports.
var within = map[string]string{
	"domain/access":         "fault site",
	"domain/alert":          "fault site",
	"domain/criteria":       "calendar fault opt",
	"domain/customer":       "access criteria fault form opt site",
	"domain/deal":           "calendar customer deal/agreement deal/letting deal/money deal/offer product site transition",
	"domain/deal/agreement": "calendar customer deal/money deal/offer energy fault form opt product site transition",
	"domain/deal/letting":   "calendar criteria customer deal/money deal/offer energy fault form opt product site transition",
	"domain/deal/money":     "calendar fault form opt",
	"domain/deal/offer":     "calendar criteria customer deal/money demand fault form opt product site transition",
	"domain/demand":         "criteria customer fault form opt product site",
	"domain/energy":         "fault",
	"domain/event":          "edit site",
	"domain/form":           "calendar criteria fault opt",
	"domain/operator":       "access criteria edit fault opt product site",
	"domain/planning":       "access calendar criteria customer demand fault form opt product recurrence site slot transition",
	"domain/product":        "criteria customer edit energy fault form opt site",
	"domain/recurrence":     "calendar fault",
	"domain/site":           "criteria",
	"domain/slot":           "calendar fault site",
	"domain/slot/slottest":  "calendar site slot",
	"domain/trace":          "access criteria customer fault opt site",
	"domain/transition":     "fault",
	"domain/webhook":        "access event fault site",

	"search/catalogue/cataloguetest": "catalogue",

	"port/memstore": "port",
	"port/porttest": "port memstore",

	"kernel":        "internal/references",
	"kernel/follow": "kernel",

	"usecase/agenda":   "agenda/agendarecords listing people",
	"usecase/alerts":   "lease",
	"usecase/deals":    "deals/dealrecords people",
	"usecase/history":  "agenda/agendarecords deals/dealrecords listing people",
	"usecase/listing":  "agenda/agendarecords deals/dealrecords listing/internal/slab office",
	"usecase/people":   "agenda/agendarecords deals/dealrecords listing",
	"usecase/portals":  "lease transfer",
	"usecase/transfer": "agenda lease listing people tokens",

	"siteapi/apitest":  "siteapi",
	"siteapi/dealtest": "apitest",

	"mirror/mirrortest": "mirror",
}

func TestPackagesImportOnlyWhatLiesBelow(t *testing.T) {
	unused := map[string][]string{}
	for name, others := range within {
		unused[name] = strings.Fields(others)
	}
	for _, p := range packages(t) {
		if p.name == "" {
			continue // tests of the whole, such as this one
		}
		folder, _, _ := strings.Cut(p.name, "/")
		rank := slices.Index(folders, folder)
		if rank < 0 {
			t.Errorf("core/%s lies in none of the folders %s", p.name, strings.Join(folders, ", "))
			continue
		}
		for _, path := range p.imports {
			other, ours := strings.CutPrefix(path, core+"/")
			if !ours {
				continue
			}
			top, inner, _ := strings.Cut(other, "/")
			switch below := slices.Index(folders, top); {
			case top == folder:
				if inner = strings.TrimPrefix(other, folder+"/"); !slices.Contains(strings.Fields(within[p.name]), inner) {
					t.Errorf("core/%s imports core/%s of its own folder: say so in within, if it may", p.name, other)
				}
				unused[p.name] = slices.DeleteFunc(unused[p.name], func(name string) bool { return name == inner })
			case below > rank, folder == "port" && top == "search":
				t.Errorf("core/%s imports core/%s, which does not lie below it", p.name, other)
			}
		}
	}
	for name, others := range unused {
		for _, other := range others {
			t.Errorf("within lets core/%s import %s, which it does not", name, other)
		}
	}
}
