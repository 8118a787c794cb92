package doctor

import (
	"context"
	"fmt"
	"path/filepath"
)

// The space that the database's disk should have free, in bytes. A busy database
// is a few MiB; a commit that finds no space is a question that is not kept.
const (
	spaceWarn = 200 << 20
	spaceFail = 20 << 20
)

func (c *storeChecks) checkDisk(context.Context) result {
	if c.look != nil {
		return skip("the database of HERMES_STORE is on another disk")
	}
	if c.db == "" {
		return skip("HERMES_DB names no file")
	}
	dir := nearestFolder(filepath.Dir(c.db))
	free, err := c.free(dir)
	if err != nil {
		return skip("the system does not say how much space %s has: %v", dir, err)
	}
	detail := fmt.Sprintf("%s are free at %s", binarySize(free), dir)
	const remedy = "delete something there, or set HERMES_DB to a file on another disk"
	switch {
	case free < spaceFail:
		return gradeFail.because(detail, remedy)
	case free < spaceWarn:
		return gradeWarn.because(detail, remedy)
	}
	return pass("%s", detail)
}

// binarySize is a number of bytes in a unit of which there are not too many.
func binarySize(bytes uint64) string {
	const gib = 1 << 30
	if bytes < 10*gib {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d GiB", bytes/gib)
}
