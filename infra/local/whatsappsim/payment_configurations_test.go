package whatsappsim_test

import (
	"fmt"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func TestWaysToPayAreMadeAndDeleted(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	const path = "/v25.0/" + waba + "/payment_configuration"
	asked := func(method, path, body string) string {
		t.Helper()
		status, answer := sim.call(method, path, body)
		if answer["error"] != nil {
			return fmt.Sprint(status)
		}
		return fmt.Sprint(status, " ", answer)
	}
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", path + "/main", "", "200 map[data:[]]"},
		{"POST", path, `{"configuration_name":"main"}`, "400"},
		{"POST", path, `{"configuration_name":"main","purpose_code":"00","merchant_category_code":"5411"}`, "400"},
		{"POST", path, `{"configuration_name":"upi","purpose_code":"00","merchant_category_code":"5411",` +
			`"merchant_vpa":"shop@bank"}`, "200 map[success:true]"},
		{"POST", path, `{"configuration_name":"main","purpose_code":"00","merchant_category_code":"5411",` +
			`"provider_name":"razorpay"}`,
			"200 map[oauth_url:https://www.facebook.com/payments/connect/main success:true]"},
		{"GET", path + "/main", "", "200 map[data:[map[configuration_name:main merchant_category_code:map[code:5411] " +
			"provider_name:razorpay purpose_code:map[code:00] status:Needs Connecting]]]"},
		{"GET", path + "/main", "", "200 map[data:[map[configuration_name:main merchant_category_code:map[code:5411] " +
			"provider_mid:mid_main provider_name:razorpay purpose_code:map[code:00] status:Active]]]"},
		{"DELETE", path + "?configuration_name=main", "", "200 map[success:true]"},
		{"DELETE", path + "?configuration_name=main", "", "400"},
	} {
		if got := asked(c.method, c.path, c.body); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.method, c.path, c.body, got, c.want)
		}
	}
}
