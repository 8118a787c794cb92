package rig

import (
	"fmt"
	"strings"
)

// menus are all that Telegram's clients offer for a slash.
func (r *Rig) menus() string {
	var b strings.Builder
	for _, scope := range []string{"default", "all_private_chats", "all_group_chats"} {
		for _, lang := range []string{"", "zh"} {
			fmt.Fprintf(&b, "%s %s\n", scope, lang)
			for _, c := range r.Telegram.CommandsIn(scope, lang) {
				fmt.Fprintf(&b, "  /%s  %s\n", c.Command, c.Description)
			}
		}
	}
	return b.String()
}

// WantMenu holds the menus of commands against a golden file.
func (r *Rig) WantMenu(name string) {
	r.T.Helper()
	Golden(r.T, "menu-"+name+".txt", r.menus())
}
