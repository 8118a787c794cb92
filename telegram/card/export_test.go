package card

// What the tests look at.
const MaxAlert = maxAlert

var (
	WithoutIndex = withoutIndex
	PersonName   = personName
)
