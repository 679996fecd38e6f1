package postgres

import (
	"net"
	"net/url"
	"strings"
)

// hostsApart returns a URL that names several servers as libpq takes it,
// postgres://user@a:5432,b:5433/name, in the form that the driver takes: hosts and ports
// as parameters. Other URLs stay as they are.
func hostsApart(databaseURL string) string {
	scheme, rest, found := strings.Cut(databaseURL, "://")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	user, servers := "", rest[:end]
	if at := strings.LastIndex(servers, "@"); at >= 0 {
		user, servers = servers[:at+1], servers[at+1:]
	}
	if !found || !strings.Contains(servers, ",") {
		return databaseURL
	}
	var hosts, ports []string
	for server := range strings.SplitSeq(servers, ",") {
		host, port, err := net.SplitHostPort(server)
		if err != nil {
			host, port = strings.Trim(server, "[]"), "5432"
		}
		hosts, ports = append(hosts, host), append(ports, port)
	}
	path, query, _ := strings.Cut(rest[end:], "?")
	if query != "" {
		query += "&"
	}
	return scheme + "://" + user + path + "?" + query + "host=" + url.QueryEscape(strings.Join(hosts, ",")) + "&port=" + strings.Join(ports, ",")
}
