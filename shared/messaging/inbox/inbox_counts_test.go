package inbox

import "testing"

// One call must not read more the more numbers a tenant has: anybody who may read the inbox can make it, again and
// again.
func TestACountReadsABoundedNumberOfRowsHoweverManyNumbersThereAre(t *testing.T) {
	for _, numbers := range []int{1, 2, 10, 11, 50, 199, 1000} {
		rows, waiting := countLimits(numbers)
		if rows*numbers > maxCountedRowsTotal || waiting*numbers > maxCountedWaitingTotal || rows < 1 || waiting < 1 {
			t.Errorf("of %d numbers %d rows and %d last messages each are read", numbers, rows, waiting)
		}
		if numbers <= 10 && (rows != maxCountedRows || waiting != maxCountedWaiting) {
			t.Errorf("of %d numbers only %d rows and %d last messages each are read", numbers, rows, waiting)
		}
	}
}
