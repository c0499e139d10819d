package tenancy

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// elsewhere are the attributes of a number's item that other writes set: its key, and what Meta tells of it.
var elsewhere = []string{"pk", "itemType", "phoneNumberId", "createdAt", "displayPhoneNumber", "verifiedName",
	"verifiedNameOrder", "qualityRating", "qualityRatingOrder", "messagingLimit", "messagingLimitOrder", "throughput",
	"throughputOrder", "historyProblem", "historyProblemAt", "windowPolicy", "assignTurn"}

// A change of an attribute that the write of a number does not know would be answered, and lost.
func TestTheWriteOfANumberWritesEachAttributeThatChanges(t *testing.T) {
	numbers := &Numbers{Now: func() time.Time { return time.Unix(0, 0) }}
	of := reflect.TypeFor[model.Phone]()
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("dynamodbav"), ",")
		if name == "" || slices.Contains(elsewhere, name) {
			continue
		}
		var was, next model.Phone
		switch field := reflect.ValueOf(&next).Elem().Field(i); field.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Bool:
			field.SetBool(true)
		default:
			t.Fatalf("%s is a %s", name, field.Kind())
		}
		for _, change := range [][2]model.Phone{{was, next}, {next, was}} {
			if u := numbers.numberWrite("1", change[0], change[1]); !strings.Contains(u.Do, name) ||
				!strings.Contains(u.If, name) {
				t.Errorf("%s changes, and the write is %q if %q", name, u.Do, u.If)
			}
		}
	}
}
