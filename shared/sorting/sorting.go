// Package sorting sorts lists of all types by one code. The standard library compiles its own for each type, which
// takes several kilobytes of a function each time.
package sorting

import "sort"

// Func sorts a list by a comparison. What compares equal keeps its order.
func Func[T any](all []T, compare func(a, b T) int) {
	sort.Stable(list{
		len:  len(all),
		less: func(i, j int) bool { return compare(all[i], all[j]) < 0 },
		swap: func(i, j int) { all[i], all[j] = all[j], all[i] },
	})
}

// list is what the standard library sorts.
type list struct {
	len  int
	less func(i, j int) bool
	swap func(i, j int)
}

func (l list) Len() int           { return l.len }
func (l list) Less(i, j int) bool { return l.less(i, j) }
func (l list) Swap(i, j int)      { l.swap(i, j) }
