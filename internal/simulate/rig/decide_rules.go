package rig

import (
	opencode "hermes/internal/simulate/opencodesim"
)

// RulesThatDecide are Ada's, for what she does not want to be asked.
const RulesThatDecide = `
[[person]]
id    = 42
name  = "Ada"
roles = ["lead"]

[[rule]]
name       = "no deleting"
permission = "bash"
pattern    = "*rm *"
decide     = "reject"
notify     = true
[[rule]]
name     = "databases"
header   = "Database"
decide   = "auto"
answers  = [{ header = "Database", answer = "postgresql" }]
notify   = true
[[rule]]
name   = "languages"
header = "Languages"
decide = "accept-first"
[[rule]]
name   = "names"
header = "Name"
decide = "reject"
notify = true
[[rule]]
name               = "colours"
header             = "Colour"
timeout            = "10m"
on_timeout         = "accept-first"
prefer_recommended = true
remind             = ["4m"]
`

// ColourQuestion is a question that rules decide.
func ColourQuestion() opencode.Question {
	return opencode.Question{
		Question: "Which colour?", Header: "Colour",
		Options: []opencode.Option{{Label: "Red"}, {Label: "Blue (Recommended)"}},
	}
}
