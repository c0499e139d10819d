package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// PaymentConfiguration is a way to pay that a WhatsApp Business Account has.
type PaymentConfiguration struct {
	Name, Purpose, MCC string
	Provider           string // of a payment gateway
	VPA                string // of UPI
	MID                string // what the provider calls the business; only Meta says it
	Status             string // in Meta's words, such as Needs Connecting; only Meta says it
}

// CreatePaymentConfiguration has an account have a way to pay. It returns where the business connects it with its
// provider, "" if it need not. Every error is a *SendError.
func (g *Graph) CreatePaymentConfiguration(ctx context.Context, waba string, c PaymentConfiguration) (string, error) {
	if err := checkAccount(waba); err != nil {
		return "", err
	}
	fields := map[string]string{
		"configuration_name": c.Name, "purpose_code": c.Purpose, "merchant_category_code": c.MCC}
	if c.Provider != "" {
		fields["provider_name"] = c.Provider
	} else {
		fields["merchant_vpa"] = c.VPA
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return "", &SendError{Class: Never, Cause: err, Meta: Error{Message: "the configuration cannot be written"}}
	}
	status, answer, token, err := g.post(ctx, url.PathEscape(waba)+"/payment_configuration", body)
	if err != nil {
		return "", repeatable(err)
	}
	if o := objectOf(answer); status < http.StatusMultipleChoices && o.Bool("success") {
		return o.Text("oauth_url"), nil
	}
	_, err = readAnswer(status, answer)
	return "", repeatable(withCredential(err, token))
}

// PaymentConfiguration looks a way to pay of an account up; false if Meta knows of none. Every error is a *SendError.
func (g *Graph) PaymentConfiguration(ctx context.Context, waba, name string) (c PaymentConfiguration, known bool,
	err error) {
	if err := checkAccount(waba); err != nil {
		return c, false, err
	}
	status, answer, err := g.get(ctx, url.PathEscape(waba)+"/payment_configuration/"+url.PathEscape(name))
	if err != nil {
		return c, false, err
	}
	list, listed := asObject(answer)["data"]
	if status != http.StatusOK || !listed {
		_, err = readAnswer(status, answer)
		if err == nil {
			err = &SendError{Class: Retry, HTTP: status, Meta: Error{Message: "the answer lists no configurations"}}
		}
		return c, false, repeatable(err)
	}
	for _, o := range (Object{"data": list}).List("data").Objects() {
		if o.Text("configuration_name") == name {
			return PaymentConfiguration{
				Name: name, Purpose: codeOf(o, "purpose_code"), MCC: codeOf(o, "merchant_category_code"),
				Provider: o.Text("provider_name"), VPA: o.Text("merchant_vpa"), MID: o.Text("provider_mid"),
				Status: o.Text("status")}, true, nil
		}
	}
	return c, false, nil
}

// DeletePaymentConfiguration has an account not have a way to pay any more. Every error is a *SendError.
func (g *Graph) DeletePaymentConfiguration(ctx context.Context, waba, name string) error {
	if err := checkAccount(waba); err != nil {
		return err
	}
	status, answer, err := g.ask(ctx, http.MethodDelete, url.PathEscape(waba)+"/payment_configuration?"+
		url.Values{"configuration_name": {name}}.Encode())
	if err != nil || status < http.StatusMultipleChoices {
		return err
	}
	_, err = readAnswer(status, answer)
	return repeatable(err)
}

// codeOf reads a code that stands alone, or with its description.
func codeOf(o Object, name string) string {
	if code := o.Object(name).Text("code"); code != "" {
		return code
	}
	return strings.TrimSpace(o.Text(name))
}

// checkAccount returns an error for what is no id of an account. They have the form of those of numbers.
func checkAccount(waba string) error {
	if !isPhoneNumberID(waba) {
		return &SendError{Class: Never, Meta: Error{Message: "the id of the account is not 5 to 20 digits"}}
	}
	return nil
}

// repeatable says of the error of a request that may be repeated that nothing is ambiguous.
func repeatable(err error) error {
	var failed *SendError
	if errors.As(err, &failed) {
		failed.Ambiguous = false
	}
	return err
}
