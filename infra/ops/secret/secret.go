// Package secret is the command that stores a value in a stage's secret and keeps the other values.
package secret

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Run reads a value without showing it and stores it in the stage's secret under its name.
func Run(ctx context.Context, args []string, in io.Reader, out, problems io.Writer) error {
	flags := flag.NewFlagSet("secret", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod")
	name := flags.String("name", "", "which value: "+strings.Join(known(), ", "))
	phone := flags.String("phone", "", "the id of a number at Meta, whose own token this is: it is encrypted by the "+
		"stage's key (tokens=kms) and kept on the number's item")
	show := flags.Bool("show", false, "print the value that is there, and put nothing")
	takeOver := flags.Bool("take-over", false,
		"put in those values that are missing and that the secrets of an older deployment hold")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	stage, err := deployment.ParseStage(*stageName)
	if err != nil {
		return err
	}
	if !*takeOver && !slices.Contains(known(), *name) {
		return usage.Wrong("-name %q: it is one of %s", *name, strings.Join(known(), ", "))
	}
	if *phone != "" && (*name != accessToken || *show || *takeOver) {
		return usage.Wrong("secret: -phone goes with -name %s alone", accessToken)
	}
	account, err := deployment.AWS(ctx)
	if err != nil {
		return err
	}
	if *phone != "" {
		return ofNumber{account, stage, model.PhoneNumberID(*phone)}.put(ctx, in, out, problems)
	}
	s := store{secretsmanager.NewFromConfig(account), stage, names.Secret(*name, stage)}
	if *takeOver {
		return s.takeOver(ctx, out)
	}
	values, err := s.read(ctx)
	if err != nil {
		return err
	}
	if *show {
		if values[*name] == "" {
			return fmt.Errorf("%s holds no %s", s.id, *name)
		}
		_, err = fmt.Fprintln(out, values[*name])
		return err
	}
	if values[*name], err = ask(in, problems, *name); err != nil {
		return err
	}
	if err := s.write(ctx, values); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s is in %s; the functions read it within five minutes\n", *name, s.id)
	return err
}

// known returns the names of the values that functions need.
func known() []string {
	var all []string
	for _, function := range topology.Functions {
		all = append(all, function.Secrets...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// store is a secret of a stage.
type store struct {
	client *secretsmanager.Client
	stage  tables.Stage
	id     string // its name
}

// members returns the names of the values that the secret holds.
func (s store) members() []string {
	return slices.DeleteFunc(known(), func(name string) bool { return names.Secret(name, s.stage) != s.id })
}

// read returns the stored values by name, without those that no function needs.
func (s store) read(ctx context.Context) (map[string]string, error) {
	text, err := s.text(ctx, s.id)
	if err != nil {
		return nil, err
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		return nil, fmt.Errorf(
			"%s holds no JSON object: delete what it holds in Secrets Manager's console, and write {} there", s.id)
	}
	values := map[string]string{}
	for _, name := range s.members() {
		if value, ok := members[name].(string); ok {
			values[name] = value
		}
	}
	return values, nil
}

// errAbsent means that the secret does not exist or is empty.
var errAbsent = errors.New("it is not there")

func (s store) text(ctx context.Context, id string) (string, error) {
	found, err := s.client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if deployment.Is(err, "ResourceNotFoundException") {
		return "", fmt.Errorf("read %s: %w: deploy first, or set AWS_REGION and AWS_PROFILE to the deployment's", id,
			errAbsent)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %s", id, deployment.Why(err))
	}
	return aws.ToString(found.SecretString), nil
}

// write stores all values. Secrets Manager has no conditional writes: of two concurrent writers, the last one wins.
func (s store) write(ctx context.Context, values map[string]string) error {
	text, err := json.Marshal(values)
	if err != nil {
		return err
	}
	if _, err := s.client.PutSecretValue(ctx,
		&secretsmanager.PutSecretValueInput{SecretId: &s.id, SecretString: aws.String(string(text))}); err != nil {
		return fmt.Errorf("write %s: %s", s.id, deployment.Why(err))
	}
	return nil
}

// takeOver copies missing values from the former secrets, which held one value each.
func (s store) takeOver(ctx context.Context, out io.Writer) error {
	values, err := s.read(ctx)
	if err != nil {
		return err
	}
	var taken, missing []string
	for _, name := range s.members() {
		if values[name] != "" {
			continue
		}
		text, err := s.text(ctx, names.FormerSecret(name, s.stage))
		switch {
		case errors.Is(err, errAbsent) || err == nil && strings.TrimSpace(text) == "":
			missing = append(missing, name)
		case err != nil:
			return err
		default:
			values[name] = strings.TrimSpace(text)
			taken = append(taken, name)
		}
	}
	if len(taken) > 0 {
		if err := s.write(ctx, values); err != nil {
			return err
		}
	}
	for _, name := range taken {
		fmt.Fprintf(out, "%s was taken over; once all is well: aws secretsmanager delete-secret --secret-id %s\n", name,
			names.FormerSecret(name, s.stage))
	}
	for _, name := range missing {
		fmt.Fprintf(out, "%s is nowhere: make secret STAGE=%s NAME=%s\n", name, s.stage, name)
	}
	if len(taken)+len(missing) == 0 {
		fmt.Fprintf(out, "%s holds every value already\n", s.id)
	}
	return nil
}

// ask reads one line. A terminal does not echo it.
func ask(in io.Reader, problems io.Writer, name string) (string, error) {
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			fmt.Fprintf(problems, "%s: ", name)
			if terminal(file, "-echo") == nil {
				defer func() { _ = terminal(file, "echo"); fmt.Fprintln(problems) }()
			}
		}
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the value: %w", err)
	}
	if line = strings.TrimSpace(line); line == "" {
		return "", usage.Wrong("no value came: type it, or pipe it in")
	}
	return line, nil
}

func terminal(file *os.File, mode string) error {
	cmd := exec.Command("stty", mode)
	cmd.Stdin = file
	return cmd.Run()
}
