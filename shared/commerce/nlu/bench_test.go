package nlu_test

import "testing"

func BenchmarkRead(b *testing.B) {
	x := index(b, "general")
	for b.Loop() {
		x.Read("bhai 5 rupay wali pencil 10 aur 10 wale pen 5 neele, mombati 1 pkt, fevicol chhota 2 jaldi bhej do")
	}
}
