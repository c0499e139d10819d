// Package templates has Meta review the templates that haatline sends and an account lacks.
package templates

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/ops/export"
	"github.com/haatline/haatline/infra/ops/usage"
)

const (
	patience  = 35 * time.Second // bounds one request; longer than the API's own limit
	maxAnswer = 32 << 20
	// placeholder is in the samples in the place of a picture, which no file of this repository holds.
	placeholder = "HANDLE_OF_AN_UPLOADED_PNG"
)

// Run asks for each template of a folder that the account lacks. It returns an error if some were refused.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("templates", flag.ContinueOnError)
	stage := flags.String("stage", "", "dev, staging or prod, whose API is looked up in AWS, or local")
	api := flags.String("api", "", "the API's address, instead of a stage")
	tokenFile := flags.String("token-file", "", "the file with the access token of an administrator")
	waba := flags.String("waba", "", "the WhatsApp Business Account")
	dir := flags.String("dir", "template-samples", "the folder of the templates")
	picture := flags.String("picture", "", "the mediaId of an uploaded PNG, for the templates with a picture")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	if *waba == "" {
		return usage.Wrong("templates: -waba says for which account")
	}
	address, local, err := export.Where(ctx, *stage, *api)
	if err != nil {
		return err
	}
	if *tokenFile == "" {
		*tokenFile = local
	}
	token, err := export.TokenFrom(*tokenFile)
	if err != nil {
		return err
	}
	s := &submission{api: address, token: token, waba: *waba, picture: *picture, out: out,
		http: &http.Client{Timeout: patience}}
	return s.run(ctx, *dir)
}

// submission asks for the templates of one account.
type submission struct {
	api, waba, picture string
	token              func() (string, error)
	http               *http.Client
	out                io.Writer
}

// template is what the API shows of one.
type template struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	Status   string `json:"status"`
	Asked    *struct {
		AnsweredAt string `json:"answeredAt"`
	} `json:"asked"`
}

// there reports whether Meta has a template, or is asked for it.
func (t template) there() bool {
	if t.Status == "" || t.Status == "DELETED" {
		return t.Asked != nil && t.Asked.AnsweredAt == ""
	}
	return true
}

func (s *submission) run(ctx context.Context, dir string) error {
	has, err := s.list(ctx)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, fmt.Errorf("there are no templates in %s", dir))
	}
	asked, refused := 0, 0
	for _, file := range files {
		body, about, err := s.read(file)
		if err != nil {
			return err
		}
		switch {
		case has[about]:
			continue
		case bytes.Contains(body, []byte(placeholder)):
			refused++
			fmt.Fprintln(s.out, about+" needs a picture: upload one, and name it with -picture")
			continue
		}
		status, answer, err := s.call(ctx, http.MethodPost, "/v1/templates", body)
		switch {
		case err != nil:
			return err
		case status != http.StatusAccepted:
			refused++
			fmt.Fprintln(s.out, about+" is refused:", why(answer))
		default:
			asked++
			fmt.Fprintln(s.out, about+" is asked for")
		}
	}
	fmt.Fprintf(s.out, "%d templates are asked for; the account has %d of %d\n", asked, len(files)-asked-refused,
		len(files))
	if refused > 0 {
		return fmt.Errorf("%d templates could not be asked for", refused)
	}
	return nil
}

// read returns the request for the template of a file, and its name and language.
func (s *submission) read(file string) (body []byte, about string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	if s.picture != "" {
		text = bytes.ReplaceAll(text, []byte(placeholder), []byte("media:"+s.picture))
	}
	var of struct {
		WABAID     string            `json:"wabaId"`
		Name       string            `json:"name"`
		Language   string            `json:"language"`
		Category   string            `json:"category"`
		Components []json.RawMessage `json:"components"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, "", fmt.Errorf("%s is not a template: %w", filepath.Base(file), err)
	}
	of.WABAID = s.waba
	body, err = json.Marshal(of)
	return body, of.Name + " in " + of.Language, err
}

// list returns the templates that Meta has or is asked for, by name and language.
func (s *submission) list(ctx context.Context) (map[string]bool, error) {
	has, cursor := map[string]bool{}, ""
	for {
		query := url.Values{"wabaId": {s.waba}, "limit": {"100"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		status, answer, err := s.call(ctx, http.MethodGet, "/v1/templates?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		var page struct {
			Items  []template `json:"items"`
			Cursor string     `json:"cursor"`
		}
		if status != http.StatusOK || json.Unmarshal(answer, &page) != nil {
			return nil, fmt.Errorf("list the templates: %s", why(answer))
		}
		for _, t := range page.Items {
			if t.there() {
				has[t.Name+" in "+t.Language] = true
			}
		}
		if cursor = page.Cursor; cursor == "" {
			return has, nil
		}
	}
}

func (s *submission) call(ctx context.Context, method, path string, body []byte) (status int, answer []byte,
	err error) {
	token, err := s.token()
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, s.api+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, answer, err
}

// why returns what the API says of a request that it does not do.
func why(answer []byte) string {
	var problem struct {
		Title, Detail string
		Errors        []struct{ Location, Message string }
	}
	if json.Unmarshal(answer, &problem) != nil {
		return "the answer is not the API's"
	}
	texts := []string{strings.TrimSpace(problem.Title + ": " + problem.Detail)}
	for _, e := range problem.Errors {
		texts = append(texts, e.Location+": "+e.Message)
	}
	return strings.Join(texts, "; ")
}
