package main

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/whatsapp"
)

// The templates of all accounts: of those whose number is at AWS End User Messaging there, of all others at Meta.

// Templates lists a page of an account's templates.
func (c carried) Templates(ctx context.Context, phone, waba, after string) (whatsapp.TemplatePage, error) {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return whatsapp.TemplatePage{}, err
	case id != "":
		return c.aws.Templates(ctx, id, after)
	}
	return c.meta.Templates(ctx, phone, waba, after)
}

// TemplateLibrary lists a page of the templates of Meta's library.
func (c carried) TemplateLibrary(ctx context.Context, phone string, of whatsapp.LibrarySearch, after string) (
	whatsapp.LibraryPage, error) {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return whatsapp.LibraryPage{}, err
	case id != "":
		return c.aws.TemplateLibrary(ctx, id, of, after)
	}
	return c.meta.TemplateLibrary(ctx, phone, of, after)
}

// TokenEnds returns when the access token of a number ends; the zero time for never. A number at AWS has no token.
func (c carried) TokenEnds(ctx context.Context, phone string) (time.Time, error) {
	id, err := c.aws.ID(ctx, phone)
	if err != nil || id != "" {
		return time.Time{}, err
	}
	return c.meta.TokenEnds(ctx, phone)
}

// FindTemplate looks for a template of an account.
func (c carried) FindTemplate(ctx context.Context, phone, waba, name, language string) (whatsapp.ListedTemplate, bool,
	error) {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return whatsapp.ListedTemplate{}, false, err
	case id != "":
		return c.aws.FindTemplate(ctx, id, name, language)
	}
	return c.meta.FindTemplate(ctx, phone, waba, name, language)
}

// CreateTemplate has Meta review a new template.
func (c carried) CreateTemplate(ctx context.Context, phone, waba string, of whatsapp.TemplateDraft) (
	whatsapp.ListedTemplate, error) {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return whatsapp.ListedTemplate{}, err
	case id != "":
		return c.aws.CreateTemplate(ctx, id, of)
	}
	return c.meta.CreateTemplate(ctx, phone, waba, of)
}

// EditTemplate has Meta review other components of a template.
func (c carried) EditTemplate(ctx context.Context, phone, template string, of whatsapp.TemplateDraft) error {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return err
	case id != "":
		return c.aws.EditTemplate(ctx, id, template, of)
	}
	return c.meta.EditTemplate(ctx, phone, template, of)
}

// DeleteTemplate deletes a template in one language.
func (c carried) DeleteTemplate(ctx context.Context, phone, waba, name, template string) error {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return err
	case id != "":
		return c.aws.DeleteTemplate(ctx, id, name, template)
	}
	return c.meta.DeleteTemplate(ctx, phone, waba, name, template)
}

// UploadSample hands a sample of a template to Meta.
func (c carried) UploadSample(ctx context.Context, phone string, of whatsapp.Sample) (string, error) {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return "", err
	case id != "":
		return c.aws.UploadSample(ctx, id, phone, of)
	}
	return c.meta.UploadSample(ctx, phone, of)
}
