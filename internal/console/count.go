package console

import (
	"strconv"
)

// CountOf is "1 record" or "2 records".
func CountOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
