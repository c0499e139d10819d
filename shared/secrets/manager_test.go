package secrets

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// service imitates Secrets Manager: it requires a signed GetSecretValue and returns the given answers in turn.
func service(t *testing.T, answers ...string) (getenv func(string) string, asked *int) {
	t.Helper()
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ SecretId string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.SecretId != "haatline/prod/app" {
			t.Errorf("asked for %q, %v", in.SecretId, err)
		}
		if auth := r.Header.Get("Authorization"); r.Header.Get("X-Amz-Target") != "secretsmanager.GetSecretValue" ||
			!strings.Contains(auth, "/ap-south-1/secretsmanager/aws4_request") ||
			r.Header.Get("X-Amz-Security-Token") != "session" {
			t.Errorf("not signed as it should be: %v", r.Header)
		}
		status, body, _ := strings.Cut(answers[min(*asked, len(answers)-1)], " ")
		*asked++
		w.WriteHeader(map[string]int{"200": 200, "400": 400, "500": 500}[status])
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	env := map[string]string{
		"AWS_ENDPOINT_URL_SECRETS_MANAGER": server.URL, "AWS_REGION": "ap-south-1",
		"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_SESSION_TOKEN": "session",
	}
	return func(name string) string { return env[name] }, asked
}

func TestOneOfSeveralSecretsIsReadByItsName(t *testing.T) {
	for answer, want := range map[string]string{
		`{\"A\":\"first\",\"B\":\" second\\n\"}`: "second",
		`{\"A\":\"first\"}`:                      "",
		`{\"B\":7}`:                              "",
		`{\"B\":\"\"}`:                           "",
		`second`:                                 "",
	} {
		getenv, _ := service(t, `200 {"SecretString":"`+answer+`"}`)
		got, err := New("secretsmanager:haatline/prod/app#B", getenv).Get(t.Context())
		if got != want || (err == nil) != (want != "") ||
			err != nil && !strings.Contains(err.Error(), "haatline/prod/app#B: it holds no text") {
			t.Errorf("of %s: %q, %v", answer, got, err)
		}
	}
}

func TestASecretIsReadFromSecretsManager(t *testing.T) {
	for name, c := range map[string]struct {
		answers []string
		want    string
		fails   string
		asked   int
	}{
		"at once":                 {[]string{`200 {"SecretString":"s3cret"}`}, "s3cret", "", 1},
		"after a failing service": {[]string{`500 {}`, `200 {"SecretString":"s3cret"}`}, "s3cret", "", 2},
		"after a throttle": {
			[]string{`400 {"__type":"ThrottlingException"}`, `200 {"SecretString":"s3cret"}`}, "s3cret", "", 2},
		"not without leave": {
			[]string{`400 {"__type":"AccessDeniedException","message":"arn:aws:iam::1:user/x"}`}, "",
			"AccessDeniedException", 1},
		"not a binary one":        {[]string{`200 {"SecretBinary":"AA=="}`}, "", errEmpty.Error(), 1},
		"not from a dead service": {[]string{`500 <html>`}, "", "HTTP 500", fetchAttempts},
	} {
		t.Run(name, func(t *testing.T) {
			getenv, asked := service(t, c.answers...)
			got, err := New("secretsmanager:haatline/prod/app", getenv).Get(t.Context())
			if got != c.want || (err == nil) != (c.fails == "") || *asked != c.asked {
				t.Errorf("got %q, %v after %d questions", got, err, *asked)
			}
			if err != nil && (!strings.Contains(err.Error(), c.fails) || strings.Contains(err.Error(), "arn:")) {
				t.Errorf("error: %v", err)
			}
		})
	}
}
