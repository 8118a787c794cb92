package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// errStopped is the end of a setup that a person stopped, by ctrl-C or by the
// end of the input. It is a failure: hermes is not set up.
var errStopped = errors.New("setup was stopped; what it saved stays, and hermes setup goes on from there")

// margin stands before every line that belongs to a step.
const margin = "     "

// terminal is where setup speaks with a person. The zero value of in is a setup
// that nobody watches: what it would ask has its default answer.
type terminal struct {
	in     *os.File // a terminal, or nil
	out    io.Writer
	yes    bool     // every question that has a default is answered by it
	redact redactor // the last defence: texts are built without secrets
}

// newTerminal takes in for a terminal only if it is one.
func newTerminal(in io.Reader, out io.Writer) *terminal {
	t := &terminal{out: out, redact: newRedactor()}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.in = f
	}
	return t
}

// width is how many columns a line may take: at most 80.
func (t *terminal) width() int {
	if t.in == nil {
		return 80
	}
	columns, _, err := term.GetSize(int(t.in.Fd()))
	if err != nil || columns <= 0 {
		return 80
	}
	return min(columns, 80)
}

// raw prints text as it is.
func (t *terminal) raw(text string) { fmt.Fprint(t.out, t.redact.text(text)) }

// say prints a sentence in the step's margin, broken at spaces.
func (t *terminal) say(format string, args ...any) {
	t.raw(wrap(fmt.Sprintf(format, args...), margin, margin, t.width()))
}

// good prints what is as it should be; bad what is not.
func (t *terminal) good(format string, args ...any) { t.sign("✓ ", format, args...) }
func (t *terminal) bad(format string, args ...any)  { t.sign("! ", format, args...) }

func (t *terminal) sign(sign, format string, args ...any) {
	t.raw(wrap(fmt.Sprintf(format, args...), margin+sign, margin+"  ", t.width()))
}

// line asks for a line of text and returns it without the space around it.
func (t *terminal) line(ctx context.Context, prompt string) (string, error) {
	if ctx.Err() != nil {
		return "", errStopped
	}
	t.raw(strings.TrimSuffix(wrap(prompt, margin, margin, t.width()-8), "\n") + " ")
	text, err := t.wait(ctx, reading(func() (string, error) { return readLine(t.in) }))
	return strings.TrimSpace(text), err
}

// secret asks for a text that the terminal does not show. It asks only when the
// terminal has stopped to show, so that not even a quick paste is seen. Whatever
// ends it, the terminal shows again afterwards what is typed.
func (t *terminal) secret(ctx context.Context, prompt string) (secret, error) {
	if ctx.Err() != nil {
		return "", errStopped
	}
	fd := int(t.in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(fd, before) }()
	got := reading(func() (string, error) {
		b, err := term.ReadPassword(fd)
		return string(b), err
	})
	awaitChange(fd, before)
	t.raw(margin + prompt + " ")
	text, err := t.wait(ctx, got)
	if err == nil {
		t.raw("\n")
	}
	return secret(strings.TrimSpace(text)), err
}

// awaitChange waits until the terminal is in another state than before, at most a
// second: it may have shown nothing before.
func awaitChange(fd int, before *term.State) {
	for began := time.Now(); time.Since(began) < time.Second; time.Sleep(time.Millisecond) {
		if now, err := term.GetState(fd); err != nil || *now != *before {
			return
		}
	}
}

// typed is what a person typed, or the end of the input.
type typed struct {
	text string
	err  error
}

// reading reads in the background, because a read from a terminal cannot be
// cancelled: after a stop it is left to the end of the process.
func reading(read func() (string, error)) <-chan typed {
	got := make(chan typed, 1)
	go func() {
		text, err := read()
		got <- typed{text, err}
	}()
	return got
}

func (t *terminal) wait(ctx context.Context, got <-chan typed) (string, error) {
	select {
	case a := <-got:
		if a.err == nil {
			return a.text, nil
		}
		t.raw("\n")
	case <-ctx.Done():
	}
	return "", errStopped
}

// readLine reads byte by byte, so that nothing after the line is taken from
// whoever reads next.
func readLine(r io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		if _, err := io.ReadFull(r, b); err != nil {
			return "", err
		}
		if b[0] == '\n' {
			return string(line), nil
		}
		line = append(line, b[0])
	}
}
