package rig

import (
	"slices"
	"strings"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
)

// Send is something of Ada's that is no text, with a caption; a replyTo of 0 is no reply.
func (r *Rig) Send(what telegram.SayOption, caption string, replyTo int, how ...telegram.SayOption) int {
	r.T.Helper()
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	id, err := r.Telegram.Say(Ada, Ada, caption, append(how, what)...)
	if err != nil {
		r.T.Fatal(err)
	}
	return id
}

// Sends is send, and what comes of it.
func (r *Rig) Sends(what telegram.SayOption, caption string, replyTo int) {
	r.T.Helper()
	r.Send(what, caption, replyTo)
	r.Wait(20 * time.Second)
}

// promptParts are the prompts with their files, in words: "text [name type bytes] …".
func (c Talk) promptParts() []string {
	var all []string
	for _, p := range c.Opencode.Prompts() {
		words := []string{p.Text}
		for _, f := range p.Files {
			words = append(words, "["+f.Name+" "+f.Mime+" "+string(rune('0'+min(len(f.Data), 1)))+"]")
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// WantPromptParts fails the test unless the sessions got these texts and files.
func (c Talk) WantPromptParts(want ...string) {
	c.T.Helper()
	if got := c.promptParts(); !slices.Equal(got, want) {
		c.T.Errorf("the session was given %q, want %q\n%s\nlog:\n%s", got, want, c.Telegram.History(Ada), c.Log.String())
	}
}
