// Command infra is the CDK app: it reads the context and synthesises the stacks.
//
// The CDK's runtime reads its environment before main runs, and prints a long warning about Node.js 20. Callers silence
// it with JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=20.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
)

func main() {
	flag.Parse() // there are no flags, but -help must not write templates
	err := synthesise()
	if err != nil {
		fmt.Fprintln(os.Stderr, "haatline:", err)
	}
	endRuntime()
	if err != nil {
		os.Exit(1)
	}
}

func synthesise() error {
	app := awscdk.NewApp(nil)
	options, err := settings.Read("build", func(name string) any { return app.Node().TryGetContext(&name) })
	if err != nil {
		return err
	}
	if err := stacks.NewAll(app, options); err != nil {
		return err
	}
	app.Synth(nil)
	return nil
}

// endRuntime ends the CDK's Node.js process and removes its files. The runtime waits for that process in two places at
// once and sometimes reports the second one as an abnormal exit. By now that can be ignored.
func endRuntime() {
	os.Stderr = nil
	jsii.Close()
}
