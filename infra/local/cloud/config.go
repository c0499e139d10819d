// Package cloud owns the local cloud as a whole: it builds the functions of the topology, starts the engine, the
// functions and everything that starts them, in order, and ends them in order. The command and the end-to-end test use
// it; what each part does is the business of the part's own package.
package cloud

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/haatline/haatline/infra/topology"
)

const (
	region = "ap-south-1"
	stage  = "dev"
	// maxConcurrency is how many instances of one function run at once.
	maxConcurrency = 4
)

// Config says which cloud to start. A port of 0 takes a free one.
type Config struct {
	Root string // the project's root
	Dir  string // where data, built functions, keys, checkpoints and failures are kept

	HTTPPort, DynamoDBPort, WhatsAppPort int

	DynamoDBEndpoint string // an engine that runs already; empty starts one
	JWTIssuer        string // whose tokens are taken; empty takes the cloud's own
	InMemory         bool   // the engine forgets everything when it stops

	Environ      []string // variables of this process that functions may refer to, "NAME=value"
	Functions    []topology.Function
	FunctionsDir string                   // the folder of their sources under Root
	Getenv       func(name string) string // gives the functions' configuration

	// Watch, where it is set, gives a function variables in place of its own: other ways to the engine, at the given
	// address, and to what else it calls, on which the calls are seen.
	Watch func(function, engine string) []string

	// Reload has a function built and started anew when its sources change.
	Reload bool
	// Line, where it is set, gets every line of a function as the function writes it.
	Line func(function, line string)

	Progress io.Writer // what start has to say
	Logs     io.Writer // the one stream of logs
	Colour   bool
}

// FromEnv is the cloud that the environment describes, with everything wrong with it in one error.
func FromEnv(root string, getenv func(string) string) (Config, error) {
	var problems []error
	port := func(name string, standard int) int {
		value := getenv(name)
		if value == "" {
			return standard
		}
		number, err := strconv.Atoi(value)
		if err != nil || number < 0 || number > 65535 {
			problems = append(problems, fmt.Errorf("%s is no port: %q", name, value))
		}
		return number
	}
	config := Config{
		Root:             root,
		Dir:              Dir(root, getenv),
		HTTPPort:         port("HTTP_PORT", 3000),
		DynamoDBPort:     port("DYNAMODB_PORT", 8000),
		WhatsAppPort:     port("WHATSAPP_PORT", 3001),
		DynamoDBEndpoint: getenv("DYNAMODB_ENDPOINT"),
		JWTIssuer:        getenv("JWT_ISSUER"),
		Functions:        topology.Functions,
		FunctionsDir:     "functions",
		Getenv:           getenv,
		Progress:         io.Discard,
		Logs:             io.Discard,
	}
	return config, errors.Join(problems...)
}

// Dir is the folder the environment names, .local under the root by default.
func Dir(root string, getenv func(string) string) string {
	dir := getenv("LOCAL_DIR")
	if dir == "" {
		dir = ".local"
	}
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(root, dir)
}

func (c Config) path(elements ...string) string {
	return filepath.Join(append([]string{c.Dir}, elements...)...)
}
