package eum

import (
	"context"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging/types"

	"github.com/haatline/haatline/shared/whatsapp"
)

// A file goes between Meta and a bucket by links that are signed for it alone, so that AWS needs no access to the
// bucket. Nothing here does harm if it is repeated, so no error is ambiguous. Every error is a *whatsapp.SendError.

// File describes a file that came to a number, by AWS's id of the number. It has no URL.
func (c *Client) File(ctx context.Context, number, mediaID string) (whatsapp.HeldFile, error) {
	out, err := c.api.GetWhatsAppMessageMedia(ctx, &socialmessaging.GetWhatsAppMessageMediaInput{
		OriginationPhoneNumberId: &number, MediaId: &mediaID, MetadataOnly: aws.Bool(true)})
	if err != nil {
		return whatsapp.HeldFile{}, harmless(err)
	}
	return whatsapp.HeldFile{MimeType: aws.ToString(out.MimeType), Size: aws.ToInt64(out.FileSize)}, nil
}

// Fetch has AWS put a file to where a link leads. contentType is the type for which the link is signed.
func (c *Client) Fetch(ctx context.Context, number, mediaID, contentType, link string) error {
	_, err := c.api.GetWhatsAppMessageMedia(ctx, &socialmessaging.GetWhatsAppMessageMediaInput{
		OriginationPhoneNumberId: &number, MediaId: &mediaID, DestinationS3PresignedUrl: linked(link, contentType)})
	if err != nil {
		return harmless(err)
	}
	return nil
}

// Post has AWS hand the file behind a link to Meta, and returns Meta's id of it.
func (c *Client) Post(ctx context.Context, number, contentType, link string) (mediaID string, err error) {
	out, err := c.api.PostWhatsAppMessageMedia(ctx, &socialmessaging.PostWhatsAppMessageMediaInput{
		OriginationPhoneNumberId: &number, SourceS3PresignedUrl: linked(link, contentType)})
	if err != nil {
		return "", harmless(err)
	}
	if id := aws.ToString(out.MediaId); id != "" {
		return id, nil
	}
	return "", &whatsapp.SendError{
		Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: "the answer has no id"}}
}

func linked(link, contentType string) *types.S3PresignedUrl {
	return &types.S3PresignedUrl{Url: &link, Headers: map[string]string{"Content-Type": contentType}}
}

// harmless returns what an error of AWS's client means where a repetition does no harm.
func harmless(err error) *whatsapp.SendError {
	failed := failure(err)
	failed.Ambiguous = false
	return failed
}
