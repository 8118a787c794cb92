package pending

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// realThread is of the size of real ones: about two kilobytes.
func realThread(n int) question.Thread {
	th := thread(n)
	th.Origins = []session.Origin{{Way: session.Link, Process: "p", Directory: "/home/someone/project", Host: "laptop"}}
	item := question.Item{Header: "Database", Text: strings.Repeat("Which database? ", 20)}
	for range 4 {
		item.Options = append(item.Options, question.Option{Label: "PostgreSQL", Description: strings.Repeat("It is there. ", 10)})
	}
	th.Request.Items = []question.Item{item}
	return th
}

// BenchmarkCommit waits for the disk, as real use does.
func BenchmarkCommit(b *testing.B) {
	s, err := Open(dbPath(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for n := 0; b.Loop(); n++ {
		commit(b, s, storage.Change{
			Threads: []question.Thread{realThread(n % 200)},
			Entries: []storage.Entry{{At: time.Now(), Kind: storage.EntryPicked, Thread: thread(n % 200).ID}},
		})
	}
}

// large has 1,000 open threads and 10,000 settled ones.
func large(b *testing.B) *Store {
	b.Helper()
	s := open(b, dbPath(b))
	var c storage.Change
	for n := range 11_000 {
		th := realThread(n)
		if n%11 == 0 {
			c.Threads = append(c.Threads, th)
			continue
		}
		th.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, At: time.Unix(int64(n), 0)}
		c.Retired = append(c.Retired, th)
	}
	commit(b, s, c)
	return s
}

func BenchmarkThreads(b *testing.B) {
	s := large(b)
	for b.Loop() {
		if threads, err := s.Threads(); err != nil || len(threads) != 1000 {
			b.Fatal(len(threads), err)
		}
	}
}

// BenchmarkOpen is a start on the same file: it is checked whole, and what is open is read; what has ended stays where it is.
func BenchmarkOpen(b *testing.B) {
	s := large(b)
	s.Close()
	for b.Loop() {
		s, err := Open(s.path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if threads, err := s.Threads(); err != nil || len(threads) != 1000 {
			b.Fatal(len(threads), err)
		}
		s.Close()
	}
}
