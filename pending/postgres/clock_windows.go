package postgres

import "time"

var begun = time.Now()

// awake is a clock that nobody sets, and that runs on while the machine sleeps, as Go's monotonic clock does here.
func awake() time.Duration { return time.Since(begun) }
