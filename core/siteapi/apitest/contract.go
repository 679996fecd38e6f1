package apitest

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// ContractLine is what the contract says of one operation. Packs are those of
// which one is needed; an empty permission or right is none.
type ContractLine struct {
	ID, Method, Path string
	Status           int
	Packs            []string
	Permission       access.Permission
	Right            access.Right
}

// Contract reads core/siteapi/testdata/contract.csv, which is typed by hand from
// the contract and not from the code. root is where core lies, seen from the
// test.
func Contract(t *testing.T, root string) []ContractLine {
	t.Helper()
	file, err := os.Open(root + "/siteapi/testdata/contract.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var lines []ContractLine
	for _, r := range records {
		status, err := strconv.Atoi(r[3])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, ContractLine{
			ID: r[0], Method: r[1], Path: r[2], Status: status, Packs: strings.Fields(r[4]),
			Permission: access.Permission(r[5]), Right: access.Right(r[6]),
		})
	}
	return lines
}

// Refusal is why the contract refuses a credential that has some packs, and has
// the permission and the right or has not; "" if it does not.
func (l ContractLine) Refusal(packs access.Packs, permission, right bool) fault.Code {
	holds := func(pack string) bool { return slices.Contains(packs.Names(), pack) }
	switch {
	case len(l.Packs) > 0 && !slices.ContainsFunc(l.Packs, holds):
		return fault.CodePackMissing
	case l.Permission != "" && !permission:
		return fault.CodePermissionMissing
	case l.Right != "" && !right:
		return fault.CodeRightMissing
	}
	return ""
}
