package rig

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Main is the TestMain of packages that hold golden transcripts: times of day are UTC,
// and a transcript that no test plays fails a whole run. Eight tests run side by side unless
// -parallel says otherwise: many wait for processes, which take seconds.
func Main(m *testing.M) {
	sideBySide(8)
	time.Local = time.UTC // transcripts hold times of day
	code := m.Run()
	if all := flag.Lookup("test.run").Value.String() + flag.Lookup("test.skip").Value.String() + flag.Lookup("test.list").Value.String(); code == 0 && all == "" {
		code = unplayedTranscripts()
	}
	os.Exit(code)
}

func sideBySide(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(n)) // a number is always taken
	}
}

// unplayedTranscripts names the golden transcripts that no test knows any more: what they show is not held by anything.
func unplayedTranscripts() (code int) {
	files, err := filepath.Glob(filepath.Join("testdata", "conversations", "*"))
	if err != nil || len(files) == 0 {
		fmt.Println("no golden transcripts are there:", err)
		return 1
	}
	for _, file := range files {
		if _, ok := Played.Load(file); !ok {
			fmt.Println("no test plays", file)
			code = 1
		}
	}
	return code
}
