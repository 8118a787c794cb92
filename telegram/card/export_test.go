package card

// What the tests look at.
const MaxAlert = maxAlert

var (
	Unindexed = unindexed
	Person    = person
)
