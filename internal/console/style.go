package console

import (
	"io"
	"os"
)

// Style is how a report looks.
type Style struct{ JSON, Signs, Color bool }

// StyleFor looks at where the report goes. A terminal gets signs, and colours
// unless NO_COLOR is set or the terminal is a dumb one.
func StyleFor(out io.Writer, asJSON bool, getenv func(string) string) Style {
	f, ok := out.(*os.File)
	if !ok || asJSON {
		return Style{JSON: asJSON}
	}
	info, err := f.Stat()
	signs := err == nil && info.Mode()&os.ModeCharDevice != 0
	return Style{Signs: signs, Color: signs && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}
