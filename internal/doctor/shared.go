package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hermes/internal/database"
)

// sharedSlow is the part of a lease that a renewal may take: it is tried about three times in a lease.
const sharedSlow = 10

// checkShared looks at the database that several hermes share, and which of them acts.
func (c *storeChecks) checkShared(ctx context.Context) result {
	a, err := c.look(ctx)
	switch {
	case errors.Is(err, database.ErrRefused):
		return gradeFail.because(err.Error(), "do what it says, or correct the user, the password or the database in HERMES_STORE")
	case err != nil:
		return gradeFail.because(fmt.Sprintf("the database of HERMES_STORE does not answer: %v", err),
			"start it, or check HERMES_STORE and the network; until it answers no hermes acts, and then one goes on")
	case !a.Held:
		return gradeFail.because("the database of HERMES_STORE answers, but no hermes acts", "start hermes serve, on one machine or more")
	}
	detail := fmt.Sprintf("%s at %s acts, in epoch %d; it renewed its lease %v ago, and the database answers in %v",
		a.Name, a.Address, a.Epoch, a.Age.Round(100*time.Millisecond), a.Delay.Round(time.Millisecond))
	if a.Delay > c.lease/sharedSlow {
		return gradeWarn.because(detail+", which is long for a lease of "+c.lease.String(), "set HERMES_LEASE higher, on every hermes, or bring the database nearer")
	}
	if !a.Synchronous {
		detail += "; a change waits for no standby of the database, so that its failover may lose the last ones (synchronous_standby_names, synchronous_commit)"
	}
	return pass("%s", detail)
}
