package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// templateLibrary puts the operation that takes a template of Meta's library.
func (o *service) templateLibrary() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-template-from-library", Method: http.MethodPost, Path: "/v1/library-templates",
		Tags: []string{"Templates"}, Security: httpapi.Needs(httpapi.TenantsManage),
		DefaultStatus: http.StatusAccepted, Errors: []int{http.StatusNotFound, http.StatusConflict},
		Summary: "Have Meta make a template of its library one of the account",
		Description: "Meta has reviewed the templates of its library: such a template is APPROVED at once. WhatsApp " +
			"Manager shows the library. Meta is asked within seconds: `asked` says what became of it.",
	}, o.newLibraryTemplate, o.createLibraryTemplate)
}

type createLibraryTemplateInput struct {
	Body struct {
		WABAID   string           `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
		Library  string           `json:"library" minLength:"1" maxLength:"512" pattern:"^[a-z0-9_]+$" doc:"The name of the template in the library." example:"delivery_update_1"`
		Name     string           `json:"name" minLength:"1" maxLength:"1000" doc:"Its name in the account: 1 to 512 lower-case letters, digits and underscores." example:"order_on_its_way"`
		Language string           `json:"language" minLength:"1" maxLength:"15" doc:"Its language, as Meta writes it." example:"en_US"`
		Category string           `json:"category" minLength:"1" maxLength:"50" doc:"UTILITY or AUTHENTICATION, as the library has it." example:"UTILITY"`
		Buttons  []map[string]any `json:"buttons,omitempty" maxItems:"10" doc:"What fills in its buttons, in their order, as Meta documents library_template_button_inputs."`
		Inputs   map[string]any   `json:"body,omitempty" doc:"What is chosen of its text, as Meta documents library_template_body_inputs."`
	}
}

func (o *service) newLibraryTemplate(ctx context.Context,
	in *createLibraryTemplateInput) (templateOf, operations.Subject, error) {
	return o.owned(ctx, in.Body.WABAID, in.Body.Name, in.Body.Language)
}

func (o *service) createLibraryTemplate(ctx context.Context, in *createLibraryTemplateInput,
	of templateOf) (*changedTemplateOutput, error) {
	library := &model.LibraryTemplate{Name: in.Body.Library}
	for _, b := range in.Body.Buttons {
		text, _ := json.Marshal(b) // it was decoded from JSON
		library.Buttons = append(library.Buttons, model.DocumentOf(text))
	}
	if len(in.Body.Inputs) > 0 {
		text, _ := json.Marshal(in.Body.Inputs)
		library.Body = model.DocumentOf(text)
	}
	t, err := o.rooms.Writing.CreateFromLibrary(ctx, of.Of, writing.Draft{
		Name: of.name, Language: of.language, Category: in.Body.Category, Library: library})
	return changed(t, err)
}
