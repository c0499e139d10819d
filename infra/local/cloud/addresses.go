package cloud

import (
	"encoding/json"
	"fmt"
	"os"
)

// Addresses are the addresses of a running local cloud.
type Addresses struct {
	HTTP     string `json:"http"`
	DynamoDB string `json:"dynamodb"`
	WhatsApp string `json:"whatsapp"`
	Files    string `json:"files"`
	Live     string `json:"live"` // of the live channel
	Tenant   string `json:"tenant"`
	Token    string `json:"token"` // the operator's token; empty if another issuer is configured
}

// ReadAddresses reads the addresses that the cloud running in the folder has written.
func ReadAddresses(dir string) (Addresses, error) {
	content, err := os.ReadFile(Config{Dir: dir}.path("addresses.json"))
	if err != nil {
		return Addresses{}, fmt.Errorf("find the running local cloud: %w", err)
	}
	var a Addresses
	if err := json.Unmarshal(content, &a); err != nil {
		return Addresses{}, fmt.Errorf("find the running local cloud: %w", err)
	}
	return a, nil
}

func writeAddresses(c Config, a Addresses) error {
	content, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	temporary := c.path("addresses.json.new")
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return fmt.Errorf("write addresses: %w", err)
	}
	return os.Rename(temporary, c.path("addresses.json"))
}
