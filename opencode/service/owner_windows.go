package service

import (
	"io/fs"
	"syscall"
)

const noWait = 0

// faultOf is why a file cannot be believed. Windows keeps owners and access in lists that hermes does not read, so it cannot tell
// that nobody else wrote where the password goes: no file is believed.
func faultOf(info fs.FileInfo, _ int) Fault {
	if !info.Mode().IsRegular() {
		return Malformed
	}
	return Unchecked
}

// runs reports whether a process has the number.
func runs(pid int) bool { return Exists(pid) }

// Exists reports whether a process of this machine has the number, whoever runs it.
func Exists(pid int) bool {
	const (
		queryLimited = 0x1000 // PROCESS_QUERY_LIMITED_INFORMATION
		stillActive  = 259    // STILL_ACTIVE
	)
	if pid <= 0 {
		return false
	}
	process, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	if err != nil {
		return err == syscall.ERROR_ACCESS_DENIED
	}
	defer func() { _ = syscall.CloseHandle(process) }()
	var code uint32
	return syscall.GetExitCodeProcess(process, &code) == nil && code == stillActive
}
