package sessionview

// What the tests look at.
var Megabytes = megabytes
