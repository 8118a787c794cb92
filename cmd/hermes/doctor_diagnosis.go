package main

import (
	"context"
	"fmt"
	"time"
)

// grade is how an exam ended. The words are part of the JSON output.
type grade string

const (
	gradeOK   grade = "ok"
	gradeWarn grade = "warn" // hermes works, but something should be mended
	gradeFail grade = "fail" // a question or an answer would get stuck here
	gradeSkip grade = "skip" // it could not be looked at; the detail says why
)

// diagnosis is what hermes doctor says about one thing. The names of its fields
// in JSON are stable, and fields are only added.
type diagnosis struct {
	// Name is of a closed set; one name comes as often as there are such things
	// (chats, servers, mistakes in the configuration).
	Name   string `json:"name"`
	Status grade  `json:"status"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy"` // what to do; empty for ok and skip
}

func sane(format string, args ...any) diagnosis {
	return diagnosis{Status: gradeOK, Detail: fmt.Sprintf(format, args...)}
}

func skipped(format string, args ...any) diagnosis {
	return diagnosis{Status: gradeSkip, Detail: fmt.Sprintf(format, args...)}
}

func (g grade) because(detail, remedy string) diagnosis {
	return diagnosis{Status: g, Detail: detail, Remedy: remedy}
}

// exam looks at one thing, or at each of those of a kind, of which there may be none.
// It changes nothing, unless its comment says so.
type exam struct {
	name string
	look func(context.Context) []diagnosis
}

// one is a look at one thing.
func one(look func(context.Context) diagnosis) func(context.Context) []diagnosis {
	return func(ctx context.Context) []diagnosis { return []diagnosis{look(ctx)} }
}

// known is an exam whose outcome is there already.
func known(name string, d diagnosis) exam {
	return exam{name, func(context.Context) []diagnosis { return []diagnosis{d} }}
}

// examTime bounds every exam but the round trip, which waits for a person.
const examTime = 20 * time.Second

// examine runs all exams at once and tells each diagnosis in the order of the
// exams, as soon as those before it are told.
func examine(ctx context.Context, exams []exam, tell func(diagnosis)) {
	results := make([]chan []diagnosis, len(exams))
	for i, e := range exams {
		results[i] = make(chan []diagnosis, 1)
		go func() { results[i] <- e.look(ctx) }()
	}
	for i, result := range results {
		for _, d := range <-result {
			d.Name = exams[i].name
			tell(d)
		}
	}
}

// limited gives an exam its time.
func limited(e exam) exam {
	return exam{e.name, func(ctx context.Context) []diagnosis {
		ctx, cancel := context.WithTimeout(ctx, examTime)
		defer cancel()
		return e.look(ctx)
	}}
}

// begun starts to ask, and returns how to wait for the answer, from anywhere and
// as often as one likes.
func begun[T any](ask func() T) (wait func() T) {
	var answer T
	done := make(chan struct{})
	go func() {
		defer close(done)
		answer = ask()
	}()
	return func() T {
		<-done
		return answer
	}
}
