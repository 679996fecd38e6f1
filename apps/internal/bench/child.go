package main

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/exec"
)

// child is a process of this program in another mode, so that its garbage
// collector and scheduler are not the servers'. It answers what it is asked, one
// thing after the other, and ends when its input does.
type child struct {
	process   *exec.Cmd
	input     io.Closer
	questions *gob.Encoder
	answers   *gob.Decoder
}

// startChild starts this program with a mode as its only argument.
func startChild(mode string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	process := exec.Command(program, mode)
	process.Stderr = os.Stderr
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	return &child{process, input, gob.NewEncoder(input), gob.NewDecoder(bufio.NewReader(output))}, nil
}

// ask waits for an answer, until the context ends: that ends the process.
func (c *child) ask(ctx context.Context, question, answer any) error {
	defer context.AfterFunc(ctx, func() { _ = c.process.Process.Kill() })()
	return errors.Join(c.questions.Encode(question), c.answers.Decode(answer))
}

func (c *child) close() error { return errors.Join(c.input.Close(), c.process.Wait()) }

// serve answers questions in a child until there are no more, or the run is
// interrupted: nobody needs the answer then.
func serve[Question, Answer any](ctx context.Context, answer func(Question) Answer) {
	defer context.AfterFunc(ctx, func() { os.Exit(1) })()
	questions, answers := gob.NewDecoder(bufio.NewReader(os.Stdin)), gob.NewEncoder(os.Stdout)
	for {
		var q Question
		if questions.Decode(&q) != nil || answers.Encode(answer(q)) != nil {
			return
		}
	}
}
