package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// agencies are whose the listings of a file are: one agency, or several by their codes in the file.
type agencies struct {
	one    site.AgencyID
	byCode map[string]site.AgencyID
}

func (a *agencies) given() bool { return a.one != 0 || len(a.byCode) > 0 }

// UnmarshalText reads ID, or CODE=ID,CODE=ID.
func (a *agencies) UnmarshalText(text []byte) error {
	said := strings.TrimSpace(string(text))
	if !strings.Contains(said, "=") {
		id, err := agencyID(said)
		a.one = id
		return err
	}
	a.byCode = map[string]site.AgencyID{}
	known := map[string]bool{}
	for pair := range strings.SplitSeq(said, ",") {
		at := strings.LastIndex(pair, "=")
		if at < 0 {
			return fmt.Errorf("%q is not CODE=ID", pair)
		}
		code := strings.TrimSpace(pair[:at])
		id, err := agencyID(pair[at+1:])
		switch folded := strings.ToLower(code); {
		case err != nil:
			return err
		case code == "":
			return fmt.Errorf("%q names no code", pair)
		case known[folded]:
			return fmt.Errorf("the code %q is there twice", code)
		default:
			known[folded], a.byCode[code] = true, id
		}
	}
	return nil
}

func agencyID(text string) (site.AgencyID, error) {
	id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || id < 1 {
		return 0, fmt.Errorf("%q is not the number of an agency", text)
	}
	return site.AgencyID(id), nil
}
