// Package service reads where the background service of OpenCode 2 is: it writes the file
// service.json when it has started, and that is what its own clients go by. hermes reads the
// file and never writes, moves or removes it: the service ends itself, within seconds, when
// the file is not its own any more (measured on 2.0 of 2026-07-20).
package service
