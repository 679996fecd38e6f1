package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// machine describes where the run happens, as far as the system tells.
func machine() string {
	line := fmt.Sprintf("%s, %d cores, %s/%s, %s", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		line += ", load before the run " + strings.Join(strings.Fields(string(load))[:3], " ")
	}
	return line
}
