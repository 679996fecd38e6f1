package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// A request with two lengths is answered by the program, and what is sent behind it
// is not.
func TestG33_ABodyWithTwoLengthsClosesTheConnection(t *testing.T) {
	t.Parallel()
	p := serving(t, filepath.Join(t.TempDir(), "vitrine.db"))
	c := p.network(t)
	for path, fields := range map[string]string{
		"/api/v2/site/products/search": "Authorization: Bearer " + c.token + "\r\n", "/healthz": "", "/nowhere": "",
	} {
		connection, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		request := "POST " + path + " HTTP/1.1\r\nHost: vitrine\r\n" + fields
		answers := bufio.NewReader(connection)
		answer := func() (status int, closed bool) {
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			defer response.Body.Close()
			read(response.Body)
			return response.StatusCode, response.Close
		}
		for _, framed := range []string{"Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"} {
			fmt.Fprint(connection, request+framed)
			if _, closed := answer(); closed {
				t.Fatalf("%s: %q closes the connection", path, framed)
			}
		}
		fmt.Fprint(connection, request+"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"+request+"Content-Length: 2\r\n\r\n{}")
		if status, closed := answer(); !closed || status >= 500 {
			t.Errorf("%s: %d, closed %t", path, status, closed)
		}
		if response, err := http.ReadResponse(answers, nil); err == nil {
			response.Body.Close()
			t.Errorf("%s: what was sent behind is answered: %d", path, response.StatusCode)
		}
	}
	p.stop()
}
