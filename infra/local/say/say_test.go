package say_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/say"
	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms/texted"
	"github.com/haatline/haatline/shared/tables"
)

// simulated serves a simulator whose webhook answers with the status. It returns its address and what was posted.
func simulated(t *testing.T, status int) (address string, posted *bytes.Buffer) {
	t.Helper()
	posted = &bytes.Buffer{}
	webhook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(posted, r.Body); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(webhook.Close)
	simulator, err := whatsappsim.New(whatsappsim.Options{AppSecret: "x", WebhookURL: webhook.URL})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(simulator)
	t.Cleanup(func() {
		server.Close()
		simulator.Close()
	})
	return server.URL, posted
}

func TestWhatIsSaidReachesTheWebhook(t *testing.T) {
	address, posted := simulated(t, http.StatusOK)
	for _, args := range [][]string{
		{"-addr", address, "-from", "919812345678", "-name", "Asha", "-phone", "4711", "-text", "2 kg rice"},
		{"-addr", strings.TrimPrefix(address, "http://"), "-user-id", "IN.2081", "2", "kg", "rice"},
	} {
		posted.Reset()
		var out bytes.Buffer
		if err := say.Run(t.Context(), args, &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), "said wamid.") || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("printed %q", &out)
		}
		if !strings.Contains(posted.String(), `"body":"2 kg rice"`) {
			t.Errorf("posted %s", posted)
		}
	}
	if !strings.Contains(posted.String(), `"from_user_id":"IN.2081"`) {
		t.Errorf("posted %s", posted)
	}
}

// running writes the addresses of a running cloud.
func running(t *testing.T, addresses map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("LOCAL_DIR", dir)
	content, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "addresses.json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheRunningCloudIsFoundByItsAddresses(t *testing.T) {
	address, posted := simulated(t, http.StatusOK)
	running(t, map[string]string{"whatsapp": address})
	if err := say.Run(t.Context(), []string{"-from", "919812345678", "-text", "hello"}, io.Discard); err != nil ||
		posted.Len() == 0 {
		t.Errorf("error %v, posted %s", err, posted)
	}
}

// The next thing that a person does is to read the inbox.
func TestSayingEndsWhenTheMessageIsInTheInbox(t *testing.T) {
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	client := engine.Client(e.Endpoint)
	if err := engine.CreateTables(t.Context(), client, []tables.Table{tables.Messages}, tables.Dev); err != nil {
		t.Fatal(err)
	}
	stored := false // the message's item is there before anything is said
	for _, want := range []string{"is not in the inbox after", "and it is in the inbox"} {
		webhook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var body struct {
				Entry []struct {
					Changes []struct {
						Value struct{ Messages []struct{ ID string } }
					}
				}
			}
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			if key := keys.Message(model.MessageID(body.Entry[0].Changes[0].Value.Messages[0].ID)); stored {
				_, err := client.PutItem(r.Context(), &dynamodb.PutItemInput{
					TableName: aws.String(tables.Messages.Name(tables.Dev)),
					Item: map[string]types.AttributeValue{
						key.PartitionName: &types.AttributeValueMemberS{Value: key.Partition}},
				})
				if err != nil {
					t.Error(err)
				}
			}
		}))
		t.Cleanup(webhook.Close)
		simulator, err := whatsappsim.New(whatsappsim.Options{AppSecret: "x", WebhookURL: webhook.URL})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(simulator.Close)
		server := httptest.NewServer(simulator)
		t.Cleanup(server.Close)
		running(t, map[string]string{"whatsapp": server.URL, "dynamodb": e.Endpoint})
		var out bytes.Buffer
		err = say.Run(t.Context(), []string{"-from", "919812345678", "-text", "hello", "-wait", "300ms"}, &out)
		if said := fmt.Sprint(out.String(), err); !strings.Contains(said, want) || (err == nil) != stored {
			t.Errorf("stored %t: %s", stored, said)
		}
		stored = true
	}
}

func TestWithoutARunningCloudItsPortIsTried(t *testing.T) {
	address, posted := simulated(t, http.StatusOK)
	t.Setenv("LOCAL_DIR", t.TempDir())
	t.Setenv("WHATSAPP_PORT", address[strings.LastIndex(address, ":")+1:])
	if err := say.Run(t.Context(), []string{"-from", "919812345678", "-text", "hello"}, io.Discard); err != nil ||
		posted.Len() == 0 {
		t.Errorf("error %v, posted %s", err, posted)
	}
}

func TestWhatCannotBeSaid(t *testing.T) {
	address, _ := simulated(t, http.StatusTeapot)
	notSimulator := httptest.NewServer(http.NotFoundHandler())
	defer notSimulator.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for complaint, args := range map[string][]string{
		"answered 418":           {"-addr", address, "-from", "919812345678", "-text", "hello"},
		"from or userId":         {"-addr", address, "-text", "hello"},
		"exactly one of text":    {"-addr", address, "-from", "919812345678"},
		"not the simulated":      {"-addr", notSimulator.URL, "-from", "919812345678", "-text", "hello"},
		"local cloud running":    {"-addr", gone.URL, "-from", "919812345678", "-text", "hello"},
		"flag provided but not ": {"-form", "919812345678"},
	} {
		var out bytes.Buffer
		if err := say.Run(t.Context(), args, &out); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("error %v, want one about %q", err, complaint)
		}
	}
}

// An email goes to the running cloud, which has SES take it.
func TestAnEmailIsSaid(t *testing.T) {
	var got email.Letter
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.URL.Path != cloud.EmailsPath {
			t.Errorf("%s %v", r.URL.Path, err)
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "m1")
	}))
	t.Cleanup(server.Close)
	running(t, map[string]string{"http": server.URL})
	var out bytes.Buffer
	err := say.Run(t.Context(), []string{
		"-email", "asha@example.com", "-to", "jobs@haat.example", "-subject", "Hello", "-text", "Yes, it is"}, &out)
	want := email.Letter{From: "asha@example.com", To: "jobs@haat.example", Subject: "Hello", Text: "Yes, it is"}
	if err != nil || got != want || !strings.Contains(out.String(), "said m1") {
		t.Errorf("%+v %v %s", got, err, out.String())
	}
}

// A text goes to the running cloud, as AWS tells of it.
func TestATextIsSaid(t *testing.T) {
	var got texted.Text
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		notice, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != cloud.TextsPath {
			t.Errorf("%s %v", r.URL.Path, err)
		}
		if got, err = texted.Read(notice); err != nil {
			http.Error(w, "the numbers are in E.164", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(server.Close)
	running(t, map[string]string{"http": server.URL})
	args := []string{"-sms", "+447700900555", "-to", "+447700900444", "-text", "Yes, it is"}
	if err := say.Run(t.Context(), args, io.Discard); err != nil || got.From != "447700900555" ||
		got.To != "447700900444" || got.Body != "Yes, it is" || got.ID == "" {
		t.Errorf("%+v %v", got, err)
	}
	args[3] = "nobody"
	if err := say.Run(t.Context(), args, io.Discard); err == nil || !strings.Contains(err.Error(), "E.164") {
		t.Errorf("to nobody: %v", err)
	}
}
