package main

import (
	"fmt"
	"strings"

	"hermes/internal/question"
)

// find is the only open question whose id, or whose request's id, begins so.
func find(list []apiQuestion, beginning string) (apiQuestion, error) {
	var found []apiQuestion
	for _, q := range list {
		if string(q.ID) == beginning || string(q.Request) == beginning {
			return q, nil
		}
		if strings.HasPrefix(string(q.ID), beginning) || strings.HasPrefix(string(q.Request), beginning) {
			found = append(found, q)
		}
	}
	switch len(found) {
	case 0:
		return apiQuestion{}, fmt.Errorf("nothing that waits has an id that begins with %s; hermes pending lists them", legible(beginning))
	case 1:
		return found[0], nil
	}
	var ids []question.ID
	for _, q := range found {
		ids = append(ids, q.ID)
	}
	return apiQuestion{}, mistakes{fmt.Sprintf("ID: %s may mean %v; give more of it", legible(beginning), ids)}
}
