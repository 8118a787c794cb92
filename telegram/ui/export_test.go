package ui

// What the tests look at.
const MaxAlert = maxAlert

var WithoutIndex = withoutIndex

var Megabytes = megabytes

var RenderWithoutFile = renderWithoutFile
