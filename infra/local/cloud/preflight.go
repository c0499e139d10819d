package cloud

import (
	"fmt"
	"net"
	"os"
	"strconv"
)

// ports holds the listeners of the cloud's addresses, so that nobody takes the ports while functions are built.
type ports struct {
	http, whatsapp, files, live net.Listener
	dynamodb                    net.Listener // nil if the cloud does not start the engine
}

func (p *ports) close() {
	for _, listener := range []net.Listener{p.http, p.whatsapp, p.files, p.live, p.dynamodb} {
		if listener != nil {
			listener.Close()
		}
	}
}

// openPorts opens the addresses this process serves.
func openPorts(c Config) (*ports, error) {
	p := &ports{}
	var err error
	if p.http, err = listen(c.HTTPPort, "HTTP_PORT"); err == nil {
		p.whatsapp, err = listen(c.WhatsAppPort, "WHATSAPP_PORT")
	}
	if err == nil {
		p.files, err = listen(c.FilesPort, "FILES_PORT")
	}
	if err == nil {
		p.live, err = listen(c.LivePort, "LIVE_PORT")
	}
	if err == nil && c.DynamoDBEndpoint == "" {
		p.dynamodb, err = listen(c.DynamoDBPort, "DYNAMODB_PORT")
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func listen(port int, variable string) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("port %d cannot be used (set %s to another): %w", port, variable, err)
	}
	return listener, nil
}

// lockDir prevents a second cloud from using the folder, because two engines would damage the database.
func lockDir(c Config) (*os.File, error) {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	// The folder contains customers' messages. An older version may have created it with wider permissions.
	if err := os.Chmod(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("keep others out of the data folder: %w", err)
	}
	file, err := os.OpenFile(c.path("lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	if err := lock(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("another local cloud uses %s (set LOCAL_DIR to another folder)", c.Dir)
	}
	return file, nil
}
