package stream

// lanes groups the jobs that share a key, directly or through others, each lane in the batch's order, and lanes by their
// first job. A job without a key has a lane of its own.
func lanes(jobs []Job) [][]int {
	leader := make([]int, len(jobs)) // the first job of the lane, found by following it
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	holder := map[string]int{}
	for i, job := range jobs {
		leader[i] = i
		for _, key := range job.Order {
			other, taken := holder[key]
			if !taken {
				holder[key] = i
				continue
			}
			one, two := find(i), find(other)
			leader[max(one, two)] = min(one, two)
		}
	}
	var all [][]int
	place := map[int]int{}
	for i := range jobs {
		first := find(i)
		at, known := place[first]
		if !known {
			at = len(all)
			place[first] = at
			all = append(all, nil)
		}
		all[at] = append(all[at], i)
	}
	return all
}
