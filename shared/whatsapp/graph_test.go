package whatsapp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

const token = "EAAB-very-secret"

// graph returns a client of a server that answers with the handler.
func graph(t *testing.T, answer http.HandlerFunc) *whatsapp.Graph {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return &whatsapp.Graph{
		URL: server.URL + "/v24.0", HTTP: server.Client(),
		Token: func(context.Context) (string, error) { return token, nil },
	}
}

func answering(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

// hello is a message body.
const hello = `{"messaging_product":"whatsapp","to":"919876543210","type":"text","text":{"body":"hi"}}`

// outcome is what a send returned.
type outcome struct {
	ID        string
	Class     whatsapp.Class
	Code      int64
	HTTP      int
	Ambiguous bool
	Held      bool
}

func send(t *testing.T, g *whatsapp.Graph, message string) (outcome, *whatsapp.SendError) {
	t.Helper()
	taken, err := g.Send(t.Context(),
		whatsapp.Request{
			PhoneNumberID: "106540352242922", Body: json.RawMessage(message), CallbackData: "5e9-0000000007"})
	if err == nil {
		return outcome{ID: taken.ID, Held: taken.Held}, nil
	}
	var failed *whatsapp.SendError
	if !errors.As(err, &failed) {
		t.Fatalf("%T, want *SendError: %v", err, err)
	}
	for cause := error(failed); cause != nil; cause = errors.Unwrap(cause) {
		if strings.Contains(cause.Error(), token) {
			t.Errorf("the token is in the error: %v", cause)
		}
	}
	return outcome{
			ID: taken.ID, Class: failed.Class, Code: failed.Meta.Code, HTTP: failed.HTTP, Ambiguous: failed.Ambiguous},
		failed
}

func TestAnAnswerMeansTakenRefusedOrAmbiguous(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		text   string
		want   outcome
	}{
		"taken": {
			200, `{"messaging_product":"whatsapp","contacts":[{"wa_id":"91"}],"messages":[{"id":"wamid.1",` +
				`"message_status":"accepted"}]}`, outcome{ID: "wamid.1"}},
		"held for a check": {
			200, `{"messages":[{"id":"wamid.1","message_status":"held_for_quality_assessment"}]}`,
			outcome{ID: "wamid.1", Held: true}},
		"taken, and something is odd": {
			200, `{"messages":[{"id":"wamid.1"}],"success":"true","error":null}`, outcome{ID: "wamid.1"}},
		"a read receipt": {200, `{"success":true}`, outcome{}},
		"refused": {
			400, `{"error":{"message":"m","code":131026,"error_data":{"details":"d"}}}`,
			outcome{Class: whatsapp.Never, Code: 131026, HTTP: 400}},
		"refused, the code as text": {
			400, `{"error":{"code":"131056"}}`, outcome{Class: whatsapp.WaitForPair, Code: 131056, HTTP: 400}},
		"refused with 200": {
			200, `{"error":{"code":131047}}`, outcome{Class: whatsapp.Never, Code: 131047, HTTP: 200}},
		"Meta's own trouble": {
			500, `{"error":{"code":131000}}`, outcome{Class: whatsapp.Retry, Code: 131000, HTTP: 500}},
		"a dead token": {
			401, `{"error":{"code":190,"type":"OAuthException"}}`,
			outcome{Class: whatsapp.StopSender, Code: 190, HTTP: 401}},
		"an unknown code": {
			400, `{"error":{"code":987654}}`, outcome{Class: whatsapp.Never, Code: 987654, HTTP: 400}},
		"an unknown code and a 5xx": {
			503, `{"error":{"code":987654}}`, outcome{Class: whatsapp.Retry, Code: 987654, HTTP: 503}},
		"an unknown code that passes": {
			400, `{"error":{"code":987654,"is_transient":true}}`,
			outcome{Class: whatsapp.Retry, Code: 987654, HTTP: 400}},
		"a known code that does not": {
			400, `{"error":{"code":131026,"is_transient":true}}`,
			outcome{Class: whatsapp.Never, Code: 131026, HTTP: 400}},
		"the code 0": {
			400, `{"error":{"code":0}}`, outcome{Class: whatsapp.StopSender, Code: 0, HTTP: 400}},
		"no code is not the code 0": {
			400, `{"error":{"message":"m"}}`, outcome{Class: whatsapp.Never, Code: -1, HTTP: 400}},
		"too much, from a gateway": {429, `slow down`, outcome{Class: whatsapp.Retry, HTTP: 429}},
		"a 4xx that says nothing":  {404, `not here`, outcome{Class: whatsapp.Never, HTTP: 404}},
		"a 5xx without an error": {
			502, `<html>Bad Gateway</html>`, outcome{Class: whatsapp.Retry, HTTP: 502, Ambiguous: true}},
		"a 5xx with nothing": {504, ``, outcome{Class: whatsapp.Retry, HTTP: 504, Ambiguous: true}},
		"a 5xx of something else": {
			500, `{"error":"Internal Server Error"}`, outcome{Class: whatsapp.Retry, HTTP: 500, Ambiguous: true}},
		"a 5xx error without a code": {
			500, `{"error":{"message":"upstream timed out"}}`,
			outcome{Class: whatsapp.Retry, HTTP: 500, Ambiguous: true}},
		"200 without an id": {
			200, `{"messages":[]}`, outcome{Class: whatsapp.Retry, HTTP: 200, Ambiguous: true}},
		"200 with an empty id": {
			200, `{"messages":[{"id":""}]}`, outcome{Class: whatsapp.Retry, HTTP: 200, Ambiguous: true}},
		"200 without success": {
			200, `{"success":false}`, outcome{Class: whatsapp.Retry, HTTP: 200, Ambiguous: true}},
		"200 that is not JSON": {
			200, `<html>welcome to the hotel</html>`, outcome{Class: whatsapp.Retry, HTTP: 200, Ambiguous: true}},
		"200 with nothing": {200, ``, outcome{Class: whatsapp.Retry, HTTP: 200, Ambiguous: true}},
		"200 and an error of no shape": {
			200, `{"error":"x"}`, outcome{Class: whatsapp.Retry, HTTP: 200, Ambiguous: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := send(t, graph(t, answering(c.status, c.text)), hello)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("HTTP %d %s:\n%s", c.status, c.text, diff)
			}
		})
	}
}

func TestAnErrorContainsMetasMessage(t *testing.T) {
	for text, want := range map[string]string{
		`{"error":{"code":131026,"message":"m",` +
			`"error_data":{"details":"Undeliverable"}}}`: "WhatsApp error 131026: Undeliverable",
		`{"error":{"code":131026,"message":"m","error_user_msg":"Try ` +
			`another number"}}`: "WhatsApp error 131026: Try another number",
		`{"error":{"code":131026,"message":"(#131026) Receiver is incapable",` +
			`"type":"t"}}`: "WhatsApp error 131026: (#131026) Receiver is incapable",
		`nothing`: "WhatsApp answered HTTP 400",
	} {
		if _, failed := send(t, graph(t, answering(400, text)), hello); failed.Error() != want {
			t.Errorf("%s: %q, want %q", text, failed.Error(), want)
		}
	}
}

func TestARequestThatNeverReachedMetaIsNotAmbiguous(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + listener.Addr().String()
	listener.Close()
	tokenOf := func(token string, err error) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return token, err }
	}
	refused := errors.New("no access to the secret")
	for name, c := range map[string]struct {
		g       whatsapp.Graph
		message string
		want    outcome
	}{
		"nobody listens": {
			whatsapp.Graph{URL: nobody, Token: tokenOf(token, nil)}, hello, outcome{Class: whatsapp.Retry}},
		"no such host": {
			whatsapp.Graph{URL: "http://graph.invalid", Token: tokenOf(token, nil)}, hello,
			outcome{Class: whatsapp.Retry}},
		"no token": {
			whatsapp.Graph{URL: nobody, Token: tokenOf("", refused)}, hello, outcome{Class: whatsapp.Retry}},
		"an address that is none": {
			whatsapp.Graph{URL: "http://%zz", Token: tokenOf(token, nil)}, hello, outcome{Class: whatsapp.Never}},
		"a message that is none": {
			whatsapp.Graph{URL: nobody, Token: tokenOf(token, nil)}, `[1]`, outcome{Class: whatsapp.Never}},
		"a message that is null": {
			whatsapp.Graph{URL: nobody, Token: tokenOf(token, nil)}, `null`, outcome{Class: whatsapp.Never}},
		"a message that is broken": {
			whatsapp.Graph{URL: nobody, Token: tokenOf(token, nil)}, `{"a"`, outcome{Class: whatsapp.Never}},
	} {
		t.Run(name, func(t *testing.T) {
			c.g.HTTP = &http.Client{Transport: &http.Transport{}}
			got, failed := send(t, &c.g, c.message)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%v:\n%s", failed, diff)
			}
		})
	}
}

func TestAConnectionCutAfterTheRequestIsAmbiguous(t *testing.T) {
	cut := func(w http.ResponseWriter, r *http.Request, answer string) {
		_, _ = io.Copy(io.Discard, r.Body)
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(connection, answer)
		connection.Close()
	}
	for name, answer := range map[string]string{
		"before any answer":   "",
		"within the headers":  "HTTP/1.1 200 OK\r\nContent-Le",
		"within the body":     "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"messages\":[{\"id\":",
		"not HTTP at all":     "welcome\r\n\r\n",
		"within a 5xx's body": "HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\n{\"error\":",
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, func(w http.ResponseWriter, r *http.Request) { cut(w, r, answer) })
			got, _ := send(t, g, hello)
			if got.Class != whatsapp.Retry || !got.Ambiguous || got.ID != "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestACancelledSendIsAmbiguous(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	g := graph(t, func(http.ResponseWriter, *http.Request) {
		cancel() // the server has the request, so its effect is unknown from now on
		<-release
	})
	_, err := g.Send(ctx,
		whatsapp.Request{PhoneNumberID: "106540352242922", Body: json.RawMessage(hello), CallbackData: ""})
	close(release)
	var failed *whatsapp.SendError
	if !errors.As(err, &failed) || !failed.Ambiguous || failed.Class != whatsapp.Retry {
		t.Errorf("%+v", failed)
	}
}

func TestARequestHasTheFormOfTheCloudAPI(t *testing.T) {
	for name, c := range map[string]struct {
		message, token, want string
	}{
		"a message carries the callback data": {
			hello, token,
			`{"biz_opaque_callback_data":"5e9-0000000007","messaging_product":"whatsapp","text":{"body":"hi"},` +
				`"to":"919876543210","type":"text"}`,
		},
		"callback data of a message is replaced": {
			`{"biz_opaque_callback_data":"old"}`, token, `{"biz_opaque_callback_data":"5e9-0000000007"}`},
		"a read receipt carries none": {
			`{"messaging_product":"whatsapp","status":"read","message_id":"wamid.1"}`, token,
			`{"message_id":"wamid.1","messaging_product":"whatsapp","status":"read"}`,
		},
		"a token pasted with a line break": {`{"status":"read"}`, token + "\n", `{"status":"read"}`},
	} {
		t.Run(name, func(t *testing.T) {
			var method, path, authorization, kind, body string
			g := graph(t, func(w http.ResponseWriter, r *http.Request) {
				text, _ := io.ReadAll(r.Body)
				method, path, body = r.Method, r.URL.EscapedPath(), string(text)
				authorization, kind = r.Header.Get("Authorization"), r.Header.Get("Content-Type")
				_, _ = io.WriteString(w, `{"messages":[{"id":"wamid.1"}]}`)
			})
			g.Token = func(context.Context) (string, error) { return c.token, nil }
			taken, err := g.Send(t.Context(),
				whatsapp.Request{
					PhoneNumberID: "106540352242922", Body: json.RawMessage(c.message), CallbackData: "5e9-0000000007"})
			if err != nil || taken.ID != "wamid.1" {
				t.Fatalf("%q, %v", taken.ID, err)
			}
			if method != http.MethodPost || path != "/v24.0/106540352242922/messages" ||
				authorization != "Bearer "+token || kind != "application/json" {
				t.Errorf("%s %s, %s, %s", method, path, authorization, kind)
			}
			if body != c.want {
				t.Errorf("body %s, want %s", body, c.want)
			}
		})
	}
}

func TestNothingIsSentFromAMalformedNumberID(t *testing.T) {
	asked := 0
	g := graph(t, func(http.ResponseWriter, *http.Request) { asked++ })
	g.Token = func(context.Context) (string, error) { asked++; return token, nil }
	for _, id := range []string{
		"", "me", "app", ".", "..", "../v1.0/me", "%2e%2e", "1234", " 106540352242922", "+106540352242922",
		"106540352242922.0",
		"106540352242922/../me", "106540352242922?x=1", "106540352242922#", "１０６５４０３５２", strings.Repeat("1", 21),
	} {
		_, err := g.Send(t.Context(),
			whatsapp.Request{PhoneNumberID: id, Body: json.RawMessage(hello), CallbackData: "5e9-0000000007"})
		var failed *whatsapp.SendError
		if !errors.As(err, &failed) || failed.Class != whatsapp.Never || failed.Ambiguous || asked != 0 {
			t.Errorf("%q: %v, asked %d times", id, err, asked)
		}
	}
}

func TestACloudAPIAddressHasAHostAndAVersion(t *testing.T) {
	for text, good := range map[string]bool{
		"https://graph.facebook.com/v23.0": true, "https://graph.example/v24.0/": true,
		"http://127.0.0.1:3001/v23.0": true,
		"":                            false, " ": false, "https://graph.facebook.com": false,
		"https://graph.facebook.com/":    false,
		"graph.facebook.com/v23.0":       false,
		"ftp://graph.facebook.com/v23.0": false, "https:///v23.0": false, "https://%zz": false,
		"https://graph.facebook.com/v23.0?access_token=x": false,
		"https://graph.facebook.com/v23.0\n":              false,
	} {
		if err := whatsapp.CheckURL(text); (err == nil) != good ||
			err != nil && strings.Contains(err.Error(), "access_token") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
