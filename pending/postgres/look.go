package postgres

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Acting is who has the lease, by the database's clock.
type Acting struct {
	Epoch   int64  // grows with each Acquire; 0: nobody ever had it
	Held    bool   // the lease is not over
	Holder  string // empty: it was released
	Address string
	Until   time.Time
	Age     time.Duration // since the last renewal
	Delay   time.Duration // how long this look took
	// Synchronous are the names that the server's setting synchronous_standby_names has. Empty: a commit waits for no standby, also by synchronous_commit, and one that is promoted may
	// lack the last changes.
	Synchronous string
}

// Look asks who has the lease.
func (d *Database) Look(ctx context.Context) (Acting, error) {
	ctx, cancel := context.WithTimeout(ctx, d.lease)
	defer cancel()
	for p := (pause{}); ; {
		a, err := d.look(ctx)
		if !temporary(err) || !p.wait(ctx) {
			return a, err
		}
	}
}

func (d *Database) look(ctx context.Context) (Acting, error) {
	c, err := d.pool.take(ctx)
	if err != nil {
		return Acting{}, err
	}
	defer d.pool.give(c)
	ctx, cancel := context.WithTimeout(ctx, d.pool.patience)
	defer cancel()
	start := time.Now()
	results, err := send(ctx, c, []statement{{sql: `select epoch, holder, address, (until > clock_timestamp())::text, extract(epoch from until), extract(epoch from clock_timestamp() - renewed) from hermes_lease where id = 1`}})
	delay := time.Since(start)
	if err != nil {
		return Acting{}, err
	}
	if len(results[0].Rows) == 0 {
		return Acting{}, errors.New("the row of hermes_lease is missing in PostgreSQL (HERMES_STORE)")
	}
	a := readActing(results[0].Rows[0])
	a.Delay = delay
	if results, err := send(ctx, c, []statement{{sql: "show synchronous_standby_names"}, {sql: "show synchronous_commit"}}); err == nil { // not every server has them
		if wait := string(results[1].Rows[0][0]); wait != "off" && wait != "local" {
			a.Synchronous = string(results[0].Rows[0][0])
		}
	}
	return a, nil
}

func readActing(row [][]byte) Acting {
	epoch, _ := strconv.ParseInt(string(row[0]), 10, 64)
	return Acting{
		Epoch: epoch, Holder: string(row[1]), Address: string(row[2]), Held: string(row[3]) == "true",
		Until: time.UnixMilli(seconds(row[4]).Milliseconds()), Age: seconds(row[5]),
	}
}

func seconds(text []byte) time.Duration {
	n, _ := strconv.ParseFloat(string(text), 64)
	return time.Duration(n * float64(time.Second))
}
