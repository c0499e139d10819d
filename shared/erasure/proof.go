package erasure

import "slices"

// Kept is what a domain keeps of an erased customer, and why: plain words for the proof of an erasure.
type Kept struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// DomainProof is what an erasure has done in one domain.
type DomainProof struct {
	Domain string
	Erased map[string]int // by the names of the domain's counts
	Keeps  []Kept
}

// proofs returns what was erased by domain, in the order of the domains. The counts of what the
// orchestrator itself has erased stand with the first domain.
func proofs(erasers []Eraser, counts map[string]int) []DomainProof {
	all := make([]DomainProof, len(erasers))
	for i, eraser := range erasers {
		names := eraser.Counts
		if i == 0 {
			names = slices.Concat(coreCounts, names)
		}
		all[i] = DomainProof{Domain: eraser.Domain, Erased: map[string]int{}, Keeps: eraser.Keeps}
		for _, name := range names {
			all[i].Erased[name] = counts[name]
		}
	}
	return all
}

// keeps returns what the domains keep, as it stands in the audit record.
func keeps(erasers []Eraser) map[string][]Kept {
	all := map[string][]Kept{}
	for _, eraser := range erasers {
		if len(eraser.Keeps) > 0 {
			all[eraser.Domain] = eraser.Keeps
		}
	}
	return all
}
