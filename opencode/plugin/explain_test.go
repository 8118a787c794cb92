package plugin

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestInstall_AFolderThatCannotBeWrittenIsExplained(t *testing.T) {
	for _, cause := range []syscall.Errno{syscall.EROFS, syscall.EACCES} {
		err := explainError("write", "/c/plugin/hermes.js", &fs.PathError{Op: "open", Path: "/c/plugin/.hermes-1.tmp", Err: cause})
		for _, part := range []string{"could not write /c/plugin/hermes.js", cause.Error(), "make the folder writable", "--config-dir"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v does not say %q", err, part)
			}
		}
		if !errors.Is(err, cause) || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("got %v", err)
		}
	}
}
