package whatsappsim

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"sync"
)

// FormKey is the private key of forms on a laptop and in tests, as a function reads it. It protects nothing.
const FormKey = "" +
	"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDGQo7tpoePQc9SPsoqV6yErIND+tEOo861K7yW0Zl9YfjwYgPU" +
	"aLzzzOgf9+NmbLFkbNm+4nqNcHdhdzl72ShJJ2fXCDMH9TEM609kA2aHMNtenFfmVpGw8a7IlD3TvamSJA9JXCiiJGIEYndd7qze" +
	"ZfXUn1sIJ31p/PxYFBdfqtm8TjVBGRIpoDqA8bwDhbosuYYcJMorhBcEd2dKyXrbiKWNxCaVC16Jgd4+7iQiziJcCAs+Ka7lDxGk" +
	"CTzRj1yDD5hMZrEmPUBJr6gFWExrptFwhds0luuDx3GghgdH9/7sojECblUDrvq//tudSJ3CapeE3iisPt0cUBr6EoiDAgMBAAEC" +
	"ggEAL062eDKiaiaT59Yfu1bMTaQ0dkYlGE8yBbz39SzyaR61nfZlX4vWen5MbURjOI97DLGEi63S/Gj3s4QVbV315O7IMmE8fAuf" +
	"tqt3eC/viRa5YawAtW+2t/gTcr0cu6eoDL0aALFC6N2xncY5IWrQSQkfTarwt9Nkc6PwOrwgj6zyvMy/l8tjWJHRapTnKY/x+bYx" +
	"Bsx+LziWGeh3evgZ+bLU0Hocl/eneUKfWDHnnbU4fdZ+brNFbWMs8qb+7yaQ+lZBOfzeic9Kp9mvTjEOHY7qk010RUhcMfqzRwaz" +
	"ZkhEjD31lIF7JioYkvfV2b6oLQaS+9c3YizXQrIpHG2dAQKBgQDKEQwEraDDUhacWIa9EzWJ3MNOO5IK7onUtnLrFUfon+oJ5mW6" +
	"1D4bBq8JqgmrB6G4vXg4heHvxMXYSFqT6oPGDkiZ3wuGnp7QR95Hpdm7GUzcgG0MgpfIP5TaJ2gieUvqlrB0usJtLVB5NBhT52zd" +
	"LT1PjhAAJAvZ+1Yi21BFwQKBgQD7LWlXXW5/9CqrehF0PcJ+iR/aOPLK1UZkcf2Fe990zV5Dl6u8r97rjevNO/sZm5GtLdG50TvL" +
	"S350faKmk1XXdusEDfsQOlIcd3uLQ/QaGj/kmL57jfBQkvUNHXnKRW2pdicjeKJiOmeQKggb1iHqwg1b1LgJzGUEP+SofCgHQwKB" +
	"gGtobE8AS/gG5mXs2JIgZ9EEO/yVxadx7GnZIXS8NyD7/9eLVH/e2bRb9SbZ75Gt2NTuQb0pzVM58UBqFVuSyMC6TvUbjnDcV+a2" +
	"jPzgt7+wTx7WVSDVOgEDawga8kuA1k24E8u4iiimcaQ7gML4vPFEXtau2Op6PqJ76ulUUnMBAoGAWg4BC8LC4HthZROh+GRAPG/b" +
	"jLkIS7LFxzObauVry4vqNR/HAiKoMRo0JeRQdfDx/P5FiHK9FnldwFRfIYwHpfXL8ys0DbBrSiuIjvjxJv6sU8Bz4waT17+ovmgI" +
	"B352/+ANzkjtJ3y7LtPzDk/q3ylt8rPEvDadLTXfPI0vKNMCgYEAkL5ug2fCjICmKHmIqR2Ay7kCrkvveX03a7tNFdmEM/X+RqQQ" +
	"4UleU8iSEgRguk2APP2+N5dE5vWBpke5BMt9y3WCiKwGexUVv4v+zpnQuDvO2JLHxOaYBC2tgeSr1sb9V+iMGwCoeBNLkGJgmKZ/" +
	"5JGAJKsswEbEuuHnIG8Maco="

// FormPublicKey returns its public key.
var FormPublicKey = sync.OnceValue(func() *rsa.PublicKey {
	der, err := base64.StdEncoding.DecodeString(FormKey)
	if err != nil {
		panic(err) // it is a constant
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		panic(err)
	}
	return &key.(*rsa.PrivateKey).PublicKey
})

// FormRequest is an encrypted request for a screen.
type FormRequest struct {
	Data   []byte `json:"encrypted_flow_data"`
	Key    []byte `json:"encrypted_aes_key"`
	Vector []byte `json:"initial_vector"`
}

// Body returns the request as it is posted.
func (e FormRequest) Body() []byte {
	body, _ := json.Marshal(e) // it never fails
	return body
}

// AskScreen returns the request that says something, and what opens the answer.
func AskScreen(public *rsa.PublicKey, said any) (e FormRequest, open func(answer string) ([]byte, error), err error) {
	text, err := json.Marshal(said)
	if err != nil {
		return e, nil, err
	}
	key := make([]byte, 16)
	e.Vector = make([]byte, 16)
	_, _ = rand.Read(key) // it never fails
	_, _ = rand.Read(e.Vector)
	block, err := aes.NewCipher(key)
	if err != nil {
		return e, nil, err
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, len(e.Vector))
	if err != nil {
		return e, nil, err
	}
	e.Data = gcm.Seal(nil, e.Vector, text, nil)
	flipped := make([]byte, len(e.Vector))
	for i := range flipped {
		flipped[i] = e.Vector[i] ^ 0xff
	}
	open = func(answer string) ([]byte, error) {
		sealed, err := base64.StdEncoding.DecodeString(answer)
		if err != nil {
			return nil, err
		}
		return gcm.Open(nil, flipped, sealed, nil)
	}
	e.Key, err = rsa.EncryptOAEP(sha256.New(), rand.Reader, public, key, nil)
	return e, open, err
}
