package lanes_test

import (
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/lanes"
)

// Jobs run side by side, and the failure of one does not stop the others.
func ExampleConcurrently() {
	errs := lanes.Concurrently(2,
		func() error { return nil },
		func() error { return errors.New("the number is stopped") },
		func() error { return nil },
	)
	fmt.Println(errs[0], errs[1], errs[2])
	// Output:
	// <nil> the number is stopped <nil>
}
