package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// parse reads the options of a server.
func parse(t *testing.T, args ...string) (config.Server, error) {
	t.Helper()
	var c config.Server
	parser, err := kong.New(&c, kong.Vars{"database": "vitrine.db", "geocoder": "none", "drain": "3s"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return c, err
}

// Without a URL, every token would tell clients to call themselves.
func TestAnAddressOthersReachNeedsAURL(t *testing.T) {
	for address, others := range map[string]bool{
		"127.0.0.1:8080": false, "127.9.0.1:0": false, "[::1]:8080": false, "localhost:8080": false, "[::ffff:127.0.0.1]:80": false,
		":8080": true, "0.0.0.0:8080": true, "[::]:8080": true, "192.0.2.7:8080": true, "api.example.org:443": true,
	} {
		for _, c := range []struct{ listen, url, variable string }{
			{"--listen=", "--public-url=", "VITRINE_PUBLIC_URL"}, {"--console-listen=", "--console-url=", "VITRINE_CONSOLE_URL"},
		} {
			_, err := parse(t, c.listen+address)
			if refused := err != nil; refused != others || refused && !strings.Contains(err.Error(), c.variable) {
				t.Errorf("%s%s: %v", c.listen, address, err)
			}
			if _, err := parse(t, c.listen+address, c.url+"https://crm.example.org"); err != nil {
				t.Errorf("%s%s with a URL: %v", c.listen, address, err)
			}
		}
	}
}

func TestWhatIsNoAddressIsNotListenedOn(t *testing.T) {
	for _, option := range []string{"--listen=", "--console-listen="} {
		for _, text := range []string{"nonsense", "127.0.0.1", "::1"} {
			_, err := parse(t, option+text, "--public-url=https://crm.example.org", "--console-url=https://crm.example.org")
			if err == nil || !strings.Contains(err.Error(), option[:len(option)-1]+" "+text+" is not a host and a port") {
				t.Errorf("%s%s: %v", option, text, err)
			}
		}
	}
}

func TestADatabaseIsAFileOrAURL(t *testing.T) {
	for name, want := range map[string]bool{
		"vitrine.db": true, "/var/lib/host=a.db": true, "postgres://u@a:1,b:2/v": true, "postgresql:///v?host=a": true,
		"C:\\data\\vitrine.db": true, "d:/vitrine.db": true, "./sqlite:a.db": true, "/srv/a:b.db": true, "a/b:c": true, "12:30.db": true, "data.db": true,
		"Postgres://u:key@a/v": false, "POSTGRESQL://u:key@a/v": false, "postgres:/u:key@a/v": false, "postgres:u:key@a": false, "postgress://u:key@a/v": false,
		"sqlite:data.db": false, "sqlite3://data.db": false, "sqlite:///data.db": false, "file:x.db": false, "file:///x.db": false, "mysql://u:key@a/v": false,
		"jdbc:postgresql://u:key@a/v": false, "pgx+pool://u:key@a/v": false, " mysql://u:key@a/v": false, "http://u:key@a": false,
		"": false, "host=a dbname=v": false, " dbname = v": false, "service=v": false,
	} {
		d := config.Database{Database: name}
		err := d.Understood()
		if (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
		if err != nil && strings.Contains(name, ":") && !strings.Contains(err.Error(), "postgres://") {
			t.Errorf("%q: %v", name, err)
		}
		if strings.Contains(fmt.Sprint(d.Shown(), err), "key") {
			t.Errorf("%q is told as %s, %v", name, d.Shown(), err)
		}
	}
}

// The password is "key" with a character in it that ends a password, or the whole is one.
func TestAPasswordThatIsNotEncodedIsSaidAndNeverShown(t *testing.T) {
	for name, want := range map[string]bool{
		"postgres://u:k@key@a:5432/v": true, "postgres://u:k%40key@a/v": true, "postgres://u:%2F%23%25key@a/v": true, "postgres://u:key@a:1,b:2/v": true,
		"postgres://a:5432/v?user=u@realm&password=key": true, "postgresql:///v?host=/run&password=a@key": true, "postgres://a:1,b:2/v?user=u@realm": true,
		"postgres://u@a": true, "postgres://[::1]:5432/v": true, "postgres://a:5432": true, "postgres://": true,
		"postgres://u:/key@a/v": false, "postgres://u:12/key@a/v": false, "postgres://u:k@1/key@a:5432/v": false, "postgres://u/n:key@a/v": false,
		"postgres://u:#key@a/v": false, "postgres://u:12#key@a/v": false, "postgres://u:?key@a/v": false, "postgres://u:12?key@a/v": false,
		"postgres://u:x?a=key@a/v": false, "postgres://u:%key@a/v": false, "postgres://u:%zzkey@a/v": false, "postgres://u: key@a/v": false,
		"postgres://u:[key@a/v": false, "postgres://u:12/key@a,b:2/v": false, "postgresql://u:k/key@a/v?sslmode=require": false, `postgres://u:\key@a/v`: false,
	} {
		d := config.Database{Database: name}
		err := d.Understood()
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "percent-encode it (@ is %40") {
			t.Errorf("%s: %v", name, err)
		}
		if !want && strings.Contains(fmt.Sprint(d.Shown(), err), "key") {
			t.Errorf("%s is told as %s, %v", name, d.Shown(), err)
		}
	}
}
