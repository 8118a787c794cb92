package apiclient

import (
	"errors"
	"fmt"

	"hermes/deploy"
	"hermes/internal/config"
)

// HowToStart is the remedy where nothing runs: by what is installed on this machine.
func HowToStart(c config.Config) string {
	if !c.IsHere() {
		return "run hermes setup, or name the configuration of hermes with --config"
	}
	service, _ := deploy.Installed()
	return "start it: " + service.Start
}

// Explain adds the remedy to the error of a call where no hermes runs.
func (r Client) Explain(err error) error {
	if errors.Is(err, ErrNotRunning) {
		return fmt.Errorf("%w; %s", err, HowToStart(r.Config))
	}
	return err
}

// HowToStop says how a hermes of this machine is stopped.
func HowToStop() string {
	service, ok := deploy.Installed()
	if ok {
		return "to stop hermes, run " + service.Stop
	}
	return "to stop hermes, " + service.Stop
}

// WhereLog says where the log of the hermes of this machine is.
func WhereLog() string {
	service, _ := deploy.Installed()
	return "see its log (" + service.Log + ")"
}
