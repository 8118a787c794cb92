package outbox

import (
	"context"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

// Chat is the chat of a job that runs, for this job alone.
type Chat struct {
	queue *queue
	job   *job
}

// ID is the chat's.
func (c *Chat) ID() chat.ID { return c.queue.id }

// Call waits for the job's turn and makes one call, for timeout at most. Before its second call, and each one after that,
// other jobs may have their turns. A flood wait silences the chat.
func (c *Chat) Call(ctx context.Context, timeout time.Duration, call func(context.Context) error) error {
	return c.call(ctx, timeout, Message, call)
}

// Edit is Call for an edit. The first one of a card waits for no pace of messages.
func (c *Chat) Edit(ctx context.Context, timeout time.Duration, call func(context.Context) error) error {
	if c.job.lane == Cards && c.job.calls == 0 {
		return c.call(ctx, timeout, Edit, call)
	}
	return c.call(ctx, timeout, Message, call)
}

func (c *Chat) call(ctx context.Context, timeout time.Duration, k Kind, call func(context.Context) error) error {
	if err := c.awaitTurn(k); err != nil {
		return err
	}
	c.CountCall()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := call(ctx)
	if err == nil {
		c.queue.out.noteTaken(c.queue, c.job.lane)
	}
	c.HeedFlood(err)
	return err
}

// awaitTurn waits for a turn for one call, unless the job has one that it did not use.
func (c *Chat) awaitTurn(k Kind) error {
	if c.job.ready && c.job.kind <= k {
		return nil
	}
	c.job.kind = k
	c.queue.out.mu.Lock()
	c.queue.add(c.job)
	c.queue.out.mu.Unlock()
	c.queue.next <- struct{}{}
	return <-c.job.turn
}

// CountCall notes that the call is made for which the job's turn was waited for. Call does
// so; a job that makes its first call by itself does it before.
func (c *Chat) CountCall() {
	c.queue.out.mu.Lock()
	defer c.queue.out.mu.Unlock()
	c.job.ready = false
	c.job.calls++
	c.queue.countCall(c.job, time.Now())
}

// HeedFlood keeps the chat silent where a call failed with a flood wait.
func (c *Chat) HeedFlood(err error) {
	var e *botapi.Error
	if errors.As(err, &e) && e.Reason == botapi.Flood {
		c.queue.out.noteFlood(c.queue, c.job.lane, e.RetryAfter)
	}
}
