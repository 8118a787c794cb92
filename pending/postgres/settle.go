package postgres

import (
	"context"
	"errors"
	"fmt"
)

// settle finds out what became of a COMMIT whose answer did not come. again: it did not happen, and never will.
func (d *leased) settle(id string, why error) (again bool, err error) {
	ctx, cancel := context.WithTimeout(d.ctx, d.lease)
	defer cancel()
	for p := (pause{}); ; {
		found, err := d.lookUp(ctx)
		switch {
		case err == nil && found.commit == id:
			return false, nil
		case err == nil && found.claim == d.held.claim:
			return true, fmt.Errorf("the change was not committed: %w", why)
		case err == nil: // the next holder may have written over it
			return false, &Unknown{why}
		case d.held.Valid() != nil || !p.wait(ctx):
			return false, &Unknown{fmt.Errorf("%w; and then: %w", why, err)}
		}
	}
}

type fence struct{ commit, claim string }

// lookUp reads the fence under its lock, which the transaction that is looked for holds until the server has ended it, also when its connection is gone. The commit of this
// transaction waits for the synchronous standby, behind the one that is looked for: what it says is there stays there.
func (d *leased) lookUp(ctx context.Context) (fence, error) {
	d.pool.forget()
	c, err := d.pool.take(ctx)
	if err != nil {
		return fence{}, err
	}
	defer d.pool.give(c)
	ctx, cancel := context.WithTimeout(ctx, d.pool.patience)
	defer cancel()
	delete(c.CustomData(), warned)
	list := append([]statement{{sql: "begin isolation level read committed read write"}}, limits(d.lease/6, d.lease)...)
	list = append(list, statement{sql: "select last_commit, claim from hermes_fence where id = 1 for update"}, statement{sql: "commit"})
	results, err := send(ctx, c, list)
	switch {
	case err != nil:
		return fence{}, err
	case c.CustomData()[warned] != nil:
		return fence{}, errors.New("the server warned of the commit: it may not have waited for the synchronous standby")
	case len(results[len(results)-2].Rows) == 0:
		return fence{}, errNoFence
	}
	row := results[len(results)-2].Rows[0]
	return fence{commit: string(row[0]), claim: string(row[1])}, nil
}
