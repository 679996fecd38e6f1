package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// halfARequest sends all of a search but the end of its body. What it returns
// sends the rest and reads the status.
func (p *process) halfARequest(c *client) (finish func() int) {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST /api/v2/site/products/search HTTP/1.1\r\nHost: vitrine\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{", c.token)
	return func() int {
		p.t.Helper()
		if _, err := fmt.Fprint(conn, "}"); err != nil {
			p.t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			p.t.Fatal(err)
		}
		defer response.Body.Close()
		if body := string(read(response.Body)); !strings.HasSuffix(strings.TrimSpace(body), "}") {
			p.t.Errorf("the answer is cut off: %s", body)
		}
		return response.StatusCode
	}
}

func TestD13_AServerThatIsToldToStopFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		// Five deliveries, one more than a webhook is sent at once.
		p := serving(t, database, "--no-dispatch")
		receiver := recording(t, silence, silence, silence, silence)
		h := p.network(t).subscribe(receiver.url, nil)
		for product := range int64(5) {
			h.reprice(product + 1)
		}
		p.stop()
		p = serving(t, database, "--drain-delay=2s", "--hooks-timeout=30s")
		c := p.network(t)
		receiver.waitFor(4)
		finish := p.halfARequest(c)
		if p.ready() != 200 {
			t.Error("the server is not ready")
		}

		p.told()
		eventually(t, "it is no longer ready", func() bool { return p.ready() == 503 })
		c.get("/site").is(200) // whoever has not noticed yet is served
		eventually(t, "nobody gets in", func() bool { return p.ready() == 0 })
		if status := finish(); status != 200 {
			t.Errorf("the request under way is answered %d", status)
		}
		receiver.release()
		p.ends()
		receiver.waitFor(4)

		// The turn was given back: the next process need not wait for the lease of
		// 30 seconds to run out.
		p = serving(t, database)
		h.client = p.network(t)
		h.came("succeeded", "succeeded", "succeeded", "succeeded", "succeeded")
		receiver.waitFor(5)
		for _, d := range h.deliveries("") {
			if len(d["attempts"].(list)) != 1 {
				t.Errorf("a delivery was made more than once: %v", d)
			}
		}
		p.stop()
	})
}

func TestD13_ASilentReceiverDoesNotKeepADispatcher(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		p := serving(t, database, "--no-dispatch")
		c, receiver := p.network(t), recording(t, silence)
		h := c.subscribe(receiver.url, nil)
		dispatcher, _ := started(t, "dispatch", "--database", database, "--hooks-timeout=500ms")
		c.reprice(1)
		receiver.waitFor(1)
		dispatcher.stop()
		// It had the time every receiver has: the attempt counts.
		attempts := h.deliveries("status=pending")[0]["attempts"].(list)
		if len(attempts) != 1 || attempts[0].(object)["error"] != "no answer within 500ms" {
			t.Errorf("the attempts are %v", attempts)
		}
		p.stop()
	})
}
