package pending

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"hermes/pending/kv"
)

// LinkTold is what the owner of a link was told of its machine, each once.
type LinkTold struct {
	Silent  time.Time // that it was not seen since then: the link's Seen; zero: they were not
	Old     string    // the newest version of its plugin that was told to be old; empty: none
	Refused string    // the newest version of what it has that was told to be refused; empty: none
}

// With is what they were told with what they are told now.
func (t LinkTold) With(now LinkTold) LinkTold {
	if now.Silent.IsZero() {
		now.Silent = t.Silent
	}
	return LinkTold{Silent: now.Silent, Old: cmp.Or(now.Old, t.Old), Refused: cmp.Or(now.Refused, t.Refused)}
}

// linkToldRecord is a LinkTold. The rule on [threadRecord] holds for it; an older hermes that loses it has its owner told once more.
type linkToldRecord struct {
	Silent  time.Time `json:"silent,omitzero"`
	Old     text      `json:"old,omitzero"`
	Refused text      `json:"refused,omitzero"`
}

// NoteTold adds what the owners of links were told, in one commit. Links that were removed meanwhile stay removed.
func (ls Links) NoteTold(told map[string]LinkTold) error {
	return ls.update(func(tx kv.Tx) error {
		for name, t := range told {
			value := tx.Bucket(bucketLinks).Get([]byte(name))
			if value == nil {
				continue
			}
			var r linkRecord
			if err := json.Unmarshal(value, &r); err != nil {
				return fmt.Errorf("the record of link %q: %w", name, err)
			}
			r.Told = linkToldToRecord(r.Told.toTold().With(t))
			if err := putJSON(tx, bucketLinks, []byte(name), r); err != nil {
				return err
			}
		}
		return nil
	})
}

func linkToldToRecord(t LinkTold) linkToldRecord {
	return linkToldRecord{Silent: utc(t.Silent), Old: text(t.Old), Refused: text(t.Refused)}
}

func (r linkToldRecord) toTold() LinkTold {
	return LinkTold{Silent: r.Silent, Old: string(r.Old), Refused: string(r.Refused)}
}
