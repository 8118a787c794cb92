package opencode

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/wire"
)

// BenchmarkHear hears one event as it comes in over a link. Most of an agent's
// events are parts of messages, with a tool's whole output in each.
func BenchmarkHear(b *testing.B) {
	output, _ := json.Marshal(strings.Repeat("line of output\n", 8<<10))
	for name, raw := range map[string]string{
		"asked":   `{"type":"question.asked","properties":{` + asking + `}}`,
		"unknown": `{"type":"file.edited","properties":{"file":"/home/ada/proj/main.go"}}`,
		"output": `{"type":"message.part.updated","properties":{"part":{"type":"tool","sessionID":"ses_1","state":{"status":"running","output":` +
			string(output) + `}}}}`,
	} {
		b.Run(name, func(b *testing.B) {
			var told []event.Event
			i := listener(&told)
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				told = told[:0]
				var e wire.Event
				if err := json.Unmarshal([]byte(raw), &e); err != nil {
					b.Fatal(err)
				}
				i.hear(context.Background(), e)
				i.lanes.wait()
			}
		})
	}
}

// BenchmarkLook looks at one request, calls and all.
func BenchmarkLook(b *testing.B) {
	for name, do := range map[string]func(*opencodesim.Simulator, question.Request){
		"open": func(*opencodesim.Simulator, question.Request) {}, "answered": answerRed, "stopped": abort,
	} {
		b.Run(name, func(b *testing.B) {
			s := opencodesim.New(opencodesim.Options{})
			id, _ := s.Ask(proj, "", colour)
			c := clientOf(s)
			list, err := c.Questions(context.Background())
			if err != nil || len(list) != 1 || string(list[0].ID) != id {
				b.Fatalf("%d requests, %v", len(list), err)
			}
			do(s, list[0])
			for b.Loop() {
				found, err := c.Look(context.Background(), list[0])
				if err != nil || string(found.Kind) != name {
					b.Fatalf("found %q, %v", found.Kind, err)
				}
			}
		})
	}
}
