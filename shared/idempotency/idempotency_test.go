package idempotency

import "testing"

// A key of one origin never identifies a request of another. A client's request is known by the hash that it had before
// keys had origins.
func TestKeysOfDifferentOriginsNeverMeet(t *testing.T) {
	seen := map[string]string{}
	for origin := API; origin <= Job; origin++ {
		for _, key := range []string{"order ORD-1", "ORD-1", "3", "origin"} {
			request, err := NewRequest(origin, "demo", "store", "khata", key, nil)
			if err != nil {
				t.Fatal(err)
			}
			if other, met := seen[request.ID()]; met {
				t.Errorf("%q of origin %d is %s", key, origin, other)
			}
			seen[request.ID()] = key
		}
	}
	was, err := NewRequest(API, "demo", "store", "khata", "k1", nil)
	if err != nil || was.ID() != Hash("demo", "store", "khata", "k1") {
		t.Errorf("a client's key has another hash now: %v", err)
	}
	for _, no := range []Origin{0, Job + 1} {
		if _, err := NewRequest(no, "demo", "store", "khata", "k1", nil); err == nil {
			t.Errorf("%d is an origin", no)
		}
	}
}
