package whatsapp

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// MaxFile is the size of the largest file that WhatsApp carries.
const MaxFile = 100 << 20

// HeldFile is a file that Meta holds. The URL is valid for five minutes.
type HeldFile struct {
	URL, MimeType, SHA256 string
	Size                  int64 // 0 if Meta has not said
}

// Errors of downloads.
var (
	// ErrNoFile means that Meta has no file under the id, or that the token may not see it.
	ErrNoFile = errors.New("there is no file under this id at Meta, or the token may not see it")
	// ErrURLExpired means that nothing is under the URL any more. Another one can be asked for.
	ErrURLExpired = errors.New("the URL of the file has expired")
	// ErrForeignHost means that a file is not on one of Meta's hosts. The token goes nowhere else.
	ErrForeignHost = errors.New("the file is not on one of Meta's hosts")
	// ErrTooLarge means that a file is larger than MaxFile.
	ErrTooLarge = errors.New("the file is larger than WhatsApp carries")
)

// File asks for the URL of a file that came to a number, or was uploaded by it. An error is ErrNoFile or a *SendError.
func (g *Graph) File(ctx context.Context, phoneNumberID, mediaID string) (HeldFile, error) {
	status, answer, err := g.get(ctx,
		url.PathEscape(mediaID)+"?"+url.Values{"phone_number_id": {phoneNumberID}}.Encode())
	if err != nil {
		return HeldFile{}, err
	}
	o := asObject(answer)
	if refusal := o.Object("error"); status == http.StatusNotFound ||
		refusal.Int("code") == 100 && refusal.Int("error_subcode") == 33 {
		return HeldFile{}, ErrNoFile
	}
	if held := (HeldFile{o.Text("url"), o.Text("mime_type"), o.Text("sha256"), o.Int("file_size")}); status < 300 &&
		held.URL != "" {
		return held, nil
	}
	_, err = readAnswer(status, answer)
	var failed *SendError
	if errors.As(err, &failed) {
		failed.Ambiguous = false // reading changes nothing, so it may be repeated
		return HeldFile{}, failed
	}
	return HeldFile{}, &SendError{Class: Retry, HTTP: status, Meta: Error{Message: "the answer has no URL"}}
}

// Download writes a file to w. It sends the token only to Meta's hosts. An error is ErrURLExpired, ErrForeignHost,
// ErrTooLarge, or that of the transport or of w.
func (g *Graph) Download(ctx context.Context, from string, w io.Writer) error {
	address, err := url.Parse(from)
	if err != nil || !g.serves(address) {
		return ErrForeignHost // the error of Parse names the URL
	}
	token, err := g.Token(ctx)
	if err != nil {
		return &SendError{Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return ErrForeignHost
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	client := *g.HTTP
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) > 5 || !g.serves(next.URL) {
			return ErrForeignHost
		}
		return nil
	}
	response, err := client.Do(request)
	if errors.Is(err, ErrForeignHost) {
		return ErrForeignHost
	}
	if err != nil {
		return errors.New("the file could not be reached") // the error names the URL
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone:
		return ErrURLExpired
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("the file was answered with HTTP %d", response.StatusCode)
	case response.ContentLength > MaxFile:
		return ErrTooLarge
	}
	n, err := io.Copy(w, io.LimitReader(response.Body, MaxFile+1))
	if n > MaxFile {
		return ErrTooLarge
	}
	return err
}

// hosts are those from which Meta serves files, with all below them.
var hosts = []string{"graph.facebook.com", "lookaside.fbsbx.com", "fbcdn.net", "whatsapp.net"}

// serves reports whether Meta serves files from an address. The host of the Cloud API's own address counts, whatever it
// is.
func (g *Graph) serves(address *url.URL) bool {
	if own, err := url.Parse(g.URL); err == nil && address.Host == own.Host && address.Scheme == own.Scheme {
		return true
	}
	if address.Scheme != "https" || address.User != nil || address.Port() != "" && address.Port() != "443" {
		return false
	}
	for _, host := range hosts {
		if name := strings.ToLower(address.Hostname()); name == host || strings.HasSuffix(name, "."+host) {
			return true
		}
	}
	return false
}

// SameSHA256 reports whether a hash that Meta has given, in hex or in base64, is the sum.
func SameSHA256(given string, sum [32]byte) bool {
	if decoded, err := hex.DecodeString(given); err == nil && len(decoded) == len(sum) {
		return string(decoded) == string(sum[:])
	}
	for _, encoding := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if decoded, err := encoding.DecodeString(given); err == nil && string(decoded) == string(sum[:]) {
			return true
		}
	}
	return false
}
