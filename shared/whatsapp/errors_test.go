package whatsapp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestEveryDocumentedCodeHasItsClassWhateverTheHTTPStatus(t *testing.T) {
	for class, codes := range map[whatsapp.Class][]int64{
		whatsapp.Retry: {1, 2, 4, 80007, 80009, 80014, 130429, 131000, 131016, 131057, 131208, 133004,
			134101},
		whatsapp.WaitForPair: {131056},
		whatsapp.WaitADay:    {131049},
		whatsapp.WaitAnHour:  {132069},
		whatsapp.StopSender: {
			0, 3, 10, 33, 190, 200, 201, 250, 298, 299, 368, 131005, 131031, 131037, 131042, 131045, 131048, 131064,
			133000, 133005, 133006, 133008, 133009, 133010, 133015, 133016},
		whatsapp.Never: {
			100, 130472, 130497, 131008, 131009, 131020, 131021, 131026, 131030, 131041, 131047, 131050, 131051, 131052,
			131053, 131055, 131059, 131201, 131202, 131204, 131207, 131209, 131210, 131211, 131212, 131213,
			131214, 131215, 131062, 131063, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 132068,
			134011, 134100, 134102,
			135000, 137000, 138009},
	} {
		for _, code := range codes {
			for _, status := range []int{200, 400, 401, 403, 429, 500, 503} {
				if got := whatsapp.ClassOf(code, status); got != class {
					t.Errorf("code %d with HTTP %d is of class %d, want %d", code, status, got, class)
				}
			}
			if e, known := whatsapp.Explain(code); !known || !strings.HasSuffix(e.Meaning, ".") ||
				!strings.HasSuffix(e.Action, ".") {
				t.Errorf("code %d is explained as %+v, %v", code, e, known)
			} else if class != whatsapp.Never && !e.Retryable {
				t.Errorf("code %d is tried again, and told not to be worth it", code)
			}
		}
	}
}

func TestACodeIsExplainedToAPersonAndAnUnknownOneIsNot(t *testing.T) {
	for code, want := range map[int64]bool{
		131047: false, 131026: false, 190: true, 250: true, 131016: true, 132015: true} {
		if e, known := whatsapp.Explain(code); !known || e.Retryable != want {
			t.Errorf("code %d: %+v, %v", code, e, known)
		}
	}
	if e, known := whatsapp.Explain(999999); known || e != (whatsapp.Explanation{}) {
		t.Errorf("an unknown code is explained as %+v", e)
	}
}

func TestAnUnknownCodeIsRetriedOnlyAfterAServerError(t *testing.T) {
	for _, code := range []int64{-1, 5, 199, 300, 131999, 999999} {
		for status, want := range map[int]whatsapp.Class{
			400: whatsapp.Never, 401: whatsapp.Never, 404: whatsapp.Never, 200: whatsapp.Never,
			429: whatsapp.Retry, 500: whatsapp.Retry, 502: whatsapp.Retry, 503: whatsapp.Retry,
		} {
			if got := whatsapp.ClassOf(code, status); got != want {
				t.Errorf("code %d with HTTP %d is of class %d, want %d", code, status, got, want)
			}
		}
	}
}

func TestWaitsGrowToALimit(t *testing.T) {
	for class, want := range map[whatsapp.Class][]time.Duration{
		whatsapp.Retry: {
			2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, 64 * time.Second,
			128 * time.Second, 256 * time.Second, 512 * time.Second, 10 * time.Minute, 10 * time.Minute,
		},
		whatsapp.WaitForPair: {
			4 * time.Second, 16 * time.Second, 64 * time.Second, 256 * time.Second, 10 * time.Minute, 10 * time.Minute},
		whatsapp.WaitADay:   {24 * time.Hour, 24 * time.Hour, 24 * time.Hour},
		whatsapp.WaitAnHour: {time.Hour, time.Hour},
		whatsapp.StopSender: {15 * time.Minute, 15 * time.Minute, 15 * time.Minute},
	} {
		for retry, wait := range want {
			if got := class.Wait(retry); got != wait {
				t.Errorf("class %d waits %s before attempt %d, want %s", class, got, retry+1, wait)
			}
		}
		if got := class.Wait(1_000_000); got != want[len(want)-1] {
			t.Errorf("class %d waits %s in the end, want %s", class, got, want[len(want)-1])
		}
	}
}

func TestAttemptsEndWhenAPersonHasToLook(t *testing.T) {
	for class, want := range map[whatsapp.Class]int{
		whatsapp.Never: 1, whatsapp.Retry: 10, whatsapp.WaitForPair: 10, whatsapp.WaitADay: 3, whatsapp.WaitAnHour: 24,
		whatsapp.StopSender: 96,
	} {
		if got := class.Attempts(); got != want {
			t.Errorf("class %d is tried %d times, want %d", class, got, want)
		}
	}
	if day := time.Duration(whatsapp.StopSender.Attempts()) * whatsapp.StopSender.Wait(0); day != 24*time.Hour {
		t.Errorf("a stopped sender is tried for %s, want a day", day)
	}
}

// documented are the codes that Meta lists: single ones, and ranges.
var documented = [][2]int64{
	{0, 4}, {10, 10}, {33, 33}, {100, 100}, {190, 190}, {200, 299}, {368, 368}, {80007, 80007}, {80009, 80009},
	{80014, 80014}, {130429, 130429},
	{130472, 130472}, {130497, 130497},
	{131000, 131000}, {131005, 131005}, {131008, 131009}, {131016, 131016}, {131020, 131021}, {131026, 131026},
	{131031, 131031}, {131037, 131037},
	{131041, 131042}, {131045, 131045}, {131047, 131053}, {131055, 131057}, {131059, 131059}, {131201, 131202},
	{131204, 131204}, {131207, 131215},
	{132000, 132001}, {132005, 132005}, {132007, 132007}, {132012, 132012}, {132015, 132016}, {132068, 132069},
	{133000, 133000}, {133004, 133006},
	{133008, 133010}, {133015, 133016}, {134011, 134011}, {134100, 134102}, {135000, 135000}, {138009, 138009},
}

func TestEveryDocumentedCodeIsExplained(t *testing.T) {
	for _, span := range documented {
		for code := span[0]; code <= span[1]; code++ {
			if _, known := whatsapp.Explain(code); !known {
				t.Errorf("code %d is not explained", code)
			}
		}
	}
}
