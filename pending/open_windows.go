package pending

// Windows has no such flags for an open. [Usable] looks for a link before; one that is made between that and the open is followed.
// To make a link there takes a right that only administrators have by default.
const (
	noFollow = 0
	noWait   = 0
)
