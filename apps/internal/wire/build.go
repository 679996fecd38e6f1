package wire

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
)

// buildMetric returns which build is watched, as labels of a 1.
func buildMetric() prometheus.Collector {
	i := buildinfo.Read()
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "vitrine_build_info", Help: "1; the labels say from what the program was built.",
		ConstLabels: prometheus.Labels{
			"version": i.Version, "commit": i.Commit, "date": i.Date, "modified": strconv.FormatBool(i.Modified),
			"contract": i.Contract, "schema": strconv.FormatInt(i.Schema, 10), "go": i.Go, "platform": i.Platform,
		},
	}, func() float64 { return 1 })
}
