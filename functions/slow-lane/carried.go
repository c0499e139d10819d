package main

import (
	"context"
	"io"

	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/whatsapp"
)

// carried gets and takes the files of all numbers: of those at AWS End User Messaging there, of all others at Meta.
type carried struct {
	meta source
	aws  *awsclient.Files
}

// File asks where a file is.
func (c carried) File(ctx context.Context, phone, mediaID string) (whatsapp.HeldFile, error) {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return whatsapp.HeldFile{}, err
	case id != "":
		return c.aws.File(ctx, id, phone, mediaID)
	}
	return c.meta.File(ctx, phone, mediaID)
}

// Download writes a file to w.
func (c carried) Download(ctx context.Context, phone, url string, w io.Writer) error {
	id, err := c.aws.ID(ctx, phone)
	switch {
	case err != nil:
		return err
	case id != "":
		return c.aws.Download(ctx, url, w)
	}
	return c.meta.Download(ctx, phone, url, w)
}

// Upload hands a file to Meta.
func (c carried) Upload(ctx context.Context, of whatsapp.Upload) (string, error) {
	id, err := c.aws.ID(ctx, of.PhoneNumberID)
	switch {
	case err != nil:
		return "", err
	case id != "":
		return c.aws.Upload(ctx, id, of)
	}
	return c.meta.Upload(ctx, of)
}
