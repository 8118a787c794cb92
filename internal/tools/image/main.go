// Command image writes the container image of hermes as an OCI layout (image-spec 1.1) in one tar, without a daemon and without a base image:
//
//	go run ./internal/tools/image -o FILE -version V -certificates FILE linux/amd64=PROGRAM linux/arm/v7=PROGRAM
//
// It belongs to no binary. SOURCE_DATE_EPOCH (seconds since 1970; 0 without it) is every time in the image: the same programs, certificates,
// version, revision and time give the same bytes, with one version of Go.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	out := flag.String("o", "", "the file to write")
	var r release
	flag.StringVar(&r.version, "version", "", "the version of hermes, without a v before it")
	flag.StringVar(&r.source, "source", "", "the address of the repository; empty: it has none")
	flag.StringVar(&r.revision, "revision", "", "the commit; empty: not known")
	certificates := flag.String("certificates", "/etc/ssl/certs/ca-certificates.crt", "the authorities that hermes trusts")
	flag.Parse()
	if err := write(*out, r, *certificates, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "image: "+err.Error())
		os.Exit(1)
	}
}

// write makes the image of programs, each given as PLATFORM=FILE, and stores it under its name only when it is whole.
func write(out string, r release, certificates string, programs []string) error {
	if out == "" || r.version == "" || len(programs) == 0 {
		return fmt.Errorf("-o, -version and at least one PLATFORM=PROGRAM are needed")
	}
	var err error
	if r.created, err = created(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return err
	}
	if r.certificates, err = os.ReadFile(certificates); err != nil {
		return err
	}
	layout := newLayout()
	var images []descriptor
	for _, arg := range programs {
		name, file, _ := strings.Cut(arg, "=")
		p, err := platformOf(name)
		if err != nil {
			return err
		}
		program, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		image, err := layout.addImage(r, p, program)
		if err != nil {
			return err
		}
		images = append(images, image)
	}
	text, err := layout.pack(r, images)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(out+".new", out)
}

// created reads SOURCE_DATE_EPOCH.
func created(epoch string) (time.Time, error) {
	if epoch == "" {
		epoch = "0"
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q and no number of seconds", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// platformOf reads a platform as docker writes it: linux/amd64, linux/arm/v7.
func platformOf(name string) (platform, error) {
	parts := strings.Split(name, "/")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "linux" {
		return platform{}, fmt.Errorf("%q is no platform such as linux/amd64 or linux/arm/v7", name)
	}
	p := platform{OS: parts[0], Architecture: parts[1]}
	if len(parts) == 3 {
		p.Variant = parts[2]
	}
	return p, nil
}
