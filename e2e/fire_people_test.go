//go:build e2e

package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"hermes/internal/simulate/telegramsim"
)

// tapAgain is when a person taps once more, because nothing has come of it.
const tapAgain = 30 * time.Second

// question is asked, and Ada taps an answer.
func (f *fire) question(dice *rand.Rand) {
	q := database(fmt.Sprintf("Fire %x: which database?", dice.Uint32()))
	choice := dice.IntN(len(q.Options))
	f.mu.Lock()
	f.questions[q.Question], f.chosen[q.Question] = q, q.Options[choice].Label
	for _, project := range fireProjects {
		f.truths[strings.Join([]string{"✅ Database · " + project, q.Question, "→ " + q.Options[choice].Label, "Ada · hh:mm"}, "\n")] = true
	}
	f.mu.Unlock()
	since := f.telegram.LastMessageID()
	f.agent.ask(q)
	f.pressUntilEnd(ada, since, q.Question, fmt.Sprint(choice+1, "."), "✅")
}

// deploy needs Ada's leave and Bo's, who tap in either order.
func (f *fire) deploy(dice *rand.Rand) {
	name := fmt.Sprintf("deploy-%x", dice.Uint32())
	f.mu.Lock()
	f.deployed = append(f.deployed, name)
	for _, project := range fireProjects {
		for _, people := range []string{"Ada and Bo", "Bo and Ada"} {
			f.truths[strings.Join([]string{"✅ Run a command · " + project, deployCommand(name), "Allowed once by " + people + " · hh:mm"}, "\n")] = true
		}
	}
	f.mu.Unlock()
	since := f.telegram.LastMessageID()
	f.agent.deploy(name)
	first, second := int64(ada), int64(bo)
	if dice.IntN(2) == 0 {
		first, second = second, first
	}
	f.press(first, since, name, "✅ Allow once")
	f.pressUntilEnd(second, since, name, "✅ Allow once", "✅")
}

// deployCommand adds a line to a file each time that it is run.
func deployCommand(name string) string { return "echo ran >> " + name }

// drive takes a session into use, which a kill would leave without a word of it, and returns Chen's work: prompts to that
// session, which is followed.
func (f *fire) drive() func(*rand.Rand) {
	session := f.agent.newSession("driven under fire")
	inUse := func(m telegramsim.Message) bool { return strings.HasPrefix(m.Text, "👉 shop-api") }
	for began := time.Now(); time.Since(began) < patience; { // until the plugin is linked
		f.say(chen, "/use "+session)
		if _, ok := f.within(5*time.Second, chen, 0, inUse); ok {
			break
		}
	}
	f.say(chen, "/follow")
	f.await(chen, 0, "the session is followed", func(m telegramsim.Message) bool {
		return strings.Contains(m.Text, "While the agent works, one message here shows")
	})
	return func(dice *rand.Rand) {
		time.Sleep(time.Duration(dice.Int64N(int64(4 * time.Second)))) // to think
		text := fmt.Sprintf("Fire %x: go on.", dice.Uint32())
		f.mu.Lock()
		f.prompted = append(f.prompted, text)
		f.mu.Unlock()
		id := f.say(chen, text)
		f.within(tapAgain, chen, id, func(m telegramsim.Message) bool { return m.ID == id && m.Reaction == "👍" })
	}
}

// press taps a button of the newest message with this text since another, when there is one.
func (f *fire) press(person int64, since int, text, label string) {
	if m, ok := f.await(person, since, text, takes(text)); ok {
		f.tap(person, m, label)
	}
}

// takes tells a message with this text that takes input.
func takes(text string) func(telegramsim.Message) bool {
	return func(m telegramsim.Message) bool {
		return m.FromBot && len(m.Rows) > 0 && strings.Contains(m.Text, text)
	}
}

// tap taps, unless the message has ended by now.
func (f *fire) tap(person int64, m telegramsim.Message, label string) {
	if _, err := f.telegram.Tap(person, person, m.ID, label); err != nil && !strings.Contains(err.Error(), "no button") {
		f.Error(err)
	}
}

// pressUntilEnd taps, once more after a while, until a message tells the end.
func (f *fire) pressUntilEnd(person int64, since int, text, label, sign string) {
	ended := func(m telegramsim.Message) bool {
		return m.FromBot && strings.HasPrefix(m.Text, sign) && strings.Contains(m.Text, text)
	}
	f.press(person, since, text, label)
	for began := time.Now(); !f.Failed(); {
		if _, ok := f.within(tapAgain, person, since, ended); ok {
			return
		}
		if time.Since(began) > patience {
			f.Errorf("nothing ends in %v: %s\n%s", patience, text, f.telegram.Transcript(person))
			return
		}
		if m, ok := f.within(time.Second, person, since, takes(text)); ok {
			f.mu.Lock()
			f.again++
			f.mu.Unlock()
			f.tap(person, m, label)
		}
	}
}

func (f *fire) say(person int64, text string) int {
	id, err := f.telegram.Say(person, person, text)
	if err != nil {
		f.Error(err)
	}
	return id
}

// await waits for a message that fits, of those since another.
func (f *fire) await(person int64, since int, what string, fits func(telegramsim.Message) bool) (telegramsim.Message, bool) {
	m, ok := f.within(patience, person, since, fits)
	if !ok {
		f.Errorf("not within %v: %s\n%s", patience, what, f.telegram.Transcript(person))
	}
	return m, ok
}

func (f *fire) within(d time.Duration, person int64, since int, fits func(telegramsim.Message) bool) (found telegramsim.Message, ok bool) {
	ctx, cancel := context.WithTimeout(f.Context(), d)
	defer cancel()
	_ = f.telegram.Await(ctx, func() bool {
		for _, m := range f.telegram.MessagesSince(person, since) {
			if !m.Deleted && fits(m) {
				found, ok = m, true
			}
		}
		return ok
	})
	return found, ok
}
