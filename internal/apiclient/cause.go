package apiclient

import (
	"context"
	"errors"
	"net/url"
)

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
