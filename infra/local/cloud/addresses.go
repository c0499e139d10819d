package cloud

import (
	"encoding/json"
	"fmt"
	"os"
)

// Addresses is where a running cloud is found.
type Addresses struct {
	HTTP     string `json:"http"`
	DynamoDB string `json:"dynamodb"`
	WhatsApp string `json:"whatsapp"`
	Tenant   string `json:"tenant"`
	Token    string `json:"token"` // the operator's; empty where another issuer's tokens are taken
}

// ReadAddresses reads what the cloud that runs in the folder wrote down.
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
