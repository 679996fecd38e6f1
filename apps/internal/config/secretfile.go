package config

import (
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// FileSuffix follows the variable of a secret in that of a file that holds it.
const FileSuffix = "_FILE"

// IsSecret reports whether an option may be given as the name of a file with its
// value: it is a secret, or may have one in it.
func IsSecret(flag *kong.Flag) bool { return flag.Tag.Has("secret") }

// SecretFiles reads secrets from the files that variables such as
// VITRINE_SECRET_KEY_FILE name.
func SecretFiles() kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		variable, path := secretFile(flag)
		if path == "" {
			return nil, nil
		}
		if os.Getenv(strings.TrimSuffix(variable, FileSuffix)) != "" {
			return nil, fmt.Errorf("%s and %s are both set", strings.TrimSuffix(variable, FileSuffix), variable)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		// Several secrets are a line each.
		lines := strings.FieldsFunc(string(content), func(r rune) bool { return r == '\n' || r == '\r' })
		if len(lines) == 0 || len(lines) > 1 && !flag.IsSlice() {
			return nil, fmt.Errorf("%s: %s must hold one line", variable, path)
		}
		return strings.Join(lines, ","), nil
	})
}

// secretFile returns the file that holds an option, and the variable that says so; no
// path if none does.
func secretFile(flag *kong.Flag) (variable, path string) {
	if !IsSecret(flag) {
		return "", ""
	}
	for _, name := range flag.Envs {
		if path := os.Getenv(name + FileSuffix); path != "" {
			return name + FileSuffix, path
		}
	}
	return "", ""
}

// fromEnvironment reports whether a variable says what an option is.
func fromEnvironment(flag *kong.Flag) bool {
	_, set := SetBy(flag.Envs)
	_, path := secretFile(flag)
	return set || path != ""
}
