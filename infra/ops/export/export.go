// Package export exports a tenant's data, or what is kept of one person: it reads lists of the API and writes JSON
// lines. It knows the API's lists and cursors and little else of their content.
//
// The export contains everything that existed when it began. It may or may not contain what arrives meanwhile.
package export

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/private"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// tokenVariable is the environment variable with the access token.
const tokenVariable = "HAATLINE_TOKEN"

// Run exports the data of all tenants that the token's bearer belongs to. It returns an error if something could not be
// read. An incomplete export has no end line.
//
// A line is {"kind":"conversation", …}: the API's object with its kind. Messages follow their conversation. A
// webhookEvent's own kind is in eventKind. A line of a person is {"kind":"khataEntry","data":{…}}: the object as it is
// stored, with its kind. The last line is {"kind":"end","counts":{…}}.
func Run(ctx context.Context, args []string, out, problems io.Writer) error {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod, whose API is looked up in AWS, or local")
	api := flags.String("api", "", "the API's address, instead of a stage")
	tokenFile := flags.String("token-file", "",
		"the file with the access token; "+tokenVariable+
			" where it is left out, and the local cloud's own with -stage local")
	into := flags.String("out", "",
		"the file for the lines, which you alone may read; they are printed where this is left out")
	wabas := flags.String("waba", "",
		"the tenant's WhatsApp Business Accounts, separated by commas, where it has several; none where it has none")
	of := person{}
	flags.StringVar(&of.address, "person", "",
		"a phone number with its country code, or Meta's user id: exports what is kept of that person alone")
	flags.StringVar(&of.reason, "reason", "a person asked for their data",
		"why a person's data is exported; it stays in the audit record, so name nobody")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	address, local, err := Where(ctx, *stageName, *api)
	if err != nil {
		return err
	}
	if *tokenFile == "" && os.Getenv(tokenVariable) == "" {
		*tokenFile = local
	}
	token, err := TokenFrom(*tokenFile)
	if err != nil {
		return err
	}
	file, err := private.Create(*into)
	if err != nil {
		return err
	}
	e := &exporter{
		client: newClient(address, token, func(text string) { fmt.Fprintln(problems, "haatline:", text) }),
		lines:  newLines(file.Or(out)), began: time.Now(),
		wabas: strings.FieldsFunc(*wabas, func(r rune) bool { return r == ',' || r == ' ' }), of: of,
	}
	if err := e.run(ctx); err != nil {
		_ = e.out.Flush() // what was read is of use, and says by itself that it is not all
		if file != nil {
			return fmt.Errorf("the export is not complete (what there is of it is in %s): %w", file.Name(), err)
		}
		return fmt.Errorf("the export is not complete: %w", err)
	}
	if err := file.Keep(); err != nil {
		return err
	}
	if of.address != "" {
		fmt.Fprintln(problems, e.said())
		return nil
	}
	fmt.Fprintf(problems, "exported %d conversations, %d messages, %d outbox events and %d webhook events\n",
		e.counts[conversationLine], e.counts[messageLine], e.counts[outboxLine], e.counts[webhookLine])
	return nil
}

// Where returns the API's address and, for the local cloud, the file with its token.
func Where(ctx context.Context, stageName, api string) (address, tokenFile string, err error) {
	var stage tables.Stage
	if stageName != "" {
		if stage, err = deployment.ParseStage(stageName, deployment.Local); err != nil {
			return "", "", err
		}
	}
	switch {
	case stage == deployment.Local:
		root, err := engine.Root()
		if err != nil {
			return "", "", err
		}
		dir := cloud.Dir(root, os.Getenv)
		if address, err = cloud.FrontAddress(dir, os.Getenv); err != nil {
			return "", "", err
		}
		tokenFile = cloud.TokenFile(dir)
	case stage != "" && api == "":
		if address, err = deployed(ctx, stage); err != nil {
			return "", "", err
		}
	case api == "":
		return "", "", usage.Wrong("export: neither -api nor -stage says where the API is")
	}
	if api != "" {
		address = api
	}
	address = strings.TrimSuffix(address, "/")
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "https" && parsed.Scheme != "http" {
		return "", "", usage.Wrong("-api %q is no address", address)
	}
	if ip := net.ParseIP(parsed.Hostname()); parsed.Scheme == "http" && parsed.Hostname() != "localhost" &&
		(ip == nil || !ip.IsLoopback()) {
		return "", "", usage.Wrong("-api %q would take the token unencrypted: use https", address)
	}
	return address, tokenFile, nil
}

// deployed returns the API's address of a stage in AWS.
func deployed(ctx context.Context, stage tables.Stage) (string, error) {
	account, err := deployment.AWS(ctx)
	if err != nil {
		return "", err
	}
	stack, err := deployment.Find(ctx, account, names.Functions, stage)
	if errors.Is(err, deployment.ErrNoStack) {
		return "", fmt.Errorf(
			"%w: deploy first, or set AWS_REGION and AWS_PROFILE to the deployment's, or name the API with -api", err)
	}
	if err != nil {
		return "", fmt.Errorf("read stack %s: %s", stack.Name, deployment.Why(err))
	}
	if stack.Outputs[names.APIURL] == "" {
		return "", fmt.Errorf("stack %s says no %s: name the API with -api", stack.Name, names.APIURL)
	}
	return stack.Outputs[names.APIURL], nil
}

// TokenFrom returns a function that reads the token anew at each call. It returns an error if there is no token now.
func TokenFrom(file string) (func() (string, error), error) {
	read := func() (string, error) {
		token := os.Getenv(tokenVariable)
		if file != "" {
			content, err := os.ReadFile(file)
			if err != nil {
				return "", fmt.Errorf("read the token: %w", err)
			}
			token = string(content)
		}
		if token = strings.TrimSpace(token); token == "" {
			return "", errors.New(
				"there is no token: make sign-in STAGE=… ARGS=\"-out token\", and name the file with -token-file, " +
					"or put it into " + tokenVariable)
		}
		return token, nil
	}
	_, err := read()
	return read, err
}

// exporter is one export.
type exporter struct {
	*client
	*lines
	began time.Time
	wabas []string
	of    person // with no address for all of the tenants' data
}

func (e *exporter) run(ctx context.Context) error {
	token, err := e.current("")
	if err != nil {
		return err
	}
	tenants, err := tenantsOf(token)
	if err != nil {
		return err
	}
	if e.of.address != "" { // the API records it
		return e.exportPerson(ctx, tenants)
	}
	for _, tenant := range tenants { // before anything is read, so that every export is in the audit records
		if err := e.post(ctx, "/v1/tenants/"+url.PathEscape(tenant)+"/exports"); err != nil {
			return cannot("record that the export begins", err)
		}
	}
	for _, domain := range domains {
		if err := domain(ctx, e, tenants); err != nil {
			return err
		}
	}
	return e.end()
}

// textOf returns a text field of one of the API's objects.
func textOf(object json.RawMessage, name string) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(object, &fields) != nil || json.Unmarshal(fields[name], &text) != nil {
		return ""
	}
	return text
}
