package dynamo

import "strings"

// Do builds an update expression from clauses. Each clause is written as in DynamoDB: "name = :value" to set, "name" to
// remove, "name :number" to add.
type Do struct{ Set, Remove, Add []string }

// String returns the update expression.
func (d Do) String() string {
	var parts []string
	for _, part := range []struct {
		keyword string
		clauses []string
	}{{"SET ", d.Set}, {"REMOVE ", d.Remove}, {"ADD ", d.Add}} {
		if len(part.clauses) > 0 {
			parts = append(parts, part.keyword+strings.Join(part.clauses, ", "))
		}
	}
	return strings.Join(parts, " ")
}

// And returns the condition that all of some conditions hold. It leaves out empty ones. A condition with OR needs
// parentheses.
func And(conditions ...string) string {
	var all []string
	for _, condition := range conditions {
		if condition != "" {
			all = append(all, condition)
		}
	}
	return strings.Join(all, " AND ")
}

// Same returns the condition that an attribute is as it was read, and puts the value into values. A nil value means
// that the attribute is absent.
func Same(name string, was AttributeValue, values Item) string {
	if was == nil {
		return "attribute_not_exists(" + name + ")"
	}
	placeholder := ":was_" + strings.TrimPrefix(name, "#")
	values[placeholder] = was
	return name + " = " + placeholder
}

// SameText is Same for a text that is stored only if it is not empty.
func SameText[T ~string](name string, was T, values Item) string {
	if was == "" {
		return Same(name, nil, values)
	}
	return Same(name, S(was), values)
}

// SameNumber is Same for a number that is stored only if it is not zero.
func SameNumber(name string, was int64, values Item) string {
	if was == 0 {
		return Same(name, nil, values)
	}
	return Same(name, N(was), values)
}
