package phonenumber_test

import (
	"fmt"

	"github.com/haatline/haatline/shared/phonenumber"
)

// People write one number in many forms.
func ExampleParse() {
	for _, text := range []string{"+91 98700 00088", "0091 98700 00088", "098700-00088", "12345"} {
		digits, err := phonenumber.Parse(text, "IN")
		fmt.Printf("%q %v\n", digits, err)
	}
	// Output:
	// "919870000088" <nil>
	// "919870000088" <nil>
	// "919870000088" <nil>
	// "" not a phone number with its country code
}
