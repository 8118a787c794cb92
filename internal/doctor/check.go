package doctor

import (
	"context"
	"fmt"
	"time"
)

// grade is how a check ended. The words are part of the JSON output.
type grade string

const (
	gradeOK   grade = "ok"
	gradeWarn grade = "warn" // hermes works, but something should be mended
	gradeFail grade = "fail" // a question or an answer would get stuck here
	gradeSkip grade = "skip" // it could not be looked at; the detail says why
)

// result is what hermes doctor says about one thing. The names of its fields
// in JSON are stable, and fields are only added.
type result struct {
	// Name is of a closed set; one name comes as often as there are such things
	// (chats, servers, mistakes in the configuration).
	Name   string `json:"name"`
	Status grade  `json:"status"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy"` // what to do; empty for ok and skip
}

func pass(format string, args ...any) result {
	return result{Status: gradeOK, Detail: fmt.Sprintf(format, args...)}
}

func skip(format string, args ...any) result {
	return result{Status: gradeSkip, Detail: fmt.Sprintf(format, args...)}
}

func (g grade) because(detail, remedy string) result {
	return result{Status: g, Detail: detail, Remedy: remedy}
}

// check looks at one thing, or at each of those of a kind, of which there may be none.
// It changes nothing, unless its comment says so.
type check struct {
	Name string
	Run  func(context.Context) []result
}

// one is a look at one thing.
func one(look func(context.Context) result) func(context.Context) []result {
	return func(ctx context.Context) []result { return []result{look(ctx)} }
}

// resultCheck is a check whose outcome is there already.
func resultCheck(name string, d result) check {
	return check{name, func(context.Context) []result { return []result{d} }}
}

// checkTime bounds every check but the round trip, which waits for a person.
const checkTime = 20 * time.Second

// runChecks runs all checks at once and tells each result in the order of the
// checks, as soon as those before it are reported.
func runChecks(ctx context.Context, checks []check, tell func(result)) {
	results := make([]chan []result, len(checks))
	for i, e := range checks {
		results[i] = make(chan []result, 1)
		go func() { results[i] <- e.Run(ctx) }()
	}
	for i, result := range results {
		for _, d := range <-result {
			d.Name = checks[i].Name
			tell(d)
		}
	}
}

// withTimeout gives a check its time.
func withTimeout(e check) check {
	return check{e.Name, func(ctx context.Context) []result {
		ctx, cancel := context.WithTimeout(ctx, checkTime)
		defer cancel()
		return e.Run(ctx)
	}}
}

// startOnce starts to ask, and returns how to wait for the answer, from anywhere and
// as often as one likes.
func startOnce[T any](ask func() T) (wait func() T) {
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
