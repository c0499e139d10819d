package main

import (
	"context"
	"io"
	"time"

	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/whatsapp"
)

// source lists templates, and gets and takes the files of all numbers.
type source struct{ *metaclient.Numbers }

// File asks where a file is.
func (s source) File(ctx context.Context, phone, mediaID string) (held whatsapp.HeldFile, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		held, err = graph.File(ctx, phone, mediaID)
		return err
	})
	return held, err
}

// Upload hands a file to Meta.
func (s source) Upload(ctx context.Context, of whatsapp.Upload) (id string, err error) {
	err = s.Call(of.PhoneNumberID, func(graph *whatsapp.Graph) (err error) {
		id, err = graph.Upload(ctx, of)
		return err
	})
	return id, err
}

// TokenEnds returns when the token of a number ends.
func (s source) TokenEnds(ctx context.Context, phone string) (ends time.Time, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		ends, err = graph.TokenEnds(ctx)
		return err
	})
	return ends, err
}

// Templates lists a page of an account's templates with the token of one of its numbers.
func (s source) Templates(ctx context.Context, phone, waba, after string) (page whatsapp.TemplatePage, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		page, err = graph.Templates(ctx, waba, after)
		return err
	})
	return page, err
}

// TemplateLibrary lists a page of the templates of Meta's library.
func (s source) TemplateLibrary(ctx context.Context, phone string, of whatsapp.LibrarySearch, after string) (
	page whatsapp.LibraryPage, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		page, err = graph.TemplateLibrary(ctx, of, after)
		return err
	})
	return page, err
}

// FindTemplate looks for a template of an account.
func (s source) FindTemplate(ctx context.Context, phone, waba, name, language string) (found whatsapp.ListedTemplate,
	has bool, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		found, has, err = graph.FindTemplate(ctx, waba, name, language)
		return err
	})
	return found, has, err
}

// CreateTemplate has Meta review a new template.
func (s source) CreateTemplate(ctx context.Context, phone, waba string,
	of whatsapp.TemplateDraft) (created whatsapp.ListedTemplate, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		created, err = graph.CreateTemplate(ctx, waba, of)
		return err
	})
	return created, err
}

// EditTemplate has Meta review other components of a template.
func (s source) EditTemplate(ctx context.Context, phone, id string, of whatsapp.TemplateDraft) error {
	return s.Call(phone, func(graph *whatsapp.Graph) error { return graph.EditTemplate(ctx, id, of) })
}

// UploadSample hands a sample of a template to Meta.
func (s source) UploadSample(ctx context.Context, phone string, of whatsapp.Sample) (handle string, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		handle, err = graph.UploadSample(ctx, of)
		return err
	})
	return handle, err
}

// DeleteTemplate deletes a template in one language.
func (s source) DeleteTemplate(ctx context.Context, phone, waba, name, id string) error {
	return s.Call(phone, func(graph *whatsapp.Graph) error { return graph.DeleteTemplate(ctx, waba, name, id) })
}

// Subscribe has Meta post an account's webhooks to the app, or not any more.
func (s source) Subscribe(ctx context.Context, phone, waba string, wanted bool) error {
	return s.Call(phone, func(graph *whatsapp.Graph) error { return graph.Subscribe(ctx, waba, wanted) })
}

// Subscribed reports whether Meta posts an account's webhooks to the app.
func (s source) Subscribed(ctx context.Context, phone, waba string) (is bool, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		is, err = graph.Subscribed(ctx, waba)
		return err
	})
	return is, err
}

// Payment returns the state of the payment of an order.
func (s source) Payment(ctx context.Context, phone, configuration, reference string) (status string,
	paid whatsapp.Payment, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		status, paid, err = graph.Payment(ctx, phone, configuration, reference)
		return err
	})
	return status, paid, err
}

// Refund gives money of a payment back.
func (s source) Refund(ctx context.Context, r whatsapp.RefundRequest) (answer whatsapp.Refund, err error) {
	err = s.Call(r.PhoneNumberID, func(graph *whatsapp.Graph) (err error) {
		answer, err = graph.Refund(ctx, r)
		return err
	})
	return answer, err
}

// CreatePaymentConfiguration has an account have a way to pay.
func (s source) CreatePaymentConfiguration(ctx context.Context, phone, waba string,
	c whatsapp.PaymentConfiguration) (connectURL string, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		connectURL, err = graph.CreatePaymentConfiguration(ctx, waba, c)
		return err
	})
	return connectURL, err
}

// PaymentConfiguration looks a way to pay up.
func (s source) PaymentConfiguration(ctx context.Context, phone, waba, name string) (c whatsapp.PaymentConfiguration,
	known bool, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		c, known, err = graph.PaymentConfiguration(ctx, waba, name)
		return err
	})
	return c, known, err
}

// DeletePaymentConfiguration has an account not have a way to pay any more.
func (s source) DeletePaymentConfiguration(ctx context.Context, phone, waba, name string) error {
	return s.Call(phone, func(graph *whatsapp.Graph) error {
		return graph.DeletePaymentConfiguration(ctx, waba, name)
	})
}

// AboutNumber makes a request about a number.
func (s source) AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (answer whatsapp.Object,
	err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		answer, err = graph.AboutNumber(ctx, phone, call)
		return err
	})
	return answer, err
}

// AboutNode makes a request about an object of Meta's, such as a catalogue, with the token of a number.
func (s source) AboutNode(ctx context.Context, phone, id string, call whatsapp.NumberCall) (answer whatsapp.Object,
	err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		answer, err = graph.AboutNode(ctx, id, call)
		return err
	})
	return answer, err
}

// AboutGroup makes a request about a group, with the token of a number.
func (s source) AboutGroup(ctx context.Context, phone, id string, call whatsapp.NumberCall) (answer whatsapp.Object,
	err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		answer, err = graph.AboutGroup(ctx, id, call)
		return err
	})
	return answer, err
}

// PutGroupPicture gives a group a picture with the token of a number.
func (s source) PutGroupPicture(ctx context.Context, phone, id string, picture []byte) (answer whatsapp.Object,
	err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		answer, err = graph.PutGroupPicture(ctx, id, picture)
		return err
	})
	return answer, err
}

// PutFlow hands Meta the JSON of a flow with the token of a number.
func (s source) PutFlow(ctx context.Context, phone, id string, text []byte) (answer whatsapp.Object, err error) {
	err = s.Call(phone, func(graph *whatsapp.Graph) (err error) {
		answer, err = graph.PutFlow(ctx, id, text)
		return err
	})
	return answer, err
}

// Download writes a file to w.
func (s source) Download(ctx context.Context, phone, url string, w io.Writer) error {
	return s.Call(phone, func(graph *whatsapp.Graph) error { return graph.Download(ctx, url, w) })
}
