package main

import "testing"

func TestHashIsFNV1aOfSeedAndNumber(t *testing.T) {
	seed := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	if got := hash(seed, 1); got != 822214484 {
		t.Errorf("hash(0..15, 1) = %d, want 822214484", got)
	}
}
