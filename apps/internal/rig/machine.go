package rig

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// Machine describes where a run happens, as far as the system tells, with more
// facts of choice.
func Machine(more ...string) string {
	facts := append([]string{
		time.Now().Format(time.DateOnly), fmt.Sprint(runtime.NumCPU(), " cores"), runtime.GOOS + "/" + runtime.GOARCH,
	}, more...)
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		facts = append(facts, "load before the run "+strings.Join(strings.Fields(string(load))[:3], " "))
	}
	return strings.Join(facts, ", ")
}

// Hardware names the processor and the memory, if the system tells.
func Hardware() []string {
	var facts []string
	for _, fact := range []struct{ file, name, label string }{
		{"/proc/cpuinfo", "model name", ""},
		{"/proc/meminfo", "MemTotal", "memory "},
	} {
		if value := lookUp(fact.file, fact.name); value != "" {
			facts = append(facts, fact.label+value)
		}
	}
	return facts
}

// lookUp finds a "name: value" line of a file.
func lookUp(path, name string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
