package messagingapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/operations"
)

// numberActs puts the operations by which a number is verified, named, registered and deregistered.
func (o *service) numberActs() {
	const answered = "Meta is asked once, within seconds. `state` of the settings says what became of it. "
	act(o, "register-number", numbers.Register, "register", "Connect a number to WhatsApp",
		answered+"If the number has no PIN for two-step verification yet, this becomes it. Meta lets a number be "+
			"registered and deregistered ten times in 72 hours.",
		func(in *pinInput) (*NumberInput, string, any) { return &in.NumberInput, in.Body.PIN, nil })
	act(o, "deregister-number", numbers.Deregister, "deregister", "Disconnect a number from WhatsApp",
		answered+"It sends and gets nothing until it is registered again.",
		func(in *NumberInput) (*NumberInput, string, any) { return in, "", nil })
	act(o, "set-number-pin", numbers.SetPIN, "pin", "Set a number's PIN for two-step verification",
		answered+"Keep the PIN: haatline shows it to nobody, and forgets it when Meta has it.",
		func(in *pinInput) (*NumberInput, string, any) { return &in.NumberInput, in.Body.PIN, nil })
	act(o, "request-number-code", numbers.RequestCode, "request-code",
		"Have Meta send a number the code that verifies it", answered,
		func(in *codeRequestInput) (*NumberInput, string, any) {
			in.Body.Method = strings.ToUpper(in.Body.Method)
			return &in.NumberInput, "", in.Body
		})
	act(o, "verify-number-code", numbers.VerifyCode, "verify-code", "Verify a number by the code that it got", answered,
		func(in *codeInput) (*NumberInput, string, any) {
			return &in.NumberInput, strings.ReplaceAll(in.Body.Code, "-", ""), nil
		})
	act(o, "request-number-name", numbers.RequestName, "name", "Ask for another name that customers see",
		answered+"Meta reviews it. The number has it after it is registered again.",
		func(in *nameInput) (*NumberInput, string, any) { return &in.NumberInput, "", in.Body })
}

type pinBody struct {
	PIN string `json:"pin" maxLength:"6" pattern:"^[0-9]{6}$" writeOnly:"true" doc:"Six digits."`
}

type codeRequestBody struct {
	Method   string `json:"codeMethod" enum:"sms,voice" doc:"How the code comes: by SMS, or by a call."`
	Language string `json:"language" maxLength:"10" pattern:"^[a-z]{2}(_[A-Z]{2})?$" example:"en_US" doc:"The language of the SMS or the call."`
}

type codeBody struct {
	Code string `json:"code" maxLength:"7" pattern:"^[0-9]{3}-?[0-9]{3}$" writeOnly:"true" doc:"The code: six digits."`
}

type nameBody struct {
	Name string `json:"newDisplayName" minLength:"3" maxLength:"512" example:"Haat Demo" doc:"The name."`
}

type (
	pinInput struct {
		NumberInput
		Body pinBody
	}
	codeRequestInput struct {
		NumberInput
		Body codeRequestBody
	}
	codeInput struct {
		NumberInput
		Body codeBody
	}
	nameInput struct {
		NumberInput
		Body nameBody
	}
)

// act registers an operation that has Meta do something once. parts returns the number of a request, its secret, and
// what it takes beside that.
func act[I any](o *service, id, wish, path, summary, description string,
	parts func(in *I) (number *NumberInput, secret string, value any)) {
	operations.Change(o.Registry, huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: "/v1/numbers/{phoneNumberId}/" + path,
		Tags:    []string{"Numbers"},
		Summary: summary, Description: strings.TrimSpace(description),
		Security:      httpapi.Needs(httpapi.TenantsManage),
		DefaultStatus: http.StatusAccepted, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *I) (numbers.Of, operations.Subject, error) {
		number, _, _ := parts(in)
		return o.ofNumber(ctx, number)
	}, func(ctx context.Context, in *I, of numbers.Of) (*numberSettingsOutput, error) {
		_, secret, value := parts(in)
		if _, err := o.rooms.NumberSettings.Act(ctx, of, wish, secret, value); err != nil {
			return nil, err
		}
		return o.showNumberSettings(ctx, of.Phone.PhoneNumberID)
	})
}
