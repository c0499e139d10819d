package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxAnswer bounds how many bytes of an answer are read.
const maxAnswer = 4 << 20

// answer is what came back.
type answer struct {
	status int
	body   []byte
	date   time.Time // the server's clock; zero if unknown
	asked  time.Time // our clock, halfway between request and answer
}

// fetch makes one request. Its error says who did not answer and why, but not the address, because a query may contain
// a secret. (The transport's own error would contain it.)
func (x *examination) fetch(ctx context.Context, method, address string, headers map[string]string,
	body string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return answer{}, errors.New("the address is none")
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	began := x.now()
	response, err := x.http.Do(request)
	if err != nil {
		return answer{}, x.noAnswer(request.URL.Host, err)
	}
	defer response.Body.Close()
	came := answer{status: response.StatusCode, asked: began.Add(x.now().Sub(began) / 2)}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		came.date = date
	}
	if came.body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer)); err != nil {
		return came, x.noAnswer(request.URL.Host, err)
	}
	return came, nil
}

// noAnswer returns a transport's error without the address.
func (x *examination) noAnswer(host string, err error) error {
	var transport *url.Error
	if errors.As(err, &transport) {
		err = transport.Err
	}
	reason := err.Error()
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		reason = "it took too long"
	}
	return fmt.Errorf("no answer from %s: %s", x.private.cleaned(host), x.private.cleaned(reason))
}

// said describes an answer for a person: its status and the beginning of a short text.
func (x *examination) said(a answer) string {
	text := x.private.cleaned(string(a.body))
	if len(text) > 80 || strings.HasPrefix(text, "<") {
		return fmt.Sprintf("answers %d", a.status)
	}
	return fmt.Sprintf("answers %d %s", a.status, text)
}
