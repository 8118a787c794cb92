package apiclient

import (
	"context"
	"fmt"
	"net/http"

	"hermes/internal/api"
)

// LastAsked lists the n asks that were asked last, open or not, oldest first.
func (r Client) LastAsked(ctx context.Context, n int) ([]api.Question, error) {
	var told struct{ Questions []api.Question }
	err := r.Fetch(ctx, http.MethodGet, fmt.Sprintf("/v1/questions?last=%d", n), nil, &told)
	return told.Questions, err
}
