package rig

import (
	"strings"
)

// TeamRules are Ada, who leads, and Bob, who does not; what is asked goes to the team.
const TeamRules = `[[person]]
id = 42
name = "Ada"
roles = ["lead"]

[[person]]
id = 43
name = "Bob"
roles = ["dev"]

[[rule]]
name = "leads"
roles = ["lead"]
chats = [-1001234567890]
`

// WrongRules have a mistake on line 9 and one on line 13.
var WrongRules = strings.NewReplacer(`["dev"]`, `[]`, `-1001234567890`, `"team"`).Replace(TeamRules)
