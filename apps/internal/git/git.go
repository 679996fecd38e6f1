// Package git runs git.
package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Run runs git in a folder, also in a clone of somebody else's, and returns what it
// prints. An error has what git says of it.
func Run(ctx context.Context, folder string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-c", "safe.directory=*"}, args...)...)
	command.Dir = folder
	out, err := command.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(failed.Stderr)))
	}
	return string(out), err
}
