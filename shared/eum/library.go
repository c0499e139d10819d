package eum

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging/types"

	"github.com/haatline/haatline/shared/whatsapp"
)

// TemplateLibrary lists a page of the templates of Meta's library, for an account. AWS does not say of which types the
// variables are.
func (c *Client) TemplateLibrary(ctx context.Context, account string, of whatsapp.LibrarySearch, after string) (
	page whatsapp.LibraryPage, err error) {
	in := &socialmessaging.ListWhatsAppTemplateLibraryInput{
		Id: &account, MaxResults: aws.Int32(whatsapp.LibraryEntriesPerPage), Filters: map[string]string{}}
	for name, value := range map[string]string{
		"searchKey": of.Text, "topic": of.Topic, "usecase": of.UseCase, "industry": of.Industry,
		"language": of.Language} {
		if value != "" {
			in.Filters[name] = value
		}
	}
	if after != "" {
		in.NextToken = &after
	}
	out, err := c.api.ListWhatsAppTemplateLibrary(ctx, in)
	if err != nil {
		return page, harmless(err)
	}
	page.After = aws.ToString(out.NextToken)
	for _, t := range out.MetaLibraryTemplates {
		page.Entries = append(page.Entries, whatsapp.LibraryEntry{
			ID: aws.ToString(t.TemplateId), Name: aws.ToString(t.TemplateName),
			Language: whatsapp.TemplateLanguage(aws.ToString(t.TemplateLanguage)),
			Category: aws.ToString(t.TemplateCategory), Topic: aws.ToString(t.TemplateTopic),
			UseCase: aws.ToString(t.TemplateUseCase), Industries: t.TemplateIndustry,
			Header: aws.ToString(t.TemplateHeader), Body: aws.ToString(t.TemplateBody),
			Samples: t.TemplateBodyExampleParams, Buttons: metasButtons(t.TemplateButtons)})
	}
	return page, nil
}

// metasButtons returns buttons as Meta writes them.
func metasButtons(all []types.LibraryTemplateButtonList) []json.RawMessage {
	var written []json.RawMessage
	for _, b := range all {
		as := map[string]any{}
		for name, value := range map[string]*string{
			"type": b.Type, "text": b.Text, "url": b.Url, "phone_number": b.PhoneNumber, "otp_type": b.OtpType} {
			if text := aws.ToString(value); text != "" {
				as[name] = text
			}
		}
		text, _ := json.Marshal(as) // it is a map of texts
		written = append(written, text)
	}
	return slices.Clip(written)
}
