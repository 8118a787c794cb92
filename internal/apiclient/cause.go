package apiclient

import (
	"context"
	"errors"
	"net/url"
)

// HowToStart is the remedy where nothing runs.
const HowToStart = "start it: hermes serve, or systemctl --user start hermes"

// Cause is an error of the network without the URL.
func Cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
