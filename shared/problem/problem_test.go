package problem_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/problem"
)

func TestAProblemIsFoundBelowTheErrorsThatWrapIt(t *testing.T) {
	closed := problem.New("the shop is closed", problem.Error{Class: problem.Conflict, Code: "closed"})
	wrapped := fmt.Errorf("buy rice: %w", errors.Join(errors.New("other"), closed))
	var found *problem.Error
	if !errors.Is(wrapped, closed) || !errors.As(wrapped, &found) || found.Code != "closed" ||
		closed.Error() != "the shop is closed" {
		t.Errorf("%v: %+v", wrapped, found)
	}
	if twin := problem.New("the shop is closed",
		problem.Error{Class: problem.Conflict, Code: "closed"}); errors.Is(wrapped, twin) {
		t.Error("two errors are one because they read alike")
	}
}
