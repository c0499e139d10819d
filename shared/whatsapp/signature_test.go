package whatsapp_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

const body = `{"object":"whatsapp_business_account","name":"Gro\u00dfe\/K\u00fcche"}`

// hmacOfBody is HMAC-SHA256 of body under "app-secret", computed by another implementation.
const hmacOfBody = "11d65424670b02e8dd8e63df211788bb2b2e737886d1e5e273e55b86020cd893"

func TestAWrongSignatureIsRefused(t *testing.T) {
	good := whatsapp.Sign("app-secret", []byte(body))
	for name, c := range map[string]struct {
		secrets []string
		header  string
		body    string
	}{
		"no header":                     {[]string{"app-secret"}, "", body},
		"a prefix and nothing else":     {[]string{"app-secret"}, "sha256=", body},
		"no prefix":                     {[]string{"app-secret"}, strings.TrimPrefix(good, "sha256="), body},
		"another algorithm's prefix":    {[]string{"app-secret"}, strings.Replace(good, "sha256=", "sha1=", 1), body},
		"a prefix in capitals":          {[]string{"app-secret"}, strings.Replace(good, "sha256=", "SHA256=", 1), body},
		"another secret":                {[]string{"app-secret "}, good, body},
		"another body":                  {[]string{"app-secret"}, good, body + " "},
		"the same JSON, written anew":   {[]string{"app-secret"}, good, strings.ReplaceAll(body, `\/`, "/")},
		"no hexadecimal":                {[]string{"app-secret"}, "sha256=" + strings.Repeat("zz", 32), body},
		"an odd number of digits":       {[]string{"app-secret"}, good[:len(good)-1], body},
		"cut short":                     {[]string{"app-secret"}, good[:len(good)-2], body},
		"too long":                      {[]string{"app-secret"}, good + "00", body},
		"a space behind it":             {[]string{"app-secret"}, good + " ", body},
		"no secret configured":          {nil, good, body},
		"an empty secret":               {[]string{""}, whatsapp.Sign("", []byte(body)), body},
		"an empty secret among others":  {[]string{"app-secret", ""}, whatsapp.Sign("", []byte(body)), body},
		"an empty body under no secret": {[]string{""}, whatsapp.Sign("", nil), ""},
	} {
		if whatsapp.VerifySignature(c.secrets, c.header, []byte(c.body)) {
			t.Errorf("%s passed", name)
		}
	}
}

func TestAnyConfiguredSecretVerifies(t *testing.T) {
	good := whatsapp.Sign("app-secret", []byte(body))
	if good != "sha256="+hmacOfBody {
		t.Fatalf("signature %s", good)
	}
	for name, c := range map[string]struct {
		secrets []string
		header  string
	}{
		"the only one":       {[]string{"app-secret"}, good},
		"the first of two":   {[]string{"app-secret", "next"}, good},
		"the last of three":  {[]string{"old", "", "app-secret"}, good},
		"digits in capitals": {[]string{"app-secret"}, "sha256=" + strings.ToUpper(hmacOfBody)},
	} {
		if !whatsapp.VerifySignature(c.secrets, c.header, []byte(body)) {
			t.Errorf("%s was refused", name)
		}
	}
	if !whatsapp.VerifySignature([]string{"app-secret"}, whatsapp.Sign("app-secret", nil), nil) {
		t.Error("an empty body was refused")
	}
}
