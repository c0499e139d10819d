package numbers

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// keyBits is how long the key of a number is.
const keyBits = 2048

// keyIsValid is wanted of each key beside the key itself. A number that is registered anew has the key, and Meta's
// signature of it does not fit any more: then the key has to be put again.
const keyIsValid = `{"businessPublicKeySignatureStatus":"VALID"}`

// Encryption is the public key by which customers encrypt what they fill in.
type Encryption struct {
	Key string `json:"businessPublicKey" maxLength:"4096" example:"-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n" doc:"An RSA key of 2048 bits in PEM. The private key that fits it stays with you."`
}

// HasEncryption is the key as Meta has it.
type HasEncryption struct {
	Key    string `json:"businessPublicKey,omitempty" doc:"The key."`
	Status string `json:"businessPublicKeySignatureStatus,omitempty" example:"VALID" doc:"VALID, or MISMATCH if the key has to be put again. Absent if Meta has no key."`
}

func checkEncryption(wanted model.Document) []problem.Field {
	var e Encryption
	var f faults
	f.add(json.Unmarshal(wanted, &e) == nil, "", "must be a key")
	block, rest := pem.Decode([]byte(e.Key))
	isPEM := block != nil && block.Type == "PUBLIC KEY" && strings.TrimSpace(string(rest)) == "" &&
		strings.HasPrefix(e.Key, "-----BEGIN PUBLIC KEY-----\n")
	f.add(isPEM, "businessPublicKey", "must be one public key in PEM, with line feeds and nothing else")
	if isPEM {
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		key, isRSA := parsed.(*rsa.PublicKey)
		f.add(err == nil && isRSA && key.N.BitLen() == keyBits, "businessPublicKey", "must be an RSA key of %d bits",
			keyBits)
	}
	return f
}

// bodyOfKey is what Meta takes for a key.
func bodyOfKey(of model.NumberSetting) map[string]any {
	var wanted Encryption
	_ = json.Unmarshal(of.Wanted, &wanted) // it was checked
	return map[string]any{"business_public_key": wanted.Key}
}

// withKey notes which key Meta has, where it says that a key is valid and not which one: that which it was given last.
func withKey(has model.Document, it item) model.Document {
	fields, _ := decoded(has).(map[string]any)
	shown, _ := fields["businessPublicKey"].(string)
	if strings.TrimSpace(shown) != "" || fields["businessPublicKeySignatureStatus"] != "VALID" {
		return has
	}
	last := it.State().Meta
	if it.State().Asked.Wish == Put {
		last = it.Want()
	}
	var given Encryption
	_ = json.Unmarshal(last, &given) // none is no key
	fields["businessPublicKey"] = given.Key
	return model.Document(encoded(fields))
}
