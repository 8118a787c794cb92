// Command sbom writes what a program of Go is made of, as CycloneDX 1.5 in JSON, from what the linker wrote into the program itself:
//
//	go run ./internal/tools/sbom -o FILE -version V PROGRAM
//
// It belongs to no binary, and asks nothing of the network. SOURCE_DATE_EPOCH (seconds since 1970) is the time in it, and without it there is
// none; so the same program gives the same bytes.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	out := flag.String("o", "", "the file to write")
	version := flag.String("version", "", "the version of the program")
	flag.Parse()
	if err := write(*out, *version, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "sbom: "+err.Error())
		os.Exit(1)
	}
}

func write(out, version, program string) error {
	if out == "" || version == "" || program == "" {
		return fmt.Errorf("-o, -version and a program are needed")
	}
	at, err := timestamp(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	b, err := bomOf(info, version, text)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	b.Metadata.Timestamp = at
	packed, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(packed, '\n'), 0o644)
}

// timestamp is SOURCE_DATE_EPOCH as CycloneDX writes times.
func timestamp(epoch string) (string, error) {
	if epoch == "" {
		return "", nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q and no number of seconds", epoch)
	}
	return time.Unix(seconds, 0).UTC().Format(time.RFC3339), nil
}
