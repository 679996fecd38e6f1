package config

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/core/domain/form"
)

// SetBy returns the first of some environment variables that is set.
func SetBy(variables []string) (name string, ok bool) {
	for _, name := range variables {
		if _, ok := os.LookupEnv(name); ok {
			return name, true
		}
	}
	return "", false
}

// UnknownVariables are sentences about variables that have no effect.
type UnknownVariables []string

// foreign are the variables that Kubernetes sets for a service called vitrine…, and
// those of the project's tests.
var foreign = regexp.MustCompile(`_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$|^VITRINE_(TEST_\w+|PROOF|EVERY_STORE|UPDATE_GOLDEN)$`)

// Unknown returns the variables that are set, called as options are, and none of any command.
func Unknown(of *kong.Node) (unknown UnknownVariables) {
	known := []string{}
	_ = kong.Visit(of, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			for _, name := range flag.Envs {
				known = append(known, name)
				if IsSecret(flag) {
					known = append(known, name+FileSuffix)
				}
			}
		}
		return next(nil)
	})
	slices.Sort(known)
	for _, set := range os.Environ() {
		name, _, _ := strings.Cut(set, "=")
		if !strings.HasPrefix(name, "VITRINE_") || foreign.MatchString(name) || slices.Contains(known, name) {
			continue
		}
		nearest, _ := form.Nearest(strings.ToUpper(name), known)
		unknown = append(unknown, fmt.Sprintf("there is no option %s, and so it has no effect; the nearest is %s", name, nearest))
	}
	return unknown
}
