package lazy_test

import (
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/lazy"
)

var number = lazy.Regexp(`^ORD-\d{8}$`)

func ExampleRegexp() {
	fmt.Println(number.Get().MatchString("ORD-20261124"), number.Get().MatchString("ORD-1"))
	// Output: true false
}

func TestAWrongExpressionPanicsOnUse(t *testing.T) {
	wrong := lazy.Regexp("(")
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression compiled")
		}
	}()
	wrong.Get()
}
