package inbox

import "testing"

// One call must not read more the more numbers a tenant has: anybody who may read the inbox can make it, again and
// again.
func TestACountReadsABoundedNumberOfRowsHoweverManyNumbersThereAre(t *testing.T) {
	for _, numbers := range []int{0, 1, 2, 10, 11, 50, 199, 1000} {
		rows := countedRows(numbers)
		if rows*numbers > maxCountedRowsTotal || rows < 1 || numbers <= 10 && rows != maxCountedRows {
			t.Errorf("of %d numbers %d rows each are read", numbers, rows)
		}
	}
}
