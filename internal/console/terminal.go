package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"hermes/internal/secret"
)

// ErrStopped is the end of a setup that a person stopped, by ctrl-C or by the
// end of the input. It is a failure: hermes is not set up.
var ErrStopped = errors.New("setup was stopped; what it saved stays, and hermes setup resumes from there")

// Margin stands before every line that belongs to a step.
const Margin = "     "

// Terminal is where setup speaks with a person. The zero value of in is a setup
// that nobody watches: what it would ask has its default answer.
type Terminal struct {
	In     *os.File // a terminal, or nil
	out    io.Writer
	Yes    bool            // every question that has a default is answered by it
	Redact secret.Redactor // the last defence: texts are built without secrets
}

// NewTerminal takes in for a terminal only if it is one.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	t := &Terminal{out: out, Redact: secret.NewRedactor()}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.In = f
	}
	return t
}

// Asks reports whether a person answers here: then a question can be asked again until the answer helps.
func (t *Terminal) Asks() bool { return t.In != nil && !t.Yes }

// width is how many columns a line may take: at most 80.
func (t *Terminal) width() int {
	if t.In == nil {
		return 80
	}
	columns, _, err := term.GetSize(int(t.In.Fd()))
	if err != nil || columns <= 0 {
		return 80
	}
	return min(columns, 80)
}

// Print prints text as it is.
func (t *Terminal) Print(text string) { fmt.Fprint(t.out, t.Redact.Text(text)) }

// Say prints a sentence in the step's margin, broken at spaces.
func (t *Terminal) Say(format string, args ...any) {
	t.Print(Wrap(fmt.Sprintf(format, args...), Margin, Margin, t.width()))
}

// Good prints what is as it should be.
func (t *Terminal) Good(format string, args ...any) { t.printSigned("✓ ", format, args...) }

// Bad prints what is not as it should be.
func (t *Terminal) Bad(format string, args ...any) { t.printSigned("! ", format, args...) }

func (t *Terminal) printSigned(sign, format string, args ...any) {
	t.Print(Wrap(fmt.Sprintf(format, args...), Margin+sign, Margin+"  ", t.width()))
}

// Line asks for a line of text in the step's margin.
func (t *Terminal) Line(ctx context.Context, prompt string) (string, error) {
	return t.Prompt(ctx, strings.TrimSuffix(Wrap(prompt, Margin, Margin, t.width()-8), "\n"))
}

// Prompt asks for a line of text and returns it without the space around it.
func (t *Terminal) Prompt(ctx context.Context, prompt string) (string, error) {
	if ctx.Err() != nil {
		return "", ErrStopped
	}
	t.Print(prompt + " ")
	text, err := t.Wait(ctx, Reading(func() (string, error) { return ReadLine(t.In) }))
	return strings.TrimSpace(text), err
}

// Secret asks for a text that the terminal does not show. It asks only when the
// terminal has stopped to show, so that not even a quick paste is seen. Whatever
// ends it, the terminal shows again afterwards what is typed. ctrl-C and, on an empty line, ctrl-D are ErrStopped.
func (t *Terminal) Secret(ctx context.Context, prompt string) (secret.Text, error) {
	if ctx.Err() != nil {
		return "", ErrStopped
	}
	fd := int(t.In.Fd())
	before, err := term.MakeRaw(fd) // term.ReadPassword does not end on ctrl-D
	if err != nil {
		return "", err
	}
	t.Print(Margin + prompt + " ")
	var line typed
	select {
	case line = <-Reading(t.readHidden):
		_ = term.Restore(fd, before)
		t.Print("\n")
	case <-ctx.Done():
		_ = term.Restore(fd, before)
		return "", ErrStopped
	}
	if line.err != nil {
		return "", ErrStopped
	}
	return secret.Text(strings.TrimSpace(line.text)), nil
}

// readHidden reads a line from the terminal, which is raw, and shows nothing of it.
func (t *Terminal) readHidden() (string, error) {
	keys := struct {
		io.Reader
		io.Writer
	}{byByte{t.In}, io.Discard}
	text, err := term.NewTerminal(keys, "").ReadPassword("")
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	return text, err
}

// byByte reads one byte a time, so that nothing after a line is taken from whoever reads next.
type byByte struct{ io.Reader }

func (r byByte) Read(b []byte) (int, error) { return r.Reader.Read(b[:1]) }

// typed is what a person typed, or the end of the input.
type typed struct {
	text string
	err  error
}

// Reading reads in the background, because a read from a terminal cannot be
// cancelled: after a stop it is left to the end of the process.
func Reading(read func() (string, error)) <-chan typed {
	got := make(chan typed, 1)
	go func() {
		text, err := read()
		got <- typed{text, err}
	}()
	return got
}

// Wait returns what was typed. A ctx that ends, and an input that does, is ErrStopped.
func (t *Terminal) Wait(ctx context.Context, got <-chan typed) (string, error) {
	select {
	case a := <-got:
		if a.err == nil {
			return a.text, nil
		}
		t.Print("\n")
	case <-ctx.Done():
	}
	return "", ErrStopped
}

// ReadLine reads byte by byte, so that nothing after the line is taken from
// whoever reads next.
func ReadLine(r io.Reader) (string, error) {
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

// IsTerminal reports whether what is written there is shown on a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
