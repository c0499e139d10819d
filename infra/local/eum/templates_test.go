package eum_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/local/files"
	client "github.com/haatline/haatline/shared/eum"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/whatsapp"
)

// functions returns a client as the functions have it.
func (s *standIn) functions() *client.Client {
	env := map[string]string{
		"AWS_REGION": region, "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_SOCIALMESSAGING": s.address + eum.Path, "WHATSAPP_GRAPH_URL": "http://x/v23.0"}
	return client.New(func(name string) string { return env[name] }, http.DefaultClient)
}

// Meta and AWS show the same template in the same state.
func TestATemplateIsMadeEditedAndDeletedByAWS(t *testing.T) {
	s, account := start(t), eum.AccountID(waba)
	c, ctx := s.functions(), t.Context()
	s.at("incoming/header", "a picture")
	handle, err := c.Sample(ctx, account, files.Bucket, "incoming/header")
	if err != nil {
		t.Fatal(err)
	}
	draft := whatsapp.TemplateDraft{
		Name: "bill", Language: "en", Category: "UTILITY", ParameterFormat: "POSITIONAL",
		Components: []json.RawMessage{
			json.RawMessage(`{"type":"HEADER","format":"IMAGE","example":{"header_handle":["` + handle + `"]}}`),
			json.RawMessage(`{"type":"BODY","text":"Your bill is ready."}`)}}
	made, err := c.CreateTemplate(ctx, account, draft)
	if err != nil || made.Status != "PENDING" || made.ID == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	if _, err := c.CreateTemplate(ctx, account, draft); err == nil {
		t.Error("a template that exists is made again")
	}
	find := func() whatsapp.ListedTemplate {
		t.Helper()
		found, has, err := c.FindTemplate(ctx, account, "bill", "en")
		if err != nil || !has {
			t.Fatal(has, err)
		}
		return found
	}
	eventually.Holds(t, "the review is done", func() bool { return find().Status == "APPROVED" })
	draft.Components = []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"Your new bill is ready."}`)}
	if err := c.EditTemplate(ctx, account, made.ID, draft); err != nil {
		t.Error(err)
	}
	if found := find(); found.ID != made.ID || len(found.Components) != 1 ||
		!strings.Contains(string(found.Components[0]), "new bill") {
		t.Errorf("%+v", found)
	}
	var names []string
	for after, first := "", true; first || after != ""; first = false {
		page, err := c.Templates(ctx, account, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range page.Templates {
			names = append(names, one.Name+" "+one.Language)
		}
		after = page.After
	}
	if diff := cmp.Diff([]string{"hello_world en_US", "bill en"}, names); diff != "" {
		t.Error(diff)
	}
	for range 2 { // a repetition does no harm
		if err := c.DeleteTemplate(ctx, account, "bill", made.ID); err != nil {
			t.Error(err)
		}
	}
	if _, has, err := c.FindTemplate(ctx, account, "bill", "en"); has || err != nil {
		t.Error(has, err)
	}
	if _, _, err := c.FindTemplate(ctx, eum.AccountID("7"), "bill", "en"); err == nil {
		t.Error("another account is not there")
	}
}

func TestAWSListsTemplatesInPages(t *testing.T) {
	s, account := start(t), aws.String(eum.AccountID(waba))
	for _, name := range []string{"a", "b"} {
		if _, err := s.functions().CreateTemplate(t.Context(), *account, whatsapp.TemplateDraft{
			Name: name, Language: "en", Category: "UTILITY",
			Components: []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"Hello."}`)}}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	in := &socialmessaging.ListWhatsAppMessageTemplatesInput{Id: account, MaxResults: aws.Int32(2)}
	for first := true; first || in.NextToken != nil; first = false {
		page, err := s.ListWhatsAppMessageTemplates(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range page.Templates {
			names = append(names, aws.ToString(one.TemplateName))
		}
		got, in.NextToken = append(got, strings.Join(names, " ")), page.NextToken
	}
	if diff := cmp.Diff([]string{"hello_world a", "b"}, got); diff != "" {
		t.Error(diff)
	}
	in.MaxResults = aws.Int32(101)
	_, err := s.ListWhatsAppMessageTemplates(t.Context(), in)
	if !strings.Contains(refusal(err), "ValidationException") {
		t.Errorf("%v", err)
	}
}

func TestWhatAWSRefusesOfTemplates(t *testing.T) {
	s, account := start(t), aws.String(eum.AccountID(waba))
	for name, c := range map[string]struct {
		do   func() error
		want string
	}{
		"a definition that is not JSON": {func() error {
			_, err := s.CreateWhatsAppMessageTemplate(t.Context(), &socialmessaging.CreateWhatsAppMessageTemplateInput{
				Id: account, TemplateDefinition: []byte("hello")})
			return err
		}, "Bad Request, InvalidParametersException"},
		"what Meta refuses": {func() error {
			_, err := s.CreateWhatsAppMessageTemplate(t.Context(), &socialmessaging.CreateWhatsAppMessageTemplateInput{
				Id: account, TemplateDefinition: []byte(`{"name":"A"}`)})
			return err
		}, "Bad Request, InvalidParametersException, (#100)"},
		"too many components": {func() error {
			_, err := s.UpdateWhatsAppMessageTemplate(t.Context(), &socialmessaging.UpdateWhatsAppMessageTemplateInput{
				Id: account, MetaTemplateId: aws.String("1"), TemplateComponents: []byte(strings.Repeat("x", 3001))})
			return err
		}, "Bad Request, ValidationException"},
		"a template that is not named": {func() error {
			_, err := s.GetWhatsAppMessageTemplate(t.Context(),
				&socialmessaging.GetWhatsAppMessageTemplateInput{Id: account})
			return err
		}, "Bad Request, InvalidParametersException"},
		"a template that is not there": {func() error {
			_, err := s.GetWhatsAppMessageTemplate(t.Context(), &socialmessaging.GetWhatsAppMessageTemplateInput{
				Id: account, MetaTemplateId: aws.String("1")})
			return err
		}, "Not Found, ResourceNotFoundException"},
		"the deletion of one without its id": {func() error {
			_, err := s.DeleteWhatsAppMessageTemplate(t.Context(), &socialmessaging.DeleteWhatsAppMessageTemplateInput{
				Id: account, TemplateName: aws.String("hello_world")})
			return err
		}, "Bad Request, InvalidParametersException"},
		"the deletion of all, twice": {func() error {
			var err error
			for range 2 {
				_, err = s.DeleteWhatsAppMessageTemplate(t.Context(),
					&socialmessaging.DeleteWhatsAppMessageTemplateInput{
						Id: account, TemplateName: aws.String("hello_world"), DeleteAllLanguages: aws.Bool(true)})
			}
			return err
		}, "Not Found, ResourceNotFoundException"},
		"an unknown filter": {func() error {
			_, err := s.ListWhatsAppTemplateLibrary(t.Context(), &socialmessaging.ListWhatsAppTemplateLibraryInput{
				Id: account, Filters: map[string]string{"colour": "red"}})
			return err
		}, "Bad Request, ValidationException"},
	} {
		if got := refusal(c.do()); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s\n  want %s", name, got, c.want)
		}
	}
}

func TestATemplateOfTheLibraryIsFoundAndTaken(t *testing.T) {
	s := start(t)
	c, account := s.functions(), eum.AccountID(waba)
	page, err := c.TemplateLibrary(t.Context(), account, whatsapp.LibrarySearch{Topic: "ORDER_MANAGEMENT"}, "")
	if err != nil || len(page.Entries) != 1 || page.Entries[0].Name != "delivery_update_sample" ||
		page.Entries[0].Samples[0] != "Asha" || len(page.Entries[0].Buttons) != 1 || page.After != "" {
		t.Fatalf("%+v, %v", page, err)
	}
	made, err := c.CreateTemplate(t.Context(), account, whatsapp.TemplateDraft{
		Name: "bill", Language: "en_US", Category: "UTILITY", LibraryTemplate: page.Entries[0].Name,
		LibraryButtons: []json.RawMessage{json.RawMessage(`{"type":"URL",` +
			`"url":{"base_url":"https://shop.example/{{1}}","url_suffix_example":"https://shop.example/1"}}`)},
		LibraryBody: json.RawMessage(`{"add_contact_number":true}`)})
	if err != nil || made.Status != "APPROVED" {
		t.Fatalf("%+v, %v", made, err)
	}
	found, has, err := c.FindTemplate(t.Context(), account, "bill", "en_US")
	if err != nil || !has || found.Library != "delivery_update_sample" ||
		!strings.Contains(string(found.Components[1]), "https://shop.example/{{1}}") {
		t.Errorf("%+v, %v, %v", found, has, err)
	}
	if _, err := c.CreateTemplate(t.Context(), account, whatsapp.TemplateDraft{
		Name: "other", Language: "en_US", Category: "UTILITY", LibraryTemplate: "none"}); err == nil {
		t.Error("the library has no such template")
	}
}
