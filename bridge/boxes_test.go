package bridge_test

import (
	"slices"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// typeOf taps "Type an answer", or takes that back.
func typeOf(on bool) question.WizardInput { return question.WizardInput{Action: question.Type, On: on} }

// boxed plays with a world in which Ada has said that she wants to type.
func boxed(t *testing.T, f func(w *world, id question.RequestID), before ...func(*world)) {
	t.Helper()
	play(t, nil, func(w *world) {
		id := w.askOne()
		for _, f := range before {
			f(w)
		}
		w.press(adaChat, ada, id, typeOf(true))
		w.wait(100 * time.Millisecond)
		f(w, id)
	})
}

func (w *world) boxesAre(want ...chat.MessageID) {
	w.t.Helper()
	if got := w.chat.openBoxes(); !slices.Equal(got, want) {
		w.t.Errorf("the reply boxes %v are there, want %v", got, want)
	}
}

func (w *world) theBox() chat.MessageID {
	w.t.Helper()
	all := w.chat.openBoxes()
	if len(all) != 1 {
		w.t.Fatalf("the reply boxes %v are there, want one", all)
	}
	return all[0]
}

// A box is there as long as words are wanted, in the chat and for the person who wants to type.
func TestBoxes_SentAndRemoved(t *testing.T) {
	ends := map[string]func(*world, question.RequestID){
		"typed": func(w *world, _ question.RequestID) { w.say(adaChat, ada, w.theBox(), "my own") },
		"typed to card": func(w *world, id question.RequestID) {
			m, _, _ := w.chat.find(adaChat, id)
			w.say(adaChat, ada, m, "my own")
		},
		"taken back": func(w *world, id question.RequestID) { w.press(adaChat, ada, id, typeOf(false)) },
		"tapped": func(w *world, id question.RequestID) {
			w.press(bobChat, bob, id, question.WizardInput{Action: question.Pick})
		},
		"dismissed": func(w *world, id question.RequestID) {
			w.dismiss(adaChat, ada, id)
		},
		"at the terminal": func(w *world, id question.RequestID) {
			w.agent.settle(id, event.FoundAnswered, question.Answers{{"SQLite"}})
		},
		"aborted":  func(w *world, id question.RequestID) { w.agent.settle(id, event.FoundStopped, nil) },
		"too late": func(w *world, _ question.RequestID) { w.wait(31 * time.Minute) },
		"restarted": func(w *world, id question.RequestID) {
			w.restart()
			w.wait(time.Second)
			w.press(adaChat, ada, id, typeOf(false))
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			boxed(t, func(w *world, id question.RequestID) {
				post := w.chat.boxes[w.theBox()].BoxPost
				card, _, _ := w.chat.find(adaChat, id)
				if post.Chat != adaChat || post.User.ID != ada || post.ReplyTo != card {
					t.Errorf("the box is %+v", post)
				}
				end(w, id)
				w.wait(5 * time.Second)
				w.boxesAre()
			})
		})
	}
}

// What the box's sending and removing meet: they are tried again if they certainly failed, and no box is sent twice.
func TestBoxes_OneThatFails(t *testing.T) {
	once := func(op string, f fate) func(*world) {
		return func(w *world) {
			done := false
			w.setFault(func(o string) fate {
				if o != op || done {
					return fine
				}
				done = true
				return f
			})
		}
	}
	for name, meanwhile := range map[string]func(*world){
		"its answer is lost, and a reply to it counts":            func(w *world) { w.wait(time.Minute) },
		"killed before its number was stored, and a reply counts": func(w *world) { w.restart(); w.wait(time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			boxed(t, func(w *world, id question.RequestID) {
				meanwhile(w)
				w.reply(adaChat, ada, w.theBox(), "my own")
				w.wait(5 * time.Second)
				w.answeredWith(id, "my own")
				w.boxesAre()
			}, once("box", fate{apply: true, err: errFault}))
		})
	}
	t.Run("it was certainly not sent, and is sent again", func(t *testing.T) {
		boxed(t, func(w *world, id question.RequestID) {
			w.boxesAre()
			w.wait(5 * time.Second)
			w.theBox()
			w.pressAndWait(adaChat, ada, id, typeOf(false))
			w.boxesAre()
		}, once("box", fate{apply: false, err: errFault}))
	})
	t.Run("it was certainly not sent, and another one is asked for meanwhile", func(t *testing.T) {
		boxed(t, func(w *world, id question.RequestID) {
			w.press(adaChat, ada, id, typeOf(true))
			w.press(adaChat, ada, id, typeOf(false))
			w.press(adaChat, ada, id, typeOf(true))
			w.press(adaChat, ada, id, typeOf(true))
			w.wait(5 * time.Second)
			w.theBox()
		}, once("box", fate{apply: false, err: errFault}))
	})
	t.Run("a reply to what nobody knows is told so", func(t *testing.T) {
		boxed(t, func(w *world, id question.RequestID) {
			w.reply(adaChat, bob, 1<<19, "my own")
			w.wait(5 * time.Second)
			if w.agent.requests[id].found != event.FoundOpen || w.wasNoted(ui.UnknownBox()) == 0 {
				t.Errorf("%v, notes %v", w.agent.requests[id].found, w.chat.notes)
			}
		})
	})
	t.Run("removing it fails, and is tried again, also after a restart", func(t *testing.T) {
		boxed(t, func(w *world, id question.RequestID) {
			w.setFault(meets("unbox", fate{apply: false, err: errFault}))
			w.press(adaChat, ada, id, question.WizardInput{Action: question.Pick})
			w.wait(10 * time.Second)
			box := w.theBox()
			w.restart()
			w.wait(time.Second)
			w.boxesAre(box)
			w.setFault(func(string) fate { return fine })
			w.wait(2 * time.Minute)
			w.boxesAre()
		})
	})
	t.Run("its answer comes after the end", func(t *testing.T) {
		boxed(t, func(w *world, id question.RequestID) {
			w.press(adaChat, ada, id, question.WizardInput{Action: question.Pick})
			w.wait(10 * time.Second)
			w.boxesAre()
			if len(w.chat.boxes) != 1 {
				t.Errorf("%d boxes were sent", len(w.chat.boxes))
			}
		}, func(w *world) { w.chat.slowBox = 4 * time.Second })
	})
}

// Each who wants to type gets one box, however often they say so.
func TestBoxes_EachPersonHasOne(t *testing.T) {
	boxed(t, func(w *world, id question.RequestID) {
		for range 3 {
			w.press(adaChat, ada, id, typeOf(true))
		}
		w.press(bobChat, bob, id, typeOf(true))
		w.pressAndWait(adaChat, bob, id, typeOf(true))
		if n := len(w.chat.openBoxes()); n != 3 {
			t.Errorf("%d boxes, want Ada's, Bob's in his chat and Bob's in hers", n)
		}
		w.say(adaChat, ada, 0, "my own")
		w.wait(5 * time.Second)
		w.boxesAre()
		w.answeredWith(id, "my own")
	})
}

// A reply to the box of a step counts for no other step, also where the number of that box is not known.
func TestBoxes_ReplyToThatOfAnotherStep(t *testing.T) {
	for name, fault := range map[string]func(string) fate{"known": func(string) fate { return fine }, "unknown": lost} {
		t.Run(name, func(t *testing.T) {
			twoSteps(t, oneItem(), func(w *world, id question.RequestID) {
				w.setFault(fault)
				w.pressAndWait(adaChat, ada, id, typeOf(true))
				box := w.theBox()
				w.pressAndWait(bobChat, bob, id, question.WizardInput{Action: question.Pick})
				w.reply(adaChat, ada, box, "for the first")
				w.wait(5 * time.Second)
				_, view, _ := w.chat.find(adaChat, id)
				if view.Wizard.Step != 1 || len(view.Choice(1).Texts) != 0 || w.wasNoted(ui.MovedOn()) == 0 {
					t.Errorf("the wizard is %+v, the notes %v", view.Wizard, w.chat.notes)
				}
				w.boxesAre()
			})
		})
	}
}

// lost lets the boxes from now on be sent, and Telegram's answers to that be lost.
var lost = meets("box", fate{apply: true, err: errFault})

// A late reply to the box of an ask that has ended counts for no other ask, though a box of that one may be there
// whose number is not known.
func TestBoxes_OfWhatEndedAnswersNoOtherAsk(t *testing.T) {
	boxed(t, func(w *world, one question.RequestID) {
		box := w.theBox()
		w.agent.settle(one, event.FoundAnswered, question.Answers{{"SQLite"}})
		w.wait(2 * time.Minute)
		w.boxesAre()
		two := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.setFault(lost)
		w.pressAndWait(adaChat, ada, two, typeOf(true))
		known := w.theBox()
		w.reply(adaChat, ada, box, "for the first one")
		w.wait(10 * time.Second)
		if r := w.agent.requests[two]; r.found != event.FoundOpen || w.lastRefusal() != storage.RefusedEnded || len(w.chat.notes) == 0 {
			t.Errorf("the second ask is %s with %v, the notes %v", r.found, r.answers, w.chat.notes)
		}
		w.reply(adaChat, ada, known, "for the second one")
		w.wait(10 * time.Second)
		w.answeredWith(two, "for the second one")
		w.boxesAre()
	})
}

// Back and Type an answer make another box where nothing but the sending of one is known. A reply to either counts,
// and both go as soon as they are known.
func TestBoxes_AnotherForOneThatIsNotKnown(t *testing.T) {
	for name, f := range map[string]fate{"lost": {apply: true, err: errFault}, "slow": fine} {
		for _, first := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				boxed(t, func(w *world, id question.RequestID) {
					w.press(adaChat, ada, id, typeOf(false))
					w.wait(time.Millisecond)
					w.setFault(func(string) fate { return fine })
					w.press(adaChat, ada, id, typeOf(true))
					w.wait(10 * time.Second)
					boxes := w.chat.openBoxes()
					if len(boxes) != 2 {
						t.Errorf("the boxes are %v", boxes)
						return
					}
					box := boxes[len(boxes)-1]
					if first {
						box = boxes[0]
					}
					w.reply(adaChat, ada, box, "my own")
					w.wait(10 * time.Second)
					w.answeredWith(id, "my own")
					if name == "slow" || first {
						w.boxesAre()
					}
				}, func(w *world) {
					w.setFault(meets("box", f))
					if name == "slow" {
						w.chat.slowBox = time.Second
					}
				})
			})
		}
	}
}

// The session's topic was deleted before the box came: who still wants to type gets one in the next topic.
// It is so, too, when the card is being edited there meanwhile.
func TestBoxes_InATopicThatIsGone(t *testing.T) {
	t.Run("alone", func(t *testing.T) { boxInATopicThatIsGone(t, 0) })
	t.Run("while the card is edited", func(t *testing.T) { boxInATopicThatIsGone(t, time.Second) })
}

func boxInATopicThatIsGone(t *testing.T, slow time.Duration) {
	play(t, func(c *bridge.Config) { c.Forum = &forum{} }, func(w *world) {
		id := w.askIn("ses_topic")
		w.wait(time.Second)
		w.chat.slow = slow
		w.setFault(meets("box", fate{err: outbound.ErrTopicGone}))
		w.press(adaChat, ada, id, typeOf(true))
		w.wait(5 * time.Second)
		w.setFault(func(string) fate { return fine })
		w.press(adaChat, ada, id, typeOf(false))
		w.press(adaChat, ada, id, typeOf(true))
		w.wait(5 * time.Second)
		if topic := w.chat.boxes[w.theBox()].Topic; topic < 3 { // each chat had one
			t.Errorf("the box is in topic %d", topic)
		}
	})
}

// Of two boxes of one person whose numbers are not known, a reply is to the one of the step that is asked.
func TestBoxes_OfTheStepThatIsAsked(t *testing.T) {
	twoSteps(t, oneItem(), func(w *world, id question.RequestID) {
		w.setFault(lost)
		w.pressAndWait(adaChat, ada, id, typeOf(true))
		w.pressAndWait(bobChat, bob, id, question.WizardInput{Action: question.Pick})
		w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Type, On: true, Item: 1})
		boxes := w.chat.openBoxes()
		w.reply(adaChat, ada, boxes[len(boxes)-1], "for the second")
		w.wait(time.Second)
		_, view, _ := w.chat.find(adaChat, id)
		if !slices.Equal(view.Choice(1).Texts, []string{"for the second"}) || w.wasNoted(ui.MovedOn()) > 0 {
			t.Errorf("the wizard is %+v, the notes %v", view.Wizard, w.chat.notes)
		}
		w.reply(adaChat, ada, boxes[0], "for the first")
		w.wait(5 * time.Second)
		if w.wasNoted(ui.MovedOn()) == 0 {
			t.Errorf("the notes are %v", w.chat.notes)
		}
		w.boxesAre()
	})
}

// Whoever taps their way to a step that takes words alone gets a box there, until they are there or they go back.
func TestBoxes_OfAStepWithoutOptions(t *testing.T) {
	words := question.Item{Header: "Why", Text: "Why?", Custom: true}
	ends := map[string]func(*world, question.RequestID, chat.MessageID){
		"typed": func(w *world, _ question.RequestID, box chat.MessageID) { w.say(adaChat, ada, box, "because") },
		"step back": func(w *world, id question.RequestID, _ chat.MessageID) {
			w.press(bobChat, bob, id, question.WizardInput{Action: question.Go})
		},
		"type, back": func(w *world, id question.RequestID, _ chat.MessageID) {
			for _, on := range []bool{true, false} {
				w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Type, On: on, Item: 1})
			}
		},
		"dismissed": func(w *world, id question.RequestID, _ chat.MessageID) {
			w.dismiss(adaChat, ada, id)
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			twoSteps(t, words, func(w *world, id question.RequestID) {
				w.pressAndWait(adaChat, ada, id, question.WizardInput{Action: question.Pick})
				box := w.theBox()
				if post := w.chat.boxes[box].BoxPost; post.Chat != adaChat || post.User.ID != ada || post.View.Wizard.Step != 1 {
					t.Errorf("the box is %+v", post)
				}
				end(w, id, box)
				w.wait(5 * time.Second)
				w.boxesAre()
			})
		})
	}
}

// twoSteps plays a story in which two questions are asked at once.
func twoSteps(t *testing.T, second question.Item, story func(*world, question.RequestID)) {
	t.Helper()
	if second.Header == oneItem().Header {
		second.Header = "Cache"
	}
	play(t, nil, func(w *world) {
		id := w.agent.ask(oneItem(), second)
		w.wait(time.Second)
		story(w, id)
	})
}

func (w *world) answeredWith(id question.RequestID, text string) {
	w.t.Helper()
	if r := w.agent.requests[id]; !r.answers.Equal(question.Answers{{text}}) {
		w.t.Errorf("the agent got %v (%s), want %q", r.answers, r.found, text)
	}
}

// reply is say as a reply to a reply box.
func (w *world) reply(chatID chat.ID, user chat.UserID, box chat.MessageID, text string) {
	w.input(inbound.Input{
		Kind: inbound.Typed, Chat: chatID, Private: true, Message: 1 << 20, Text: text, ReplyTo: box, ToBox: true,
		Sent: time.Now().Truncate(time.Second), User: chat.User{ID: user, Name: name(user)},
	})
}

// judgeBoxes holds that no box stays whose number is known, unless its words are wanted still; and that nobody got two
// of them at once.
func (m *model) judgeBoxes() {
	for _, id := range m.chat.openBoxes() {
		post := m.chat.boxes[id].BoxPost
		t, known, err := m.store.Find(storage.Key{Chat: post.Chat, Message: id})
		if err != nil || known && !t.WantsWords(t.Cards[t.Card(post.Chat)].Boxes[t.Cards[t.Card(post.Chat)].Box(id)].Item) {
			m.t.Errorf("the reply box %d of %s is still there: %v %+v", id, post.User.Name, err, t.Cards)
		}
	}
}
