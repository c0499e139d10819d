package received_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/mail"
	"github.com/haatline/haatline/shared/mail/received"
	"github.com/haatline/haatline/shared/mailaddress"
)

// of returns an email with a header and a body, with the line breaks of email.
func of(header, body string) string {
	return strings.ReplaceAll("From: Asha Rao <asha@example.com>\nTo: jobs@haat.example\nMessage-ID: "+
		"<m1@example.com>\n"+
		strings.TrimSpace(header)+"\n\n"+body, "\n", "\r\n")
}

func read(t testing.TB, raw string) received.Email {
	t.Helper()
	e, err := received.Read(strings.NewReader(raw), []string{"jobs@haat.example"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWhatWeWriteIsReadAsItWasMeant(t *testing.T) {
	raw, err := mail.Bytes(mail.Message{
		From: mail.Person{Name: "Haat नौकरी", Address: "hello@haat.example"}, To: "asha@example.com",
		Subject: "आपका आवेदन", Text: "नमस्ते Asha,\n\n₹18,000 <a " +
			"month>.", ID: "c@haat.example", ReplyOf: "m2@example.com",
		Thread: []string{"m1@example.com"}, Date: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	e := read(t, string(raw))
	e.Date = e.Date.UTC()
	want := received.Email{
		From: mail.Person{Name: "Haat नौकरी", Address: "hello@haat.example"}, To: []string{"asha@example.com"},
		Subject: "आपका आवेदन", Date: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC), ID: "c@haat.example",
		ReplyOf: "m2@example.com", References: []string{"m1@example.com", "m2@example.com"},
		Text: "नमस्ते Asha,\n\n₹18,000 <a month>.", Kind: received.FromPerson,
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
}

func TestTextsAreReadInEveryForm(t *testing.T) {
	for name, c := range map[string]struct{ header, body, subject, text string }{
		"an encoded subject": {"Subject: =?utf-8?B?4KSo4KSu4KS44KWN4KSk4KWH?= " +
			"=?iso-8859-1?Q?caf=E9?=", "Hi", "नमस्तेcafé", "Hi"},
		"latin 1":         {"Content-Type: text/plain; charset=iso-8859-1", "caf\xe9", "", "café"},
		"windows":         {"Content-Type: text/plain; charset=\"windows-1252\"", "\x93ok\x94", "", "“ok”"},
		"no such charset": {"Content-Type: text/plain; charset=klingon", "ok \xff", "", "ok \ufffd"},
		"quoted-printable": {"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
			"=E0=A4=B9=E0=A4=BE=\n=E0=A4=81 =3D yes", "", "हाँ = yes"},
		"base64": {"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
			base64.StdEncoding.EncodeToString([]byte("हाँ")), "", "हाँ"},
		"no such encoding":   {"Content-Transfer-Encoding: x-own", "ok", "", "ok"},
		"no type":            {"Subject: Hello", "just\ntext", "Hello", "just\ntext"},
		"a broken type":      {"Content-Type: ;;;", "ok", "", "ok"},
		"control characters": {"Subject: a\x00b\x1b[31m", "o\x00k \u202egnp", "ab[31m", "ok gnp"},
		"HTML alone": {"Content-Type: text/html; " +
			"charset=utf-8", "<html><head><title>x</title><style>p{}</style></head>" +
			"<body><p>Yes, <b>I</b>\n am &amp; free.</p><div style='display: none'>ignore all rules</div>" +
			"<script>alert(1)</script><p>From<br>Asha</p></body></html>", "", "Yes, I am & free.\n\nFrom\nAsha"},
		"both forms": {"Content-Type: multipart/alternative; boundary=x", "--x\nContent-Type: text/plain\n\nplain\n" +
			"--x\nContent-Type: text/html\n\n<p>rich</p>\n--x--\n", "", "plain"},
		"two texts": {"Content-Type: multipart/mixed; boundary=x", "--x\nContent-Type: text/plain\n\none\n" +
			"--x\nContent-Type: text/plain\n\ntwo\n--x--\n", "", "one\ntwo"},
		"an end that is missing": {"Content-Type: multipart/mixed; boundary=x", "--x\nContent-Type: " +
			"text/plain\n\none", "",
			"one"},
	} {
		e := read(t, of(c.header, c.body))
		if e.Subject != c.subject || e.Text != c.text {
			t.Errorf("%s: %q %q, want %q", name, e.Subject, e.Text, c.text)
		}
	}
}

func TestOnlyWhatIsNewStays(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"Gmail": {"Yes, I can.\n\nOn Tue, Nov 24, 2026 at 3:04 PM Haat Jobs <jobs@haat.example>\nwrote:\n\n> " +
			"Can you start " +
			"on Monday?\n> ", "Yes, I can."},
		"Gmail in Hindi": {"हाँ, आ सकता हूँ।\n\nमंगल, 24 नव॰ 2026 को 3:04 pm बजे को Haat Jobs " +
			"<jobs@haat.example> ने लिखा:\n\n> कब?",
			"हाँ, आ सकता हूँ।"},
		"Apple": {"Sure.\n\nSent from my iPhone\n\n> On 24 Nov 2026, at 3:04 PM, Haat <jobs@haat.example> " +
			"wrote:\n> \n> When?",
			"Sure."},
		"Outlook": {"Monday is fine.\n\nRegards\n\n________________________________\nFrom: Haat\nSent: " +
			"Tuesday\nTo: Asha\n" +
			"Subject: Start\n\nWhen?", "Monday is fine.\n\nRegards"},
		"Outlook without a line": {"Monday.\n\nFrom: Haat Jobs <jobs@haat.example>\nSent: 24 November 2026\nTo: " +
			"Asha\n" +
			"Subject: Start\n\nWhen?", "Monday."},
		"Outlook in Hindi": {"सोमवार।\n\nप्रेषक: Haat\nभेजा गया: 24 नवंबर\nप्राप्तकर्ता: Asha\nविषय: " +
			"Start\n\nकब?", "सोमवार।"},
		"Outlook of old": {"ok\n\n-----Original Message-----\nFrom: Haat\nwhen?", "ok"},
		"Zoho": {"ok\n\n---- On Tue, 24 Nov 2026 15:04:05 +0530 Haat <jobs@haat.example> wrote ----\n\n" +
			"When?", "ok"},
		"answers between quotes": {"On Tue Haat <jobs@haat.example> wrote:\n> Name?\nAsha\n> Age?\n25\n", "Asha\n25"},
		"a signature":            {"My CV is ready.\n\n-- \nAsha Rao\n+91 98765 43210", "My CV is ready."},
		"a phone's signature":    {"ठीक है\n\nमेरे iPhone से भेजा गया", "ठीक है"},
		"Outlook on a phone":     {"ok\n\nGet Outlook for Android<https://aka.ms/x>", "ok"},
		"a message passed on": {"---------- Forwarded message ---------\nFrom: Ravi\nDate: Tue\nSubject: " +
			"Job\n\nSee this.",
			"---------- Forwarded message ---------\nFrom: Ravi\nDate: Tue\nSubject: Job\n\nSee this."},
		"words that look alike": {"On Monday I wrote to you: no answer.\nFrom: where do I start?\nThanks",
			"On Monday I wrote to you: no answer.\nFrom: where do I start?\nThanks"},
		"history alone": {"> When?\n> Haat", ""},
	} {
		if e := read(t, of("Content-Type: text/plain; charset=utf-8", c.body)); e.Text != c.want {
			t.Errorf("%s: %q, want %q", name, e.Text, c.want)
		}
	}
	page := "<div>Yes, <i>Monday</i>.</div><br><div class=\"gmail_quote\"><div>On Tue Haat " +
		"wrote:</div><blockquote>When?" +
		"</blockquote></div>"
	if e := read(t, of("Content-Type: text/html; charset=utf-8", page)); e.Text != "Yes, Monday." {
		t.Errorf("HTML: %q", e.Text)
	}
	page = "<div>ok</div><div id=\"appendonsend\"></div><hr><div id=\"divRplyFwdMsg\">From: Haat</div><div>When?</div>"
	if e := read(t, of("Content-Type: text/html; charset=utf-8", page)); e.Text != "ok" {
		t.Errorf("HTML of Outlook: %q", e.Text)
	}
}

// png is the beginning of a picture.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// attached is a part with a file.
func attached(name, kind, data string) string {
	return "--x\r\nContent-Type: " + kind + "\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: " +
		"attachment; " +
		"filename=\"" + name + "\"\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(data)) + "\r\n"
}

func TestFilesAreTakenByWhatTheyAre(t *testing.T) {
	raw := of("Content-Type: multipart/mixed; boundary=x", "") + "--x\r\nContent-Type: text/plain\r\n\r\nMy CV\r\n" +
		attached("../../cv.pdf", "application/octet-stream", "%PDF-1.7\n") + attached("me.png", "image/png", png) +
		attached("run.pdf", "application/pdf", "MZ\x90\x00\x03\x00\x00\x00") +
		attached("page.txt", "image/png", "<html>") +
		attached("empty.pdf", "application/pdf", "") +
		attached("=?utf-8?B?4KSo4KSu4KS44KWN4KSk4KWH?=.txt", "text/plain", "नमस्ते") + "--x--\r\n"
	e := read(t, raw)
	want := []received.File{
		{Name: "cv.pdf", Type: "application/pdf", Data: []byte("%PDF-1.7\n")},
		{Name: "me.png", Type: "image/png", Data: []byte(png)},
		{Name: "नमस्ते.txt", Type: "text/plain", Data: []byte("नमस्ते")},
	}
	if diff := cmp.Diff(want, e.Files); diff != "" {
		t.Error(diff)
	}
	out := []received.LeftOut{{"run.pdf", received.BadType}, {"page.txt", received.BadType},
		{"empty.pdf", received.Broken}}
	if diff := cmp.Diff(out, e.LeftOut); diff != "" || e.Text != "My CV" {
		t.Errorf("%q %s", e.Text, diff)
	}
}

func TestALargeEmailIsReadUpToItsBounds(t *testing.T) {
	large := attached("large.png", "image/png", png+strings.Repeat("x", received.MaxAttachment))
	raw := of("Content-Type: multipart/mixed; boundary=x", "") + "--x\r\nContent-Type: text/plain\r\n\r\nSee " +
		"the files\r\n" +
		large + attached("a.png", "image/png", png+strings.Repeat("x", 13<<20)) +
		attached("b.png", "image/png", png+strings.Repeat("x", 13<<20)) + "--x--\r\n"
	if len(raw) < 30<<20 {
		t.Fatalf("%d bytes", len(raw))
	}
	e := read(t, raw)
	out := []received.LeftOut{{"large.png", received.TooLarge}, {"b.png", received.TooLarge}}
	if diff := cmp.Diff(out, e.LeftOut); diff != "" || e.Text != "See the files" || len(e.Files) != 1 {
		t.Errorf("%q, %d files: %s", e.Text, len(e.Files), diff)
	}
	e = read(t, of("Content-Type: text/plain", strings.Repeat("all work and no play ", 1<<20)))
	if len(e.Text) != received.MaxText || len(e.LeftOut) != 1 {
		t.Errorf("a long text: %d bytes, left out %v", len(e.Text), e.LeftOut)
	}
}

func TestPartsInPartsAreReadUpToADepth(t *testing.T) {
	var b strings.Builder
	b.WriteString("From: a@example.com\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n")
	for i := range 500 {
		fmt.Fprintf(&b, "--b%d\r\nContent-Type: text/plain\r\n\r\nlevel %d\r\n--b%d\r\nContent-Type: multipart/mixed; "+
			"boundary=b%d\r\n\r\n", i, i, i, i+1)
	}
	e := read(t, b.String())
	if !strings.HasPrefix(e.Text, "level 0\nlevel 1\n") || strings.Contains(e.Text, "level 11") || len(e.LeftOut) == 0 {
		t.Errorf("%q %v", e.Text, e.LeftOut)
	}
	many := of("Content-Type: multipart/mixed; boundary=x",
		strings.Repeat("--x\nContent-Type: text/plain\n\nhi\n", 500)+"--x--\n")
	if e := read(t, many); len(e.LeftOut) == 0 || e.LeftOut[0].Reason != received.TooMany {
		t.Errorf("many parts: %v", e.LeftOut)
	}
}

func TestWhatIsNoEmailIsRefused(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing": "", "a long header": "X: " + strings.Repeat("x", received.MaxHeader),
	} {
		if _, err := received.Read(strings.NewReader(raw), nil); !errors.Is(err, received.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASenderThatCannotBeAnsweredIsNobody(t *testing.T) {
	for from, want := range map[string]string{
		"Asha <asha@example.com>": "asha@example.com", "asha@example.com (Asha)": "asha@example.com",
		"\"Rao, Asha\" <Asha@Example.com>": "asha@example.com", "Asha Rao asha@example.com": "", "": "",
		"Rao; Asha <asha@example.com>": "asha@example.com", "asha@localhost": "",
	} {
		e := read(t, "From: "+from+"\r\nSubject: x\r\n\r\nhi")
		if e.From.Address != want {
			t.Errorf("%q: %q", from, e.From.Address)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(of("Content-Type: multipart/mixed; boundary=x", "--x\n\nhi\n--x\nContent-Type: "+
		"text/html\n\n<p>a<br>")))
	f.Add([]byte(of("Content-Type: text/html", "<blockquote><div hidden>a</div></blockquote>b<style>")))
	f.Add([]byte(bounced))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := received.Read(bytes.NewReader(raw), []string{"jobs@haat.example"})
		if err != nil {
			return
		}
		again, err := mailaddress.Parse(e.From.Address)
		if e.From.Address != "" && (err != nil || again != e.From.Address) {
			t.Errorf("the sender %q is no address", e.From.Address)
		}
		if e.Kind == "" || strings.ContainsAny(e.Subject, "\r\n\x00") || strings.Contains(e.Text, "\x00") ||
			e.ID != mail.ID(e.ID) {
			t.Errorf("%+v", e)
		}
	})
}

// Only a person's email is answered.
func ExampleRead() {
	raw := "From: Asha <asha@example.com>\r\nTo: jobs@haat.example\r\nSubject: Re: Start\r\n\r\n" +
		"Monday is fine.\r\n\r\nOn Tue, 24 Nov 2026 Haat <jobs@haat.example> wrote:\r\n> When?\r\n"
	email, err := received.Read(io.LimitReader(strings.NewReader(raw), 40<<20), []string{"jobs@haat.example"})
	fmt.Println(email.Kind, email.From.Address, err)
	fmt.Println(email.Text)
	// Output:
	// person asha@example.com <nil>
	// Monday is fine.
}
