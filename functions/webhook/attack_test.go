package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	doorSecret, secondSecret, doorToken = "local-app-secret", "the-next-app-secret", "local-verify-token"
	// marker is part of everything that is posted. Neither an answer nor a log line may contain it.
	marker = "MARKER-OF-A-PERSON"
)

// door is the webhook, which everybody can reach.
type door struct {
	Handler
	db  *dynamotest.DB
	log *bytes.Buffer
}

func newDoor(t *testing.T) door {
	db, log := dynamotest.Start(t, tables.Messages), &bytes.Buffer{}
	noEnv := func(string) string { return "" }
	return door{db: db, log: log, Handler: Handler{
		Log:         webhooklog.Appender{DB: db.Client, Now: func() time.Time { return noon }},
		AppSecrets:  []*secrets.Secret{secrets.New(doorSecret+","+secondSecret, noEnv)},
		VerifyToken: secrets.New(doorToken, noEnv),
		Accounts:    accounts(db.Client, noEnv),
		Logger:      slog.New(slog.NewJSONHandler(log, nil)),
	}}
}

// accounts are the secrets of the accounts in an engine.
func accounts(client *dynamo.Client, getenv func(string) string) *verifying.Secrets {
	return &verifying.Secrets{
		DB: client, Now: func() time.Time { return noon }, Getenv: getenv, Log: slog.New(slog.DiscardHandler)}
}

// keptNothing fails the test if anything was stored, or if a log line contains a posted text or a secret.
func (d door) keptNothing(t *testing.T) {
	t.Helper()
	if items := d.db.Items(t, tables.Messages); len(items) != 0 {
		t.Errorf("%d entries were logged", len(items))
	}
	for _, text := range []string{marker, doorSecret, secondSecret, doorToken} {
		if strings.Contains(d.log.String(), text) {
			t.Errorf("a line of the log holds %q", text)
		}
	}
}

// knock is a request and its expected answer.
type knock struct {
	body, signature string
	change          func(*events.APIGatewayV2HTTPRequest)
	want            int
}

func (p knock) request() events.APIGatewayV2HTTPRequest {
	request := events.APIGatewayV2HTTPRequest{
		Body: p.body, Headers: map[string]string{"content-type": "application/json"}}
	if p.signature != "" {
		request.Headers["x-hub-signature-256"] = p.signature
	}
	request.RequestContext.HTTP.Method = http.MethodPost
	if p.change != nil {
		p.change(&request)
	}
	return request
}

// goodBody is a body that is logged if its signature is right.
const goodBody = `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages",` +
	`"value":{"x":"` + marker + `"}}]}]}`

// forgedPosts returns posts without a valid signature.
func forgedPosts() map[string]knock {
	const good = goodBody
	mac := strings.TrimPrefix(whatsapp.Sign(doorSecret, []byte(good)), "sha256=")
	raw, _ := hex.DecodeString(mac)
	posts := map[string]knock{}
	for name, signature := range map[string]string{
		"no signature": "", "only the prefix": "sha256=", "without the prefix": mac,
		"the prefix in capitals": "SHA256=" + mac, "sha1": "sha1=" + mac,
		"the prefix twice": "sha256=sha256=" + mac, "base64": "sha256=" + base64.StdEncoding.EncodeToString(raw),
		"half of it":      "sha256=" + mac[:32],
		"all but a digit": "sha256=" + mac[:63], "a digit more": "sha256=" + mac + "0",
		"a byte more": "sha256=" + mac + "00", "twice": "sha256=" + mac + mac,
		"two, the right one first": "sha256=" + mac + ",sha256=" + mac,
		"two with a blank":         "sha256=" + mac + ", sha256=" + mac, "blanks": "sha256= " + mac,
		"a blank after it": "sha256=" + mac + " ",
		"a line break":     "sha256=" + mac + "\r\n", "zeros": "sha256=" + strings.Repeat("0", 64),
		"another digit":                   "sha256=" + string(mac[0]^1) + mac[1:],
		"signed with nothing":             whatsapp.Sign("", []byte(good)),
		"signed with the token":           whatsapp.Sign(doorToken, []byte(good)),
		"signed with both secrets as one": whatsapp.Sign(doorSecret+","+secondSecret, []byte(good)),
		"a hundred thousand digits":       "sha256=" + strings.Repeat("ab", 50_000),
		"many": strings.Repeat("sha256="+strings.Repeat("0", 64)+",", 1000) +
			"sha256=" + mac,
		"the signature of no body": whatsapp.Sign(doorSecret, nil),
		"no digits":                "sha256=" + strings.Repeat("g", 64),
		"wide digits":              "sha256=" + strings.Repeat("０", 64),
	} {
		posts[name] = knock{good, signature, nil, http.StatusUnauthorized}
	}
	// A body is not looked into before its signature is verified, so any body without one is unauthorized.
	for name, body := range map[string]string{
		"empty": "", "no JSON": marker, "half of JSON": `{"entry":[` + marker, "deep": strings.Repeat("[", 1<<20),
		"no UTF-8": "\xff\xfe" + marker, "a blank more": good + " ",
		"another case": strings.ToUpper(good), "nearly too large": strings.Repeat(" ", maxBody),
	} {
		posts["a body that is "+name] = knock{body, "sha256=" + mac, nil, http.StatusUnauthorized}
	}
	large := strings.Repeat("x", maxBody+1)
	posts["a body too large"] = knock{large, "sha256=" + mac, nil, http.StatusRequestEntityTooLarge}
	posts["a body too large that is signed"] = knock{
		large, whatsapp.Sign(doorSecret, []byte(large)), nil, http.StatusRequestEntityTooLarge}
	posts["a body that is no base64"] = knock{
		"!" + marker, "sha256=" + mac, func(r *events.APIGatewayV2HTTPRequest) { r.IsBase64Encoded = true },
		http.StatusBadRequest}
	posts["base64 signed as it is written"] = knock{
		base64.StdEncoding.EncodeToString([]byte(good)),
		whatsapp.Sign(doorSecret, []byte(base64.StdEncoding.EncodeToString([]byte(good)))),
		func(r *events.APIGatewayV2HTTPRequest) { r.IsBase64Encoded = true }, http.StatusUnauthorized,
	}
	posts["a signature in another header"] = knock{
		good, "", func(r *events.APIGatewayV2HTTPRequest) {
			r.Headers["x-hub-signature"] = "sha256=" + mac
		}, http.StatusUnauthorized}
	posts["a signature in the query"] = knock{
		good, "", func(r *events.APIGatewayV2HTTPRequest) {
			r.RawQueryString = "x-hub-signature-256=sha256=" + mac
		}, http.StatusUnauthorized}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "HEAD", "post", ""} {
		posts["the method "+method] = knock{
			good, "", func(r *events.APIGatewayV2HTTPRequest) {
				r.RequestContext.HTTP.Method = method
			}, http.StatusUnauthorized}
	}
	return posts
}

func TestOnlySignedPostsAreAccepted(t *testing.T) {
	d, posts := newDoor(t), forgedPosts()
	for name, p := range posts {
		response, err := d.Handle(t.Context(), p.request())
		if err != nil || response.StatusCode != p.want || strings.Contains(response.Body, marker) ||
			len(response.Body) > 40 {
			t.Errorf("%s: answered %d, want %d: %.100q, %v", name, response.StatusCode, p.want, response.Body, err)
		}
	}
	d.keptNothing(t)
	t.Logf("forged posts %d", len(posts))
	// proves that the forged posts are not refused for another reason
	for _, secret := range []string{doorSecret, secondSecret} {
		p := knock{body: goodBody, signature: whatsapp.Sign(secret, []byte(goodBody)),
			change: func(r *events.APIGatewayV2HTTPRequest) { r.Headers["content-type"] = "text/plain" }}
		if response, err := d.Handle(t.Context(), p.request()); err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("what they are made from is refused, too: %d, %v", response.StatusCode, err)
		}
	}
}

func TestAHandshakeNeedsTheVerifyToken(t *testing.T) {
	d := newDoor(t)
	handshakes := map[string]map[string]string{
		"nothing": nil, "no token": {"hub.mode": "subscribe", "hub.challenge": marker},
		"an empty token": {"hub.mode": "subscribe", "hub.verify_token": "", "hub.challenge": marker},
		"another token":  {"hub.mode": "subscribe", "hub.verify_token": doorToken + "x", "hub.challenge": marker},
		"a part of it":   {"hub.mode": "subscribe", "hub.verify_token": doorToken[:5], "hub.challenge": marker},
		"two":            {"hub.mode": "subscribe", "hub.verify_token": "x," + doorToken, "hub.challenge": marker},
		"no mode":        {"hub.verify_token": doorToken, "hub.challenge": marker},
		"another mode":   {"hub.mode": "unsubscribe", "hub.verify_token": doorToken, "hub.challenge": marker},
		"the secret":     {"hub.mode": "subscribe", "hub.verify_token": doorSecret, "hub.challenge": marker},
		"capitals":       {"HUB.MODE": "subscribe", "HUB.VERIFY_TOKEN": doorToken, "hub.challenge": marker},
	}
	for name, query := range handshakes {
		request := events.APIGatewayV2HTTPRequest{QueryStringParameters: query}
		request.RequestContext.HTTP.Method = http.MethodGet
		if response, err := d.Handle(t.Context(), request); err != nil || response.StatusCode != http.StatusForbidden ||
			response.Body != "forbidden" {
			t.Errorf("a handshake with %s: answered %d %q, %v", name, response.StatusCode, response.Body, err)
		}
	}
	d.keptNothing(t)
	t.Logf("handshakes %d", len(handshakes))
}

// Somebody with the secret may post anything without causing an internal error.
func TestNoSignedBodyCausesAnInternalError(t *testing.T) {
	d := newDoor(t)
	for name, body := range map[string]string{
		"empty": "", "no JSON": marker, "null": "null", "a list": "[]", "deep": strings.Repeat("[", 1<<20),
		"no entries": "{}", "entries of another type": `{"entry":7}`,
		"an entry of another type": `{"entry":[7,null,"x"]}`,
		"changes of another type":  `{"entry":[{"id":7,"changes":{"x":1}}]}`,
		"no UTF-8":                 "{\"entry\":[{\"id\":\"\xff\"}]}",
		"a nul":                    `{"entry":[{"id":"\u0000","changes":[{"field":"\u0000","value":{}}]}]}`,
		"a # in an id":             `{"entry":[{"id":"1#2","changes":[{"field":"messages#x","value":{}}]}]}`,
		"a long id": `{"entry":[{"id":"` + strings.Repeat("9", 3000) + `","changes":[{"field":"` +
			strings.Repeat("f", 3000) + `","value":{"metadata":{"phone_number_id":"` + strings.Repeat("1", 3000) +
			`"}}}]}]}`,
	} {
		p := knock{body: body, signature: whatsapp.Sign(doorSecret, []byte(body))}
		if response, err := d.Handle(t.Context(), p.request()); err != nil || response.StatusCode >= 500 ||
			strings.Contains(response.Body, marker) {
			t.Errorf("%s: answered %d %q, %v", name, response.StatusCode, response.Body, err)
		}
	}
}
