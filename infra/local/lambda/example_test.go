package lambda_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/haatline/haatline/infra/local/lambda"
)

// The example builds a function for this machine and invokes it twice.
func Example() {
	dir, err := os.MkdirTemp("", "greeter")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	bootstrap := filepath.Join(dir, "bootstrap")
	build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", bootstrap, "./testdata/greeter")
	if output, err := build.CombinedOutput(); err != nil {
		fmt.Printf("%v: %s\n", err, output)
		return
	}

	greeter := lambda.NewPool(lambda.Function{
		Name:           "greeter",
		Bootstrap:      bootstrap,
		Env:            []string{"GREETING=Namaste"},
		Timeout:        3 * time.Second,
		MemoryMB:       128,
		MaxConcurrency: 2,
		Region:         "ap-south-1",
	}, func(line string) { fmt.Fprintln(os.Stderr, "greeter:", line) })
	defer greeter.Close(time.Second)

	response, err := greeter.Invoke(context.Background(), []byte(`{"name": "Asha"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the function answered %s\n", response)

	_, err = greeter.Invoke(context.Background(), []byte(`{}`))
	var failure *lambda.Error
	if errors.As(err, &failure) && failure.Kind == lambda.Failed {
		fmt.Printf("the function failed with %s: %s\n", failure.Type, failure.Message)
	}

	// Output:
	// the function answered "Namaste, Asha"
	// the function failed with errorString: no name
}
