// Package flowcrypttest has the key pair of forms on a laptop, and in tests. It protects nothing.
package flowcrypttest

import (
	"crypto/rsa"
	"encoding/json"

	"github.com/haatline/haatline/shared/whatsapp/flowcrypt"
)

// PrivateKey is the private key as a function reads it.
const PrivateKey = "" +
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

// Public returns the public key.
func Public() *rsa.PublicKey {
	keys, err := flowcrypt.Parse(PrivateKey)
	if err != nil {
		panic(err) // it is a constant
	}
	return &keys[0].PublicKey
}

// Request returns the body by which WhatsApp asks, and what opens the answer.
func Request(said any) (body []byte, session *flowcrypt.Session, err error) {
	text, err := json.Marshal(said)
	if err != nil {
		return nil, nil, err
	}
	envelope, session, err := flowcrypt.Encrypt(Public(), text)
	if err != nil {
		return nil, nil, err
	}
	body, err = json.Marshal(envelope)
	return body, session, err
}
