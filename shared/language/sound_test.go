package language

import "testing"

func TestASoundTellsMoreApartThanAKey(t *testing.T) {
	for _, same := range [][2]string{{"खाना", "khana"}, {"khaana", "khana"}, {"बारिश", "baarish"}, {"zip", "jip"}} {
		if Sound(same[0]) != Sound(same[1]) {
			t.Errorf("%q and %q differ: %s, %s", same[0], same[1], Sound(same[0]), Sound(same[1]))
		}
	}
	for _, other := range [][2]string{{"खो", "को"}, {"sikh", "sick"}, {"kho", "ko"}} {
		if Sound(other[0]) == Sound(other[1]) {
			t.Errorf("%q and %q are the same: %s", other[0], other[1], Sound(other[0]))
		}
	}
}
