package rig

import (
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFlagsOfAProgram(t *testing.T) {
	parse := func(args ...string) (f Flags, err error) {
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		f.Add(flags, "short", "only", "postgres")
		return f, flags.Parse(args)
	}
	f, err := parse("-short", "-only", "^get", "-postgres", "postgres://there")
	if err != nil || !f.Short || !f.Only.MatchString("get postgres") || f.Only.MatchString("forget") || f.Postgres != "postgres://there" {
		t.Errorf("given all: %+v, %v", f, err)
	}
	if f, err = parse(); err != nil || f.Short || !f.Only.MatchString("anything") {
		t.Errorf("given none: %+v, %v", f, err)
	}
	if _, err = parse("-only", "("); err == nil {
		t.Error("it takes what is no expression")
	}
}

func TestPercentilesAreOfTheValues(t *testing.T) {
	values := []int{50, 15, 40, 20, 35}
	for p, want := range map[float64]int{0: 15, 0.05: 15, 0.3: 20, 0.4: 20, 0.5: 35, 0.99: 50, 1: 50} {
		if got := Percentile(values, p); got != want {
			t.Errorf("%g: %d, want %d", p, got, want)
		}
	}
	if !slices.Equal(values, []int{50, 15, 40, 20, 35}) {
		t.Errorf("it sorts what is not its own: %d", values)
	}
	if got := Percentile([]int(nil), 0.5); got != 0 {
		t.Errorf("of nothing: %d", got)
	}
}

func TestMedians(t *testing.T) {
	if odd, even := Median([]float64{3, 1, 2}), Median([]float64{4, 1, 3, 2}); odd != 2 || even != 2.5 {
		t.Errorf("of three %g, of four %g", odd, even)
	}
}

func TestNumbersAreWrittenWithTheDigitsThatCount(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 0.256: "0.26", 99.5: "99.50", 123.4: "123", 1000: "1,000", 1234567: "1,234,567",
	} {
		if got := Number(v); got != want {
			t.Errorf("%g is written %q, want %q", v, got, want)
		}
	}
	if got := Count(49821); got != "49,821" {
		t.Errorf("a count is written %q", got)
	}
}

func TestTablesAreMarkdown(t *testing.T) {
	var out strings.Builder
	Table(&out, [][]string{{"figure", ""}, {"kills", "60"}})
	want := "| figure |    |\n| ---    | --- |\n| kills  | 60 |\n"
	if strings.ReplaceAll(out.String(), " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("it is\n%swant\n%s", out.String(), want)
	}
}

func TestMachineSaysWhereItIs(t *testing.T) {
	line := Machine("go1", "more")
	if !strings.HasPrefix(line, time.Now().Format("2006-")) || !strings.Contains(line, " cores, ") || !strings.Contains(line, ", go1, more") {
		t.Errorf("it is %q", line)
	}
}

func TestWaitingForSomething(t *testing.T) {
	ctx := t.Context()
	looks := 0
	if !Until(ctx, time.Minute, time.Millisecond, func() bool { looks++; return looks == 3 }) || looks != 3 {
		t.Errorf("it looks %d times for what is so at the third", looks)
	}
	never := func() bool { return false }
	if Until(ctx, 5*time.Millisecond, time.Millisecond, never) {
		t.Error("it takes for so what never is")
	}
	ended, end := context.WithCancel(ctx)
	end()
	began := time.Now()
	if Wait(ended, time.Minute); Until(ended, time.Minute, time.Minute, never) || time.Since(began) > 10*time.Second {
		t.Error("it goes on waiting after the end")
	}
}

func TestNobodyListensOnAFreeAddress(t *testing.T) {
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

func TestPostgresAsSeenFromElsewhere(t *testing.T) {
	p := Postgres{Server: "postgres://me:secret@there:5432/postgres?sslmode=disable", Name: "trial"}
	if got, want := p.URL(), "postgres://me:secret@there:5432/trial?sslmode=disable"; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
	got := p.Through("127.0.0.1:7", map[string]string{"synchronous_commit": "off"})
	if want := "postgres://me:secret@127.0.0.1:7/trial?sslmode=disable&synchronous_commit=off"; got != want {
		t.Errorf("through another host it is %s, want %s", got, want)
	}
}

func TestOptionsThatAreGivenAgain(t *testing.T) {
	got := Overridden([]string{"--database=a", "--hooks-lease=3s", "--hooks-lease-more=1", "--flag"}, []string{"--hooks-lease=15s"})
	if want := []string{"--database=a", "--hooks-lease-more=1", "--flag"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
}

func TestAServerThatDoesNotStart(t *testing.T) {
	p, err := NewProcess(filepath.Join(t.TempDir(), "log"), "sh", "-c", "echo no database; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	err = p.Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "no database") {
		t.Errorf("it says %v", err)
	}
	if err := p.Kill(); err != nil {
		t.Errorf("killing what is over: %v", err)
	}
}

func TestAServerThatIsNeverReady(t *testing.T) {
	p, err := NewProcess(filepath.Join(t.TempDir(), "log"), "sleep", "60")
	if err != nil {
		t.Fatal(err)
	}
	p.command = p.command[:2] // sleep takes no address
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if err := p.Start(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it says %v", err)
	}
	if err := p.Stop(); err == nil {
		t.Error("a server that is cut off ends well")
	}
	if err := p.Stop(); err != nil {
		t.Errorf("stopping what is stopped: %v", err)
	}
}
