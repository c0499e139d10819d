package email_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/shared/mail"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/mail/received"
	"github.com/haatline/haatline/shared/mail/ses"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const asha, jobs = "asha@example.com", "jobs@haat.example"

// A letter answers the last email that its writer got from the address, and what is new in it is what they say. To
// another address it begins a thread.
func TestALetterAnswersTheLastEmail(t *testing.T) {
	server := &email.Server{Region: "ap-south-1"}
	first := sends(t, server, mail.Message{Subject: "आपका आवेदन", Text: "Is it ready?", ID: "a@haat.example"})
	second := sends(t, server, mail.Message{
		Subject: "Re: आपका आवेदन", Text: "Are you there?\nWe wait.", ID: "b@haat.example", ReplyOf: first})
	for to, want := range map[string]received.Email{
		jobs:                {Subject: "Re: आपका आवेदन", ReplyOf: second, References: []string{first, second}},
		"shop@haat.example": {Subject: ""},
	} {
		raw, err := server.Raw(email.Letter{From: asha, To: to, Text: "हाँ, yes"}, "m1", noon)
		if err != nil {
			t.Fatal(err)
		}
		got, err := received.Read(bytes.NewReader(raw), []string{to})
		if err != nil || got.Text != "हाँ, yes" || got.From.Address != asha || got.Kind != received.FromPerson ||
			got.Subject != want.Subject || got.ReplyOf != want.ReplyOf ||
			!slices.Equal(got.References, want.References) || got.ID != "m1@mail.example" {
			t.Errorf("to %s: %+v %v\n%s", to, got, err, raw)
		}
	}
	for name, l := range map[string]email.Letter{
		"no text":      {From: asha, To: jobs},
		"a line break": {From: asha, To: jobs + "\r\nBcc: all@example.com", Text: "x"},
	} {
		if raw, err := server.Raw(l, "m1", noon); err == nil {
			t.Errorf("%s: %s", name, raw)
		}
	}
}

// sends sends an email to Asha, and returns the Message-ID that it has at her.
func sends(t *testing.T, server *email.Server, m mail.Message) string {
	t.Helper()
	m.From, m.To, m.Date = mail.Person{Address: jobs}, asha, noon
	raw, err := mail.Bytes(m)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{
		"FromEmailAddress": jobs, "Destination": map[string]any{"ToAddresses": []string{asha}},
		"Content": map[string]any{"Raw": map[string]any{"Data": raw}}})
	if err != nil {
		t.Fatal(err)
	}
	answer, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost,
		email.Path+"/v2/email/outbound-emails", bytes.NewReader(body))
	server.ServeHTTP(answer, request)
	var out struct{ MessageId string }
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil || answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	return ses.MessageID(out.MessageId, "ap-south-1")
}

func TestWhatSESTellsOfALetter(t *testing.T) {
	n, err := notices.Read(email.Received("m1", jobs, "bucket", "mail/m1", noon))
	if err != nil || n.Kind != notices.Received || n.Key != "mail/m1" || n.Bucket != "bucket" || n.Forged || n.Spam ||
		n.Infected || !slices.Equal(n.To, []string{jobs}) || n.ID != "m1" || !n.At.Equal(noon) {
		t.Errorf("%+v %v", n, err)
	}
}
