package eum

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging/types"
	"github.com/aws/smithy-go"

	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Templates of an account at AWS. AWS names the account waba-…, and a template by Meta's own id. Every error is a
// *whatsapp.SendError. A creation that was not answered may have had an effect: look for the template before repeating
// it. Nothing else does harm if it is repeated.

const (
	templatesPerPage = 100
	// readsAtOnce is how many templates are read at once. AWS lists them without what they say.
	readsAtOnce = 4
	// maxComponents bounds the components of an edit, in characters. AWS takes no more.
	maxComponents = 3000
)

// Account returns AWS's id of the account of a number, by AWS's id of the number.
func (c *Client) Account(ctx context.Context, number string) (string, error) {
	out, err := c.api.GetLinkedWhatsAppBusinessAccountPhoneNumber(ctx,
		&socialmessaging.GetLinkedWhatsAppBusinessAccountPhoneNumberInput{Id: &number})
	if err != nil {
		return "", withCredential(harmless(err), number)
	}
	if id := aws.ToString(out.LinkedWhatsAppBusinessAccountId); id != "" {
		return id, nil
	}
	return "", &whatsapp.SendError{
		Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: "the answer has no account"}}
}

// Templates lists a page of the templates of an account, with what they say.
func (c *Client) Templates(ctx context.Context, account, after string) (page whatsapp.TemplatePage, err error) {
	in := &socialmessaging.ListWhatsAppMessageTemplatesInput{Id: &account, MaxResults: aws.Int32(templatesPerPage)}
	if after != "" {
		in.NextToken = &after
	}
	out, err := c.api.ListWhatsAppMessageTemplates(ctx, in)
	if err != nil {
		return page, harmless(err)
	}
	page.After = aws.ToString(out.NextToken)
	page.Templates = make([]whatsapp.ListedTemplate, len(out.Templates))
	jobs := make([]func() error, len(out.Templates))
	for i, summary := range out.Templates {
		jobs[i] = func() (err error) {
			page.Templates[i], err = c.whole(ctx, account, summary)
			return err
		}
	}
	for _, err := range lanes.Concurrently(readsAtOnce, jobs...) {
		if err != nil {
			return whatsapp.TemplatePage{}, err
		}
	}
	return page, nil
}

// whole returns a template that is listed, with what it says. One that was deleted meanwhile says nothing.
func (c *Client) whole(ctx context.Context, account string, of types.TemplateSummary) (whatsapp.ListedTemplate, error) {
	listed := whatsapp.ListedTemplate{
		ID: aws.ToString(of.MetaTemplateId), Name: aws.ToString(of.TemplateName),
		Language: whatsapp.TemplateLanguage(aws.ToString(of.TemplateLanguage)),
		Status:   aws.ToString(of.TemplateStatus), Category: aws.ToString(of.TemplateCategory),
		Quality: aws.ToString(of.TemplateQualityScore), AWSAccount: account}
	found, has, err := c.template(ctx, account,
		&socialmessaging.GetWhatsAppMessageTemplateInput{Id: &account, MetaTemplateId: of.MetaTemplateId})
	if has {
		listed.Components, listed.Library = found.Components, found.Library
	}
	return listed, err
}

// FindTemplate looks for a template by its name and its language.
func (c *Client) FindTemplate(ctx context.Context, account, name, language string) (found whatsapp.ListedTemplate,
	has bool, err error) {
	return c.template(ctx, account, &socialmessaging.GetWhatsAppMessageTemplateInput{
		Id: &account, TemplateName: &name, TemplateLanguageCode: &language})
}

// template reads a template. It reports false for one that is not there.
func (c *Client) template(ctx context.Context, account string, in *socialmessaging.GetWhatsAppMessageTemplateInput) (
	found whatsapp.ListedTemplate, has bool, err error) {
	out, err := c.api.GetWhatsAppMessageTemplate(ctx, in)
	if missing(err) {
		return found, false, c.there(ctx, account)
	}
	if err != nil {
		return found, false, harmless(err)
	}
	found = whatsapp.TemplateOf(whatsapp.ObjectOf(json.RawMessage(aws.ToString(out.Template))))
	if found.Name == "" {
		return found, false, &whatsapp.SendError{
			Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: "the answer is no template"}}
	}
	found.AWSAccount = account
	return found, true, nil
}

// there returns an error unless AWS has the account: it answers the same about an account and about a template that it
// does not have.
func (c *Client) there(ctx context.Context, account string) error {
	_, err := c.api.ListWhatsAppMessageTemplates(ctx,
		&socialmessaging.ListWhatsAppMessageTemplatesInput{Id: &account, MaxResults: aws.Int32(1)})
	if err != nil {
		return harmless(err)
	}
	return nil
}

// missing reports whether AWS has answered that something is not there.
func missing(err error) bool {
	var said smithy.APIError
	return errors.As(err, &said) && said.ErrorCode() == "ResourceNotFoundException"
}

// CreateTemplate has Meta review a new template, or takes one of Meta's library.
func (c *Client) CreateTemplate(ctx context.Context, account string, of whatsapp.TemplateDraft) (
	whatsapp.ListedTemplate, error) {
	if of.LibraryTemplate != "" {
		return c.createFromLibrary(ctx, account, of)
	}
	definition, err := json.Marshal(of)
	if err != nil {
		return whatsapp.ListedTemplate{}, notJSON(err)
	}
	out, err := c.api.CreateWhatsAppMessageTemplate(ctx,
		&socialmessaging.CreateWhatsAppMessageTemplateInput{Id: &account, TemplateDefinition: definition})
	if err != nil {
		return whatsapp.ListedTemplate{}, failure(err)
	}
	return created(account, of, out.MetaTemplateId, out.TemplateStatus, out.Category)
}

func (c *Client) createFromLibrary(ctx context.Context, account string, of whatsapp.TemplateDraft) (
	whatsapp.ListedTemplate, error) {
	library := &types.MetaLibraryTemplate{
		LibraryTemplateName: &of.LibraryTemplate, TemplateCategory: &of.Category, TemplateLanguage: &of.Language,
		TemplateName: &of.Name, LibraryTemplateBodyInputs: bodyInputs(whatsapp.ObjectOf(of.LibraryBody))}
	for _, button := range of.LibraryButtons {
		library.LibraryTemplateButtonInputs = append(library.LibraryTemplateButtonInputs,
			buttonInput(whatsapp.ObjectOf(button)))
	}
	out, err := c.api.CreateWhatsAppMessageTemplateFromLibrary(ctx,
		&socialmessaging.CreateWhatsAppMessageTemplateFromLibraryInput{Id: &account, MetaLibraryTemplate: library})
	if err != nil {
		return whatsapp.ListedTemplate{}, failure(err)
	}
	return created(account, of, out.MetaTemplateId, out.TemplateStatus, out.Category)
}

// bodyInputs returns what is chosen of the text of a template of the library, as AWS takes it; nil for nothing.
func bodyInputs(of whatsapp.Object) *types.LibraryTemplateBodyInputs {
	if len(of) == 0 {
		return nil
	}
	chosen := func(name string) *bool {
		if _, has := of[name]; !has {
			return nil
		}
		return aws.Bool(of.Bool(name))
	}
	in := &types.LibraryTemplateBodyInputs{
		AddContactNumber: chosen("add_contact_number"), AddLearnMoreLink: chosen("add_learn_more_link"),
		AddSecurityRecommendation: chosen("add_security_recommendation"),
		AddTrackPackageLink:       chosen("add_track_package_link")}
	if minutes := of.Int("code_expiration_minutes"); minutes > 0 && minutes <= 90 {
		in.CodeExpirationMinutes = aws.Int32(int32(minutes))
	}
	return in
}

// buttonInput returns what fills in a button of a template of the library, as AWS takes it.
func buttonInput(of whatsapp.Object) types.LibraryTemplateButtonInput {
	text := func(name string) *string {
		if value := of.Text(name); value != "" {
			return &value
		}
		return nil
	}
	in := types.LibraryTemplateButtonInput{
		Type: text("type"), PhoneNumber: text("phone_number"), OtpType: text("otp_type"), Url: texts(of.Object("url"))}
	if _, has := of["zero_tap_terms_accepted"]; has {
		in.ZeroTapTermsAccepted = aws.Bool(of.Bool("zero_tap_terms_accepted"))
	}
	for _, app := range of.List("supported_apps").Objects() {
		in.SupportedApps = append(in.SupportedApps, texts(app))
	}
	return in
}

func texts(of whatsapp.Object) map[string]string {
	all := map[string]string{}
	for name := range of {
		all[name] = of.Text(name)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// created returns a template that AWS says is created.
func created(account string, of whatsapp.TemplateDraft, id, status, category *string) (whatsapp.ListedTemplate, error) {
	if aws.ToString(id) == "" {
		return whatsapp.ListedTemplate{}, &whatsapp.SendError{
			Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: "the answer has no template"}}
	}
	return whatsapp.ListedTemplate{
		ID: aws.ToString(id), Name: of.Name, Language: of.Language, Status: aws.ToString(status),
		Category: aws.ToString(category), Library: of.LibraryTemplate, AWSAccount: account}, nil
}

// EditTemplate has Meta review other components of a template, and another category unless that is empty.
func (c *Client) EditTemplate(ctx context.Context, account, id string, of whatsapp.TemplateDraft) error {
	components, err := json.Marshal(of.Components)
	if err != nil {
		return notJSON(err)
	}
	if len([]rune(string(components))) > maxComponents {
		return &whatsapp.SendError{Class: whatsapp.Never, Meta: whatsapp.Error{
			Message: "AWS takes at most 3000 characters of components in an edit"}}
	}
	in := &socialmessaging.UpdateWhatsAppMessageTemplateInput{
		Id: &account, MetaTemplateId: &id, TemplateComponents: components}
	if of.Category != "" {
		in.TemplateCategory = &of.Category
	}
	if of.ParameterFormat != "" {
		in.ParameterFormat = aws.String(strings.ToLower(of.ParameterFormat))
	}
	if _, err := c.api.UpdateWhatsAppMessageTemplate(ctx, in); err != nil {
		return harmless(err)
	}
	return nil
}

// DeleteTemplate deletes a template in one language. One that is not there is deleted already.
func (c *Client) DeleteTemplate(ctx context.Context, account, name, id string) error {
	_, err := c.api.DeleteWhatsAppMessageTemplate(ctx, &socialmessaging.DeleteWhatsAppMessageTemplateInput{
		Id: &account, TemplateName: &name, MetaTemplateId: &id, DeleteAllLanguages: aws.Bool(false)})
	switch {
	case err == nil:
		return nil
	case missing(err):
		return c.there(ctx, account)
	}
	return harmless(err)
}

// Sample hands a file of a bucket to Meta as the sample of a template, and returns the handle by which a template names
// it. A repetition makes another handle.
func (c *Client) Sample(ctx context.Context, account, bucket, key string) (handle string, err error) {
	out, err := c.api.CreateWhatsAppMessageTemplateMedia(ctx, &socialmessaging.CreateWhatsAppMessageTemplateMediaInput{
		Id: &account, SourceS3File: &types.S3File{BucketName: &bucket, Key: &key}})
	if err != nil {
		return "", harmless(err)
	}
	if handle = aws.ToString(out.MetaHeaderHandle); handle == "" {
		return "", &whatsapp.SendError{
			Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: "the answer has no handle"}}
	}
	return handle, nil
}

func notJSON(err error) error {
	return &whatsapp.SendError{
		Class: whatsapp.Never, Cause: err, Meta: whatsapp.Error{Message: "the components are not JSON"}}
}
