package content

import "reflect"

// Choice is something that a content lets a customer choose, with the field that holds what comes back.
type Choice struct{ Field, ID string }

// Choices returns all that a content lets a customer choose: buttons, rows of lists, and quick replies of templates.
func Choices(c Content) (all []Choice) {
	walk(reflect.Indirect(reflect.ValueOf(c)), "", func(value reflect.Value, path string, _ reflect.StructTag) {
		switch part := value.Interface().(type) {
		case Button:
			all = append(all, Choice{join(path, "id"), part.ID})
		case Row:
			all = append(all, Choice{join(path, "id"), part.ID})
		case TemplateButton:
			if part.Type == "quick_reply" {
				all = append(all, Choice{join(path, "value"), part.Value})
			}
		}
	})
	return all
}
