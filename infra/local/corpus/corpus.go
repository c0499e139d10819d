// Package corpus is the command that posts a folder of webhook bodies to a running system, signed and unchanged, and
// checks the result. It knows enough of Meta's payloads to count them, and of the system only its webhook and two item
// types of the messages table.
package corpus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/shared/engine"
)

// settings are the flags.
type settings struct {
	dir, url, secret, dynamodb string
	rounds, clients            int
	shuffle                    uint64
	distinct, aws              bool
	wait                       time.Duration
}

// Run posts the bodies under the folder and prints one line per file and the totals. It returns an error if a valid
// body was not answered with 200, or if a message, a status or a webhook entry was lost.
func Run(ctx context.Context, args []string, out io.Writer) error {
	s, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	bodies, skipped, err := load(s.dir, s.secret)
	if err != nil {
		return err
	}
	if s.distinct {
		makeDistinct(bodies)
	}
	if s.aws {
		var untold []skippedFile
		bodies, untold = toldByAWS(bodies)
		skipped = append(skipped, untold...)
	}
	for _, file := range skipped {
		fmt.Fprintf(out, "skipped %s: %s\n", file.name, file.why)
	}
	if len(bodies) == 0 {
		return fmt.Errorf("no webhook bodies under %s", s.dir)
	}
	results := postAll(ctx, s, bodies)
	failed := report(out, bodies, results, len(skipped))
	if s.dynamodb == "" {
		return failed
	}
	return errors.Join(failed, lookUp(ctx, out, s, bodies))
}

func parse(args []string, out io.Writer) (settings, error) {
	running := runningCloud(os.Getenv)
	url := running.HTTP
	if url == "" {
		url = "http://127.0.0.1:3000"
	}
	secret := os.Getenv("WHATSAPP_APP_SECRET")
	if secret == "" {
		secret = "local-app-secret"
	}
	var s settings
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&s.dir, "dir", "", "the folder of bodies (*.json, also in folders below)")
	flags.StringVar(&s.url, "url", "",
		"where to post; empty: the webhook of the running cloud, or where it takes what AWS tells")
	flags.BoolVar(&s.aws, "aws", false, "post each body as AWS End User Messaging tells of it by SNS")
	flags.StringVar(&s.secret, "secret", secret, "the app secret that signs")
	flags.StringVar(&s.dynamodb, "dynamodb", running.DynamoDB,
		"the DynamoDB endpoint where the outcome is looked up; empty: it is not")
	flags.IntVar(&s.rounds, "rounds", 1, "how often every body is posted")
	flags.IntVar(&s.clients, "clients", 1, "how many bodies are posted at a time")
	flags.Uint64Var(&s.shuffle, "shuffle", 0, "the seed of the order; 0 keeps that of the names")
	flags.BoolVar(&s.distinct, "distinct", false, "give ids that several files share a suffix for each file")
	flags.DurationVar(&s.wait, "wait", 20*time.Second, "how long the outcome is waited for")
	flags.Usage = func() {
		fmt.Fprintln(out, "usage: corpus -dir folder [flags]")
		flags.VisitAll(func(f *flag.Flag) { fmt.Fprintf(out, "  -%s\t%s\n", f.Name, f.Usage) })
	}
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if s.url == "" && s.aws {
		s.url = url + cloud.NoticesPath
	} else if s.url == "" {
		s.url = url + "/webhooks/whatsapp"
	}
	var wrong []error
	if s.dir == "" {
		wrong = append(wrong, errors.New("-dir names no folder"))
	}
	if s.rounds < 1 || s.clients < 1 {
		wrong = append(wrong, errors.New("-rounds and -clients must be at least 1"))
	}
	return s, errors.Join(wrong...)
}

// runningCloud returns the addresses of the running local cloud, zero if none runs.
func runningCloud(getenv func(string) string) cloud.Addresses {
	root, err := engine.Root()
	if err != nil {
		return cloud.Addresses{}
	}
	addresses, err := cloud.ReadAddresses(cloud.Dir(root, getenv))
	if err != nil {
		return cloud.Addresses{}
	}
	return addresses
}

// report prints what the webhook answered and returns an error if any answer was not 200.
func report(out io.Writer, bodies []body, results []result, skipped int) error {
	refused, slowest, total := 0, time.Duration(0), time.Duration(0)
	posts := 0
	counted := counts{}
	for i, b := range bodies {
		r := results[i]
		answer := fmt.Sprint(r.worst)
		if r.err != nil {
			answer = r.err.Error()
		}
		if r.worst != http.StatusOK {
			refused++
		}
		posts += r.posts
		total += r.total
		slowest = max(slowest, r.slowest)
		counted.add(b.counts)
		fmt.Fprintf(out, "%s  %s  %s\n", answer, b.name, b.counts)
	}
	fmt.Fprintf(out, "\n%d bodies posted %d times, %d files skipped; %v on average, %v at most\n",
		len(bodies), posts, skipped, (total / time.Duration(max(posts, 1))).Round(10*time.Microsecond),
		slowest.Round(10*time.Microsecond))
	fmt.Fprintf(out, "in all: %s\n", counted)
	if refused > 0 {
		return fmt.Errorf("%d of %d bodies were not answered 200", refused, len(bodies))
	}
	return nil
}
