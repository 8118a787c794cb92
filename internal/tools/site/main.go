// Command site makes a static site of the documents: pages that open from a folder or any web server, with a search that needs none.
//
//	go run ./internal/tools/site -o FOLDER
//
// It belongs to no binary. The pages ask nothing of the network but what lies beside them.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "site", "the folder to write")
	from := flag.String("from", ".", "the repository")
	flag.Parse()
	s, err := read(os.DirFS(*from))
	if err == nil {
		err = s.write(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site: "+err.Error())
		os.Exit(1)
	}
}
