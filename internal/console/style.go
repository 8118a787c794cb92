package console

import "io"

// Style is how a report looks.
type Style struct{ JSON, Signs, Color bool }

// StyleFor looks at where the report goes. A terminal gets signs, and colours
// unless NO_COLOR is set or the terminal is a dumb one.
func StyleFor(out io.Writer, asJSON bool, getenv func(string) string) Style {
	signs := !asJSON && IsTerminal(out)
	return Style{JSON: asJSON, Signs: signs, Color: signs && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}
