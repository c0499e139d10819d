package numbers_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// publicKey returns a public key in PEM.
func publicKey(t *testing.T, of any) string {
	t.Helper()
	text, err := x509.MarshalPKIXPublicKey(of)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: text}))
}

func rsaKey(t *testing.T, bits int) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return publicKey(t, &key.PublicKey)
}

func TestTheKeyOfANumberGoesToMetaAndAgainAfterARegistration(t *testing.T) {
	s := opened(t)
	key := numbers.Encryption{Key: rsaKey(t, 2048)}
	settings, ctx := s.rooms.NumberSettings, t.Context()
	put := func() numbers.Setting {
		t.Helper()
		s.must(settings.Put(ctx, s.of, numbers.KindEncryption, key))
		return s.after(numbers.KindEncryption)
	}
	s.is(put(), model.SettingSynced, `"businessPublicKeySignatureStatus":"VALID"`, "")
	asked := len(s.meta.asked.All())
	if s.is(put(), model.SettingSynced, "BEGIN PUBLIC KEY", ""); len(s.meta.asked.All()) != asked {
		t.Errorf("asked again: %v", s.meta.asked.All()[asked:])
	}
	s.elsewhere("register", map[string]string{"messaging_product": "whatsapp", "pin": "123456"})
	stale := s.sync(numbers.KindEncryption)
	s.is(stale, model.SettingLocal, `"MISMATCH"`, "")
	if differ := numbers.Differences(stale.Wanted, stale.Meta); len(differ) != 1 {
		t.Errorf("%+v", differ)
	}
	s.is(put(), model.SettingSynced, `"VALID"`, "")
}

func TestOnlyAPublicRSAKeyOf2048BitsIsPut(t *testing.T) {
	s := opened(t)
	right := rsaKey(t, 2048)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{
		"nothing": "", "words": "a key", "a short key": rsaKey(t, 1024), "two": right + right,
		"text before":  "x\n" + right,
		"another kind": publicKey(t, &curve.PublicKey), "carriage returns": strings.ReplaceAll(right, "\n", "\r\n"),
		"half": right[:len(right)/2],
		"a private key": string(pem.EncodeToMemory(&pem.Block{
			Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)})),
	} {
		_, err := s.rooms.NumberSettings.Put(t.Context(), s.of, numbers.KindEncryption, numbers.Encryption{Key: key})
		var told *problem.Error
		if !errors.As(err, &told) || len(told.Fields) != 1 || told.Fields[0].Path != "body.businessPublicKey" ||
			key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
