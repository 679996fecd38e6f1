package postgres

import "testing"

func TestAURLMayNameSeveralServers(t *testing.T) {
	for given, want := range map[string]string{
		"postgres://u:p@a:1,b:2/v?sslmode=disable":      "postgres://u:p@/v?sslmode=disable&host=a%2Cb&port=1,2",
		"postgres://u:p%40@a,b:2":                       "postgres://u:p%40@?host=a%2Cb&port=5432,2",
		"postgres://[::1]:1,[::2]/v":                    "postgres:///v?host=%3A%3A1%2C%3A%3A2&port=1,5432",
		"postgres://u:p@a:1/v?options=x,y":              "postgres://u:p@a:1/v?options=x,y",
		"postgres:///v?host=a,b&port=1,2":               "postgres:///v?host=a,b&port=1,2",
		"postgres://u@/v?host=/run/postgresql&user=a,b": "postgres://u@/v?host=/run/postgresql&user=a,b",
		"vitrine,a.db":                                  "vitrine,a.db",
	} {
		got := hostsApart(given)
		if got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
	c, err := read("postgres://u@a:1,b:2,c/v?target_session_attrs=primary")
	if err != nil || c.Host != "a" || c.Port != 1 || len(c.Multi) != 2 || c.Multi[0].Host != "b" || c.Multi[0].Port != 2 || c.Multi[1].Port != 5432 || c.Database != "v" {
		t.Errorf("%+v, %v", c, err)
	}
}
