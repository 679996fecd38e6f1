package config

import "os"

// SetBy is the first of some environment variables that is set.
func SetBy(variables []string) (name string, ok bool) {
	for _, name := range variables {
		if _, ok := os.LookupEnv(name); ok {
			return name, true
		}
	}
	return "", false
}
