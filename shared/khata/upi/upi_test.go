package upi

import (
	"bytes"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/khata/paycode"
	"github.com/haatline/haatline/shared/model"
)

func TestALinkIsWhatAppsRead(t *testing.T) {
	amount := model.Amount{Decimal: decimal.RequireFromString("1500.5")}
	for want, p := range map[string]Payment{
		"upi://pay?pa=sharma.store@okbank&pn=Sharma%20Kirana&am=1500.50&cu=INR&tn=Khata": {
			"sharma.store@okbank", "Sharma Kirana", amount, "Khata"},
		"upi://pay?pa=a@b&pn=A%26B%3D1%2B1%23%3F&am=1500.50&cu=INR": {
			"a@b", "A&B=1+1#?", amount, ""},
		"upi://pay?pa=a%26am%3D1@b&pn=%E0%A4%B6&am=1500.50&cu=INR": {"a&am=1@b", "श", amount, ""},
	} {
		if got := p.Link(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	long := Payment{"a@b", strings.Repeat("श", 200), amount, strings.Repeat("x", 200)}.Link()
	query, err := url.ParseQuery(strings.TrimPrefix(long, "upi://pay?"))
	if err != nil || len(query.Get("tn")) > maxNote+len("…") || query.Get("am") != "1500.50" {
		t.Errorf("%s: %v", long, err)
	}
	picture, err := paycode.PNG(long)
	if err != nil {
		t.Fatal(err)
	}
	if decoded, err := png.Decode(bytes.NewReader(picture)); err != nil || decoded.Bounds().Dx() < 300 {
		t.Errorf("no picture: %v", err)
	}
}
