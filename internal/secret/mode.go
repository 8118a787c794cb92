package secret

import (
	"io/fs"
	"runtime"
)

// ModesKept is whether a file's mode says who may read and write it. On Windows access lists do, which hermes does not read:
// what others may do with its files is not checked there, and must not be reported as if it were.
const ModesKept = runtime.GOOS != "windows"

// IsExposed reports that others than a file's owner may read, write or run it, as far as modes tell.
func IsExposed(mode fs.FileMode) bool { return ModesKept && mode&0o077 != 0 }

// IsWritable reports that others than its owner may write a file, as far as modes tell.
func IsWritable(mode fs.FileMode) bool { return ModesKept && mode&0o022 != 0 }
