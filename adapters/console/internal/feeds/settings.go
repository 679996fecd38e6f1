package feeds

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// locationFields returns the fields of where files come from, or go to. Of an address that is stored neither the
// user nor the password is shown.
func locationFields(f *kit.Form, section, folder kit.Text, l operator.Location) []kit.Field {
	in, address, secret := f.Text("folder", "Folder", folder, l.Folder), "", kit.Text("Where the server asks for one.")
	in.Section = section
	hint := kit.Text("In place of a folder, and with https://.")
	if l.URL != "" {
		hint = "In place of a folder, and with https://. What stands behind a question mark is not shown, and stays while the rest of the address does."
		address, secret = l.Place(), "It is not shown. Left empty, it stays as it is, but for another server."
	}
	password := f.Password("password", "Password", secret, "off")
	password.Required = false
	return []kit.Field{
		in,
		f.Text("url", "Address", hint, address),
		f.Text("user", "User", secret, "").Filled("off"),
		password,
	}
}

// readLocation reads these fields; the address has the user and the password.
func readLocation(v *kit.Request) (folder, address string) {
	address = strings.TrimSpace(v.Sent("url"))
	user, password := v.Sent("user"), v.Sent("password")
	if u, err := url.Parse(address); err == nil && address != "" && user+password != "" {
		u.User = url.User(user)
		if password != "" {
			u.User = url.UserPassword(user, password)
		}
		address = u.String()
	}
	return strings.TrimSpace(v.Sent("folder")), address
}

func everyField(f *kit.Form, every time.Duration) kit.Field {
	return f.Text("every", "Time between two checks", "Such as 15m or 1h; one minute at least.", inShort(cmp.Or(every, operator.DefaultEvery)))
}

// inShort writes a time without the units that it has none of: 1h and not 1h0m0s.
func inShort(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// everyInWords returns a time between two checks as pages show it: 1 h 30 min.
func everyInWords(d time.Duration) string {
	return strings.TrimSpace(strings.NewReplacer("h", " h ", "m", " min ", "s", " s").Replace(inShort(d)))
}

// labelOf returns what one of some choices is called, or else the choice itself.
func labelOf(choices []kit.Choice, value string) string {
	for _, c := range choices {
		if c.Value == value {
			return c.Label
		}
	}
	return value
}

// nextLook returns when a source or target is looked at next; never where it is paused.
func nextLook(v *kit.Request, paused bool, due time.Time) kit.Moment {
	switch {
	case paused:
		return kit.Moment{}
	case due.Before(v.Time):
		return kit.Moment{Ago: v.Say("within seconds")}
	}
	return v.When(due)
}

// ticked returns what a box is at first.
func ticked(is bool) []string {
	if is {
		return []string{"yes"}
	}
	return nil
}

// readPairs reads a field with a name, a colon and what it stands for on each line.
func readPairs(v *kit.Request, field string) (map[string]string, error) {
	pairs := map[string]string{}
	for line := range strings.Lines(v.Sent(field)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		colon := strings.LastIndex(line, ":")
		if colon < 1 {
			return nil, kit.WrongField(field, fault.CodeInvalidFormat, fault.Textf("each line has a name, a colon and what it stands for"))
		}
		pairs[strings.TrimSpace(line[:colon])] = strings.TrimSpace(line[colon+1:])
	}
	return pairs, nil
}

// readAgencies reads the field of agencies by what others call them.
func readAgencies(v *kit.Request) (map[string]int64, error) {
	pairs, err := readPairs(v, "agencies")
	agencies := map[string]int64{}
	for name, number := range pairs {
		if agencies[name], err = strconv.ParseInt(number, 10, 64); err != nil {
			return nil, kit.WrongField("agencies", fault.CodeInvalidType, fault.Textf("behind the colon is the number of an agency"))
		}
	}
	return agencies, err
}

// pairLines writes pairs as readPairs reads them.
func pairLines(pairs map[string]string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		lines = append(lines, name+": "+pairs[name])
	}
	return strings.Join(lines, "\n")
}
