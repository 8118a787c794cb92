package updates

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
)

func TestSequence_Order(t *testing.T) {
	type arrival struct {
		at int // milliseconds
		id chat.UpdateID
	}
	type handled struct {
		at int
		id chat.UpdateID
	}
	first, gap := int(firstWait/time.Millisecond), int(gapWait/time.Millisecond)
	for name, c := range map[string]struct {
		arrivals []arrival
		want     []handled
	}{
		"in order":              {[]arrival{{0, 5}, {10_000, 6}, {10_001, 7}}, []handled{{first, 5}, {10_000, 6}, {10_001, 7}}},
		"the first two swapped": {[]arrival{{0, 6}, {100, 5}}, []handled{{first, 5}, {first, 6}}},
		"swapped":               {[]arrival{{0, 5}, {10_000, 7}, {10_500, 6}, {10_600, 8}}, []handled{{first, 5}, {10_500, 6}, {10_500, 7}, {10_600, 8}}},
		"one never comes":       {[]arrival{{0, 5}, {10_000, 7}, {10_500, 8}, {30_000, 9}}, []handled{{first, 5}, {10_000 + gap, 7}, {10_000 + gap, 8}, {30_000, 9}}},
		"one comes too late":    {[]arrival{{0, 5}, {10_000, 7}, {20_000, 6}, {20_100, 8}}, []handled{{first, 5}, {10_000 + gap, 7}, {20_000, 6}, {20_100, 8}}},
		"ids jump down":         {[]arrival{{0, 700_000_000}, {10_000, 3_000_001}, {10_001, 3_000_002}}, []handled{{first, 700_000_000}, {10_000 + first, 3_000_001}, {10_000 + first, 3_000_002}}},
		"ids jump up":           {[]arrival{{0, 5}, {10_000, 700_000_000}, {20_000, 700_000_001}}, []handled{{first, 5}, {10_000 + first, 700_000_000}, {20_000, 700_000_001}}},
	} {
		var s sequence
		var got []handled
		zero := time.Now()
		for ms := 0; ms < 60_000; ms++ {
			now := zero.Add(time.Duration(ms) * time.Millisecond)
			for _, a := range c.arrivals {
				if a.at == ms {
					s.add(chat.Update{ID: a.id}, now)
				}
			}
			for _, u := range s.takeReady(now) {
				got = append(got, handled{ms, u.ID})
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %v\nwant %v", name, got, c.want)
		}
	}
}
