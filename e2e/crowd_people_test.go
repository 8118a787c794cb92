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

// bo is the second of those who allow.
const bo = 43

// tapAgain is when a person taps once more, because nothing has come of it.
const tapAgain = 30 * time.Second

// question is asked, and Ada taps an answer.
func (c *crowd) question(dice *rand.Rand) {
	q, button := c.newQuestion(dice)
	since := c.telegram.LastMessageID()
	c.agent.ask(q)
	c.pressUntilEnd(ada, since, q.Question, button, "✅")
}

// newQuestion is a question that will be asked, and the button that Ada will tap.
func (c *crowd) newQuestion(dice *rand.Rand) (q item, button string) {
	q = database(fmt.Sprintf("Unrest %x: which database?", dice.Uint32()))
	choice := dice.IntN(len(q.Options))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.questions[q.Question], c.chosen[q.Question] = q, q.Options[choice].Label
	for _, project := range crowdProjects {
		c.truths[strings.Join([]string{"✅ Database · " + project, q.Question, "→ " + q.Options[choice].Label, "Ada · hh:mm"}, "\n")] = true
	}
	return q, fmt.Sprint(choice+1, ".")
}

// deploy needs Ada's leave and Bo's, who tap in either order.
func (c *crowd) deploy(dice *rand.Rand) {
	name := fmt.Sprintf("deploy-%x", dice.Uint32())
	c.mu.Lock()
	c.deployed = append(c.deployed, name)
	for _, project := range crowdProjects {
		for _, people := range []string{"Ada and Bo", "Bo and Ada"} {
			c.truths[strings.Join([]string{"✅ Run a command · " + project, deployCommand(name), "Allowed once by " + people + " · hh:mm"}, "\n")] = true
		}
		for _, last := range []string{"Ada", "Bo"} {
			c.unclear[strings.Join([]string{"✅ Run a command · " + project, deployCommand(name), "Allowed in OpenCode · hh:mm", "It is unclear whether " + last + "'s answer arrived: Allow once"}, "\n")] = true
		}
	}
	c.mu.Unlock()
	since := c.telegram.LastMessageID()
	c.agent.deploy(name)
	first, second := int64(ada), int64(bo)
	if dice.IntN(2) == 0 {
		first, second = second, first
	}
	c.press(first, since, name, "✅ Allow once")
	c.pressUntilEnd(second, since, name, "✅ Allow once", "✅")
}

// deployCommand adds a line to a file each time that it is run.
func deployCommand(name string) string { return "echo ran >> " + name }

// drive takes a session into use, which a kill would leave without a word of it, and returns Chen's work: prompts to that
// session, which is followed.
func (c *crowd) drive() func(*rand.Rand) {
	session := c.agent.newSession("driven in unrest")
	inUse := func(m telegramsim.Message) bool { return strings.HasPrefix(m.Text, "👉 shop-api") }
	for began := time.Now(); time.Since(began) < patience; { // until the plugin is linked
		c.say(chen, "/use "+session)
		if _, ok := c.within(5*time.Second, chen, 0, inUse); ok {
			break
		}
	}
	c.say(chen, "/follow")
	c.await(chen, 0, "the session is followed", func(m telegramsim.Message) bool {
		return strings.Contains(m.Text, "While the agent works, one message here shows")
	})
	return func(dice *rand.Rand) {
		time.Sleep(time.Duration(dice.Int64N(int64(4 * time.Second)))) // to think
		text := fmt.Sprintf("Unrest %x: go on.", dice.Uint32())
		c.mu.Lock()
		c.prompted = append(c.prompted, text)
		c.mu.Unlock()
		id := c.say(chen, text)
		c.within(tapAgain, chen, id, func(m telegramsim.Message) bool { return m.ID == id && m.Reaction == "👍" })
	}
}

// press taps a button of the newest message with this text since another, when there is one.
func (c *crowd) press(person int64, since int, text, label string) {
	if m, ok := c.await(person, since, text, takes(text)); ok {
		c.tap(person, m, label)
	}
}

// takes tells a message with this text that takes input.
func takes(text string) func(telegramsim.Message) bool {
	return func(m telegramsim.Message) bool {
		return m.FromBot && len(m.Rows) > 0 && strings.Contains(m.Text, text)
	}
}

// tap taps, unless the message has ended by now.
func (c *crowd) tap(person int64, m telegramsim.Message, label string) {
	if _, err := c.telegram.Tap(person, person, m.ID, label); err != nil && !strings.Contains(err.Error(), "no button") {
		c.Error(err)
	}
}

// pressUntilEnd taps, once more after a while, until a message tells the end.
func (c *crowd) pressUntilEnd(person int64, since int, text, label, sign string) {
	c.press(person, since, text, label)
	c.awaitEnd(person, since, text, label, sign)
}

// awaitEnd waits until a message tells the end, and taps once more after a while.
func (c *crowd) awaitEnd(person int64, since int, text, label, sign string) {
	ended := func(m telegramsim.Message) bool {
		return m.FromBot && strings.HasPrefix(m.Text, sign) && strings.Contains(m.Text, text)
	}
	for began := time.Now(); !c.Failed(); {
		if _, ok := c.within(tapAgain, person, since, ended); ok {
			return
		}
		if time.Since(began) > patience {
			c.Errorf("nothing ends in %v: %s\n%s", patience, text, c.telegram.Transcript(person))
			return
		}
		if m, ok := c.within(time.Second, person, since, takes(text)); ok {
			c.mu.Lock()
			c.again++
			c.mu.Unlock()
			c.tap(person, m, label)
		}
	}
}

func (c *crowd) say(person int64, text string) int {
	id, err := c.telegram.Say(person, person, text)
	if err != nil {
		c.Error(err)
	}
	return id
}

// await waits for a message that fits, of those since another.
func (c *crowd) await(person int64, since int, what string, fits func(telegramsim.Message) bool) (telegramsim.Message, bool) {
	m, ok := c.within(patience, person, since, fits)
	if !ok {
		c.Errorf("not within %v: %s\n%s", patience, what, c.telegram.Transcript(person))
	}
	return m, ok
}

func (c *crowd) within(d time.Duration, person int64, since int, fits func(telegramsim.Message) bool) (found telegramsim.Message, ok bool) {
	ctx, cancel := context.WithTimeout(c.Context(), d)
	defer cancel()
	_ = c.telegram.Await(ctx, func() bool {
		for _, m := range c.telegram.MessagesSince(person, since) {
			if !m.Deleted && fits(m) {
				found, ok = m, true
			}
		}
		return ok
	})
	return found, ok
}
