// Package cloud is the local cloud as a whole. It builds the functions of the topology, starts the engine, the
// functions and their triggers in order, and stops them in order. The command and the end-to-end tests use it. What
// each part does is in the part's own package.
package cloud

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/haatline/haatline/infra/topology"
)

// Region is the region of AWS that the local cloud is in.
const Region = region

const (
	region = "ap-south-1"
	stage  = "dev"
	// maxConcurrency bounds the concurrent instances of a function.
	maxConcurrency = 4
	// usualIdle is how long an instance lives without work.
	usualIdle = 20 * time.Second
)

// Config configures a local cloud. Port 0 selects a free port.
type Config struct {
	Root string // the project's root
	Dir  string // where data, built functions, keys, checkpoints and failures are kept

	HTTPPort, DynamoDBPort, WhatsAppPort, FilesPort, LivePort int

	DynamoDBEndpoint string // a running engine; if empty, the cloud starts one
	JWTIssuer        string // whose tokens are accepted; if empty, the cloud's own
	InMemory         bool   // the engine keeps no data when it stops
	Durable          bool   // the data survives a failure of the power, and not only the end of any process

	Environ      []string // variables of this process that functions may refer to, "NAME=value"
	Functions    []topology.Function
	FunctionsDir string                   // the folder of their sources under Root
	Built        string                   // a folder with the functions compiled; if empty, the cloud compiles them
	Getenv       func(name string) string // gives the functions' configuration

	// Idle is how long an instance of a function lives without work; 0 for a short time, because the next one starts in
	// some milliseconds.
	Idle time.Duration

	// Watch, if set, returns variables that replace a function's own: other addresses for the engine and for the
	// bucket, which are at the given addresses.
	Watch func(function, engine, bucket string) []string

	// Invoked, if set, receives every event that a function is run with.
	Invoked func(function string, event []byte)

	// Demo gives the demo tenant a store with a number of its own, where the assistant takes orders.
	Demo bool
	// Reload rebuilds and restarts a function when its sources change.
	Reload bool
	// Line, if set, receives every line that a function writes.
	Line func(function, line string)

	Progress io.Writer // messages of Start
	Logs     io.Writer // the log of all parts
	Colour   bool
	Quiet    bool // leave the metrics of runs without work out of the logs
}

// FromEnv returns the configuration in the environment. Its error lists everything that is wrong.
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
	durability := getenv("LOCAL_DURABILITY")
	if durability != "" && durability != "full" {
		problems = append(problems, fmt.Errorf("LOCAL_DURABILITY is full or nothing: %q", durability))
	}
	config := Config{
		Root:             root,
		Durable:          durability == "full",
		Dir:              Dir(root, getenv),
		HTTPPort:         port("HTTP_PORT", 3000),
		DynamoDBPort:     port("DYNAMODB_PORT", 8000),
		WhatsAppPort:     port("WHATSAPP_PORT", 3001),
		FilesPort:        port("FILES_PORT", 3002),
		LivePort:         port("LIVE_PORT", 3003),
		DynamoDBEndpoint: getenv("DYNAMODB_ENDPOINT"),
		JWTIssuer:        getenv("JWT_ISSUER"),
		Functions:        topology.All(),
		FunctionsDir:     "functions",
		Getenv:           getenv,
		Progress:         io.Discard,
		Logs:             io.Discard,
	}
	return config, errors.Join(problems...)
}

// Dir returns the data folder that the environment names, by default .local under the root.
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
