package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
)

// call is one of an operation.
type call struct {
	method, path string
	params       any
	body         any
	file         *file
	// answer is what the body of the answer is decoded into; nil where there is none.
	answer any
}

// send carries a call out: with a token, once more with a new one where the server refuses the
// first, and again as request says.
func (c *Client) send(ctx context.Context, one call, chosen []Option) error {
	o := options{header: http.Header{}, resendPost: true}
	for _, option := range append(c.config.Options[:len(c.config.Options):len(c.config.Options)], chosen...) {
		option(&o)
	}
	r := request{method: one.method, header: o.header, resend: one.method != http.MethodPost || o.resendPost, tag: o.tag}
	if one.method == http.MethodPost {
		if o.key == "" {
			o.key = rand.Text()
		}
		r.header.Set("Idempotency-Key", o.key)
	}
	query, err := queryOf(one.params)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	path := one.path + query
	switch {
	case one.file != nil:
		r.body, r.contentType, err = one.file.form()
		r.resend = r.resend && one.file.seeks()
	case one.body != nil:
		var text []byte
		text, err = json.Marshal(one.body)
		r.body, r.contentType = bytesOf(text), "application/json"
	}
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	if c.config.APIKey != "" {
		r.url = c.config.URL + path
		r.authorise = func(h *http.Request) { h.Header.Set("X-Api-Key", c.config.APIKey) }
		return c.exchange(ctx, &r, one.answer)
	}
	stale := ""
	for {
		t, err := c.token(ctx, stale)
		if err != nil {
			return err
		}
		r.url = strings.TrimRight(t.domain, "/") + path
		r.authorise = func(h *http.Request) { h.Header.Set("Authorization", "Bearer "+t.value) }
		err = c.exchange(ctx, &r, one.answer)
		var refused *Error
		if stale != "" || !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized || one.file != nil && !one.file.seeks() {
			return err
		}
		stale = t.value
	}
}

// queryOf returns the query of parameters by their JSON, beginning with a question mark, or
// nothing. Lists are one parameter with commas.
func queryOf(params any) (string, error) {
	if params == nil || reflect.ValueOf(params).Kind() == reflect.Pointer && reflect.ValueOf(params).IsNil() {
		return "", nil
	}
	text, err := json.Marshal(params)
	if err != nil {
		return "", err
	}
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		return "", err
	}
	query := url.Values{}
	for name, value := range fields {
		if list, isList := value.([]any); isList {
			var words []string
			for _, one := range list {
				words = append(words, fmt.Sprint(one))
			}
			value = strings.Join(words, ",")
		}
		if value != nil {
			query.Set(name, fmt.Sprint(value))
		}
	}
	if len(query) == 0 {
		return "", nil
	}
	return "?" + query.Encode(), nil
}

// pathOf returns a path with values in place of the names in braces, in their order.
func pathOf(path string, values ...any) string {
	for _, value := range values {
		begin, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:begin] + url.PathEscape(fmt.Sprint(value)) + path[end+1:]
	}
	return path
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 20

// errAnswer is what came whole, and is not read. It would come again.
var errAnswer = errors.New("client: the answer is not as the contract has it")

// decode reads the body of an answer, and says which field is not as the contract has it.
func decode(body io.Reader, into any) error {
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(body).Decode(into); err != nil {
		return fmt.Errorf("%w: %w", errAnswer, err)
	}
	return nil
}
