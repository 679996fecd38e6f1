package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// listening runs the command with arguments and returns what it prints.
func listening(t *testing.T, args ...string) (*bufio.Scanner, func() error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var line struct {
		Listen listen `cmd:""`
	}
	parser, err := kong.New(&line, kong.BindTo(ctx, (*context.Context)(nil)))
	if err != nil {
		t.Fatal(err)
	}
	command, err := parser.Parse(append([]string{"listen", "--addr", "127.0.0.1:0"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = write
	done := make(chan error, 1)
	go func() {
		err := command.Run()
		write.Close()
		done <- err
	}()
	end := func() error {
		stop()
		err := <-done
		os.Stdout = stdout
		return err
	}
	return bufio.NewScanner(read), end
}

func TestListenPrintsWhatItReceives(t *testing.T) {
	out, end := listening(t, "--answer", "503,422:already known")
	if !out.Scan() {
		t.Fatal("nothing is printed")
	}
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/hook`).FindString(out.Text())
	for i, want := range []int{503, 422, 422} {
		response, err := http.Post(url, "application/json", strings.NewReader(`{"resource_id":508}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != want || (want == 422) != strings.Contains(string(body), `"already known"`) {
			t.Errorf("delivery %d is answered %d %s", i, response.StatusCode, body)
		}
		if !out.Scan() || !strings.Contains(out.Text(), "508") {
			t.Errorf("delivery %d prints %q", i, out.Text())
		}
	}
	if err := end(); err != nil {
		t.Errorf("told to stop, it ends with %v", err)
	}
}

func TestListenRefusesWhatItCannotDo(t *testing.T) {
	for _, args := range [][]string{{"--answer", "maybe"}, {"--secret", "short"}, {"--addr", "127.0.0.1:99999"}} {
		_, end := listening(t, args...)
		if err := end(); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
