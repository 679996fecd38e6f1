package receiver

import (
	"fmt"
	"strconv"
	"strings"
)

// Answer is what a receiver answers to one delivery.
type Answer struct {
	Status int
	// Reason is given in the body, for 422 above all.
	Reason string
}

// ParseScript reads answers such as "500,500,422:duplicate,200". A comma that no
// status follows belongs to the reason before it.
func ParseScript(text string) ([]Answer, error) {
	var script []Answer
	for _, item := range strings.Split(text, ",") {
		number, reason, explained := strings.Cut(item, ":")
		status, err := strconv.Atoi(strings.TrimSpace(number))
		switch {
		case err == nil && status >= 200 && status <= 599:
			script = append(script, Answer{Status: status, Reason: strings.TrimSpace(reason)})
		case err != nil && !explained && len(script) > 0 && script[len(script)-1].Reason != "":
			script[len(script)-1].Reason += "," + item
		default:
			return nil, fmt.Errorf("%q is not an answer such as 200, or 422:reason", strings.TrimSpace(item))
		}
	}
	return script, nil
}
