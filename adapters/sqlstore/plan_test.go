package sqlstore_test

import (
	"fmt"
	"os"
	"testing"
	"time"
	"runtime/pprof"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
)

func BenchmarkPlan(b *testing.B) {
	p := postgresPlace(b)
	s := p.migrated(b)
	t0 := time.Now()
	fill(b, s, 100000)
	fmt.Println("fill", time.Since(t0))
	db := p.raw(b)
	explain := func(q string) {
		rows, err := db.Query(q)
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
			var l string
			rows.Scan(&l)
			fmt.Println(l)
		}
		rows.Close()
	}
	scan := func() {
		t0 := time.Now()
		err := s.View(b.Context(), func(tx port.Tx) error {
			n, after := 0, product.ID(0)
			for {
				found, err := tx.Products().Scan(1, after, 2000)
				if err != nil {
					return err
				}
				if len(found) == 0 {
					break
				}
				n += len(found)
				after = found[len(found)-1].ID
			}
			return nil
		})
		fmt.Println("scan", time.Since(t0), err)
	}
	db.SetMaxOpenConns(1)
	execute(b, db, "set enable_bitmapscan = off")
	execute(b, db, "prepare q(bigint,bigint,bigint) as select id, criteria from product where site_id = $1 and id > $2 and deleted_at is null order by id limit $3")
	scan()
	scan()
	execute(b, db, "set plan_cache_mode=force_custom_plan")
	explain("explain analyze execute q(1,50000,2000)")
	execute(b, db, "set plan_cache_mode=force_generic_plan")
	explain("explain analyze execute q(1,50000,2000)")
	execute(b, db, "analyze product")
	explain("explain analyze execute q(1,50000,2000)")
	scan()
	f, _ := os.Create("/tmp/scan.prof")
	pprof.StartCPUProfile(f)
	scan()
	scan()
	pprof.StopCPUProfile()
}
