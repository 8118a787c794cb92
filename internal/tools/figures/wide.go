package main

import "fmt"

// wide is a row with several figures.
type wide struct {
	what  string
	cells []cell
}

// cell is one of them.
type cell struct {
	measured string // the benchmark and its unit; empty: there is none to measure
	form     string
}

func (w wide) name() string { return w.what }

// line is the row; empty unless all of it was measured.
func (w wide) line(measured results) string {
	text := "| " + w.what + " |"
	for _, c := range w.cells {
		n, known := measured[c.measured]
		switch {
		case c.measured == "":
			text += " |"
		case !known:
			return ""
		default:
			text += " " + fmt.Sprintf(c.form, n) + " |"
		}
	}
	return text
}

// takeovers are the rows of one benchmark of them.
func takeovers(beside, benchmark string) (list []liner) {
	for _, f := range []struct{ name, words string }{
		{"stop", "`SIGTERM`"},
		{"kill", "`SIGKILL`"},
		{"freeze", "`SIGSTOP`"},
		{"silence", "its network silent"},
		{"reset", "its network broken"},
		{"store-silence", "the way to the database silent"},
		{"failover", "the database's primary killed"},
	} {
		w := wide{what: f.words + ", beside " + beside, cells: []cell{{benchmark + " " + f.name + "-times", "%.0f"}}}
		for _, unit := range []string{"ready-median", "ready-slowest", "tap-median", "tap-slowest"} {
			w.cells = append(w.cells, cell{benchmark + " " + f.name + "-s-to-" + unit, "%.1f s"})
		}
		list = append(list, w)
	}
	return list
}

// engines are the rows that compare the two databases.
var engines = []liner{
	wide{"asked to `sendMessage`, with `HERMES_NOTIFY_DELAY=0`", both("Question/open=0 ms-asked-to-send", "QuestionShared/open=0 ms-asked-to-send", "%.1f ms")},
	wide{"tap to `POST …/reply`", both("Question/open=0 ms-tap-to-post", "QuestionShared/open=0 ms-tap-to-post", "%.1f ms")},
	wide{"start to the first poll", both("Process/open=0 ms-to-first-poll", "ProcessShared/open=0 ms-to-first-poll", "%.0f ms")},
	wide{"resident memory of who acts", both("Process/open=0 MB-resident", "ProcessShared/open=0 MB-resident", "%.1f MB")},
	wide{"anonymous memory of who acts", both("Process/open=0 MB-anonymous", "ProcessShared/open=0 MB-anonymous", "%.1f MB")},
	wide{"resident memory of a standby", both("", "ProcessShared/open=0 MB-resident-standby", "%.1f MB")},
	wide{"anonymous memory of a standby", both("", "ProcessShared/open=0 MB-anonymous-standby", "%.1f MB")},
	wide{"CPU time in 5 s of who acts, idle", both("Process/open=0 ms-CPU-in-5s-idle", "ProcessShared/open=0 ms-CPU-in-5s-idle", "%.0f ms")},
	wide{"CPU time in 5 s of a standby", both("", "ProcessShared/open=0 ms-CPU-in-5s-idle-standby", "%.0f ms")},
}

func both(file, shared, form string) []cell { return []cell{{file, form}, {shared, form}} }
