package communityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community/communitymodel"
)

// addresses registers how a person proves another number and another address, and removes their number.
func (o *service) addresses() {
	tags := []string{meTag}
	change(o, huma.Operation{
		OperationID: "ask-phone", Method: http.MethodPost, Path: mePath + "/phone", Tags: tags,
		Summary: "Ask for a code to have a phone number as one's own", DefaultStatus: http.StatusAccepted,
		Description: "The code goes to the number over WhatsApp. It takes the place of the number that one has when " +
			"it is confirmed. The answer is the same for a number that somebody has.",
		Errors: []int{http.StatusNotFound, http.StatusTooManyRequests},
	}, func(ctx context.Context, in *askPhoneInput, person communitymodel.User) (*done, error) {
		return nil, o.Access.AskPhone(ctx, person, in.Body.Phone, in.Body.Password)
	})
	change(o, huma.Operation{
		OperationID: "confirm-phone", Method: http.MethodPost, Path: mePath + "/confirm-phone", Tags: tags,
		Summary: "Have a phone number as one's own, by the code",
	}, func(ctx context.Context, in *confirmPhoneInput, person communitymodel.User) (*meOutput, error) {
		next, err := o.Access.ConfirmPhone(ctx, person, in.Body.Phone, in.Body.Code)
		return &meOutput{showMe(next)}, err
	})
	change(o, huma.Operation{
		OperationID: "remove-phone", Method: http.MethodPost, Path: mePath + "/remove-phone", Tags: tags,
		Summary:     "Have no phone number any more",
		Description: "The number is nobody's then. Who has no address of email keeps their number: add one before.",
		Errors:      []int{http.StatusConflict, http.StatusTooManyRequests},
	}, func(ctx context.Context, in *removePhoneInput, person communitymodel.User) (*meOutput, error) {
		next, err := o.Access.RemovePhone(ctx, person, in.Body.Password)
		return &meOutput{showMe(next)}, err
	})
	change(o, huma.Operation{
		OperationID: "ask-email", Method: http.MethodPost, Path: mePath + "/email", Tags: tags,
		Summary: "Ask for a code to have an address of email as one's own", DefaultStatus: http.StatusAccepted,
		Description: "The code goes to the address. It takes the place of the address that one has when it is " +
			"confirmed. The answer is the same for an address that somebody has.",
		Errors: []int{http.StatusNotFound, http.StatusTooManyRequests},
	}, func(ctx context.Context, in *askEmailInput, person communitymodel.User) (*done, error) {
		return nil, o.Access.AskEmail(ctx, person, in.Body.Email, in.Body.Password)
	})
	change(o, huma.Operation{
		OperationID: "confirm-email", Method: http.MethodPost, Path: mePath + "/confirm-email", Tags: tags,
		Summary: "Have an address of email as one's own, by the code",
	}, func(ctx context.Context, in *confirmEmailInput, person communitymodel.User) (*meOutput, error) {
		next, err := o.Access.ConfirmEmail(ctx, person, in.Body.Email, in.Body.Code)
		return &meOutput{showMe(next)}, err
	})
}

type askPhoneInput struct {
	Body struct {
		Phone    string `json:"phone" minLength:"3" maxLength:"32" example:"+919876543210" doc:"The number, with + and its country code."`
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"Your password."`
	}
}

type confirmPhoneInput struct {
	Body struct {
		Phone string `json:"phone" minLength:"3" maxLength:"32" example:"+919876543210" doc:"The number to which the code went."`
		Code  string `json:"code" pattern:"^[0-9]{6}$" example:"123456" doc:"The code."`
	}
}

type removePhoneInput struct {
	Body struct {
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"Your password."`
	}
}

type askEmailInput struct {
	Body struct {
		Email    string `json:"email" minLength:"3" maxLength:"254" example:"asha@example.com" doc:"The address."`
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"Your password."`
	}
}

type confirmEmailInput struct {
	Body struct {
		Email string `json:"email" minLength:"3" maxLength:"254" example:"asha@example.com" doc:"The address to which the code went."`
		Code  string `json:"code" pattern:"^[0-9]{6}$" example:"123456" doc:"The code."`
	}
}
