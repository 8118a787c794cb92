package main

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"hermes/internal/question"
	"hermes/pending"
)

// paired are the people and chats that hermes pair has let in: as the hermes that runs
// has them, else its database. Where there is none, nobody was let in.
func (r running) paired(ctx context.Context) (question.Pairings, error) {
	var all apiPairings
	err := r.fetch(ctx, http.MethodGet, "/v1/pair", nil, &all)
	if errors.Is(err, errNotRunning) {
		return storedPairings(r.config.DB)
	}
	return all.pairings(), err
}

// storedPairings reads the database that no hermes uses.
func storedPairings(path string) (question.Pairings, error) {
	s, err := pending.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return question.Pairings{}, nil
	case err != nil:
		return question.Pairings{}, err
	}
	p, err := s.Pairings()
	return p, errors.Join(err, s.Close())
}

// pairings are those that were let in. Invitations let nobody in.
func (a apiPairings) pairings() question.Pairings {
	var p question.Pairings
	for _, g := range a.People {
		p.Guests = append(p.Guests, question.Guest{User: g.ID, Name: g.Name, Roles: g.Roles, Since: g.Since, Invitation: g.Invitation, Chat: g.Chat})
	}
	for _, g := range a.Groups {
		p.Groups = append(p.Groups, question.GuestGroup{Chat: g.ID, By: g.By, Since: g.Since, Invitation: g.Invitation})
	}
	return p
}
