package community_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

const png = "\x89PNG\r\n\x1a\n a picture"

// begins has somebody ask for a link to put a file under.
func (h *house) begins(ref communitymodel.ChatRef, by communitymodel.User, n files.New) communitymodel.File {
	h.t.Helper()
	f, _, err := h.Files.Begin(h.ctx(), ref, by, n, none)
	h.must(err)
	return f
}

// uploads has somebody put a picture into the bucket for a chat.
func (h *house) uploads(ref communitymodel.ChatRef, by communitymodel.User) communitymodel.File {
	h.t.Helper()
	f := h.begins(ref, by, files.New{Name: "rice.png", Type: "image/png", Size: int64(len(png))})
	h.bucket.put(files.ObjectKey("demo", ref.ID, f.ID), png)
	return f
}

// with returns a message with files.
func with(all ...communitymodel.File) (d messages.Draft) {
	for _, f := range all {
		d.Attachments = append(d.Attachments, communitymodel.Attachment{File: f.ID})
	}
	return d
}

// goes handles the events of files and pictures that are due, each twice.
func (h *house) goes() {
	h.t.Helper()
	for _, event := range h.events() {
		handler, slow := h.SlowHandlers(h.bucket)[event.EventType]
		if slow && event.NotBefore <= model.At(h.now) {
			for range 2 {
				_, err := handler.Send(h.ctx(), event)
				h.must(err)
			}
		}
	}
}

func TestAFileIsUploadedOnceAndSentOnce(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	c := h.founds(asha, ravi)
	rice, dal := h.opens(c, asha, chats.New{Name: "Rice"}, ravi), h.opens(c, asha, chats.New{Name: "Dal"}, ravi)
	said := files.New{Name: "rice.png", Type: "image/png", Size: int64(len(png))}
	missing, ravis, elsewhere := h.begins(rice, asha, said), h.uploads(rice, ravi), h.uploads(dal, asha)
	short, fake := h.begins(rice, asha, said), h.begins(rice, asha, said)
	h.bucket.put(files.ObjectKey("demo", rice.ID, short.ID), png[:10])
	h.bucket.put(files.ObjectKey("demo", rice.ID, fake.ID), "<script>"+strings.Repeat(" ", len(png)-8))
	good := h.uploads(rice, asha)
	for name, d := range map[string]messages.Draft{
		"not uploaded": with(missing), "another's": with(ravis), "of another chat": with(elsewhere),
		"of another size": with(short), "no picture": with(fake), "twice": with(good, good),
		"none": with(communitymodel.File{ID: "none"}), "one of two": with(good, missing),
	} {
		if _, err := h.Messages.Post(h.ctx(), rice, asha, d, none); !errors.Is(err, communitymodel.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
	key := h.request("with a file")
	m, err := h.Messages.Post(h.ctx(), rice, asha, with(good), key)
	h.must(err)
	want := communitymodel.Attachment{File: good.ID, Name: "rice.png", Type: "image/png", Size: int64(len(png))}
	if len(m.Attachments) != 1 || m.Attachments[0] != want {
		t.Errorf("%+v", m.Attachments)
	}
	if again, err := h.Messages.Post(h.ctx(), rice, asha, with(good), key); err != nil || again.ID != m.ID {
		t.Errorf("a repeated request: %v, %v", again.ID, err)
	}
	if _, err := h.Messages.Post(h.ctx(), rice, asha, with(good), none); !errors.Is(err, communitymodel.ErrField) {
		t.Errorf("a file that was sent: %v", err)
	}
}

func TestWhichFilesAreTaken(t *testing.T) {
	h := newHouse(t)
	asha, zoya := h.person("asha"), h.person("zoya")
	c := h.founds(asha, zoya)
	chat := h.opens(c, asha, chats.New{Name: "Rice"})
	for _, of := range []struct {
		kind  string
		size  int64
		class problem.Class
	}{
		{"application/pdf", 25 << 20, 0}, {"application/pdf", 25<<20 + 1, problem.TooLarge},
		{"image/png", 10<<20 + 1, problem.TooLarge}, {"text/html", 1, problem.Unsupported},
		{"image/svg+xml", 1, problem.Unsupported}, {"", 1, problem.Unsupported}, {"image/png", 0, problem.Invalid},
	} {
		_, _, err := h.Files.Begin(h.ctx(), chat, asha, files.New{Type: of.kind, Size: of.size}, none)
		var why *problem.Error
		if of.class == 0 && err != nil || of.class != 0 && (!errors.As(err, &why) || why.Class != of.class) {
			t.Errorf("%d bytes of %s: %v", of.size, of.kind, err)
		}
	}
	for name, want := range map[string]string{
		"rice.pdf": "rice.pdf", "": "file", "../../etc/passwd": "passwd", `C:\prices\rice.pdf`: "rice.pdf", "..": "file",
		"a\x00b\u202efdp.exe": "abfdp.exe", ".htaccess": "htaccess", "\xff": "file", "भाव.pdf": "भाव.pdf", "/": "file",
		strings.Repeat("a", 200) + ".pdf": strings.Repeat("a", 96) + ".pdf",
	} {
		if f := h.begins(chat, asha, files.New{Name: name, Type: "text/plain", Size: 1}); f.Name != want {
			t.Errorf("%q is called %q, want %q", name, f.Name, want)
		}
	}
	for by, want := range map[model.Name]error{"zoya": communitymodel.ErrNoMember, "meena": dynamo.ErrNotFound} {
		_, _, err := h.Files.Begin(h.ctx(), chat, h.person(string(by)), files.New{Type: "text/plain", Size: 1}, none)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", by, err)
		}
	}
}

// A repeated request gets the first one's file, and no link that lasts longer, or leads to what was sent.
func TestARepeatedRequestGetsNoLongerLink(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	chat := h.opens(h.founds(asha), asha, chats.New{Name: "Rice"})
	begin := func(key string) (communitymodel.File, string, error) {
		return h.Files.Begin(h.ctx(), chat, asha, files.New{Type: "image/png", Size: int64(len(png))}, h.request(key))
	}
	first, link, err := begin("one")
	if h.must(err); !strings.HasSuffix(link, " for 5m0s") {
		t.Error(link)
	}
	h.now = noon.Add(2 * time.Minute)
	again, link, err := begin("one")
	if h.must(err); again.ID != first.ID || !strings.HasSuffix(link, " for 3m0s") {
		t.Errorf("%s, %s", again.ID, link)
	}
	h.bucket.put(files.ObjectKey("demo", chat.ID, first.ID), png)
	second, _, err := begin("two")
	h.must(err)
	_, err = h.Messages.Post(h.ctx(), chat, asha, with(first), none)
	h.must(err)
	if _, _, err := begin("one"); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("a file that was sent: %v", err)
	}
	h.now = noon.Add(8 * time.Minute)
	if _, _, err := begin("two"); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("the link of %s has ended: %v", second.ID, err)
	}
}

func TestOnlyMembersReadAFileAndBrowsersRunNone(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi, h.person("meena")), asha, chats.New{Name: "Rice"}, ravi)
	picture := h.uploads(chat, asha)
	paper := h.begins(chat, asha, files.New{Name: "a \"price\".pdf", Type: "application/pdf", Size: 3})
	h.bucket.put(files.ObjectKey("demo", chat.ID, paper.ID), "PDF")
	m, err := h.Messages.Post(h.ctx(), chat, asha, with(picture, paper), none)
	h.must(err)
	other, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi"}, none)
	h.must(err)
	for file, want := range map[model.Name]string{
		picture.ID: "response-content-disposition=inline%3B+filename%3Drice.png&response-content-type=image%2Fpng",
		paper.ID:   "response-content-disposition=attachment%3B+filename%3D%22a+%5C%22price%5C%22.pdf%22",
	} {
		a, err := h.Messages.Attachment(h.ctx(), chat, ravi, m.ID, file)
		h.must(err)
		if link, err := h.Files.Link(h.ctx(), "demo", chat, a); err != nil || !strings.Contains(link, want) {
			t.Errorf("%s, %v", link, err)
		}
	}
	for by, want := range map[model.Name]error{"meena": communitymodel.ErrNoMember, "zoya": dynamo.ErrNotFound} {
		_, err := h.Messages.Attachment(h.ctx(), chat, h.person(string(by)), m.ID, picture.ID)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", by, err)
		}
	}
	for _, of := range [][2]model.Name{{other.ID, picture.ID}, {m.ID, "none"}, {"none", picture.ID}, {m.ID, ""}} {
		if _, err := h.Messages.Attachment(h.ctx(), chat, ravi, of[0], of[1]); !errors.Is(err, dynamo.ErrNotFound) {
			t.Errorf("%v: %v", of, err)
		}
	}
}

// What no message has goes after a day, and what a message has goes with it: not before the link to put it has ended.
func TestAFileGoesWhenNoMessageHasIt(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"}, ravi)
	sent := map[string]communitymodel.Message{}
	var stays []string
	for _, name := range []string{"stays", "is deleted", "is hidden", "waits"} {
		f := h.uploads(chat, ravi)
		if name == "waits" {
			break
		}
		m, err := h.Messages.Post(h.ctx(), chat, ravi, with(f), none)
		h.must(err)
		sent[name] = m
		if name == "stays" {
			stays = []string{files.ObjectKey("demo", chat.ID, f.ID)}
		}
	}
	h.must(h.Messages.Delete(h.ctx(), chat, ravi, sent["is deleted"].ID))
	report, err := h.Reports.Report(h.ctx(), chat, sent["is hidden"].ID, asha, "spam")
	h.must(err)
	_, err = h.Reports.Handle(h.ctx(), report.CommunityID, report.ID, asha, true, actor)
	h.must(err)
	for _, at := range []struct {
		after time.Duration
		left  int
	}{{time.Minute, 4}, {6 * time.Minute, 2}, {25 * time.Hour, 1}} {
		h.now = noon.Add(at.after)
		if h.goes(); len(h.bucket.keys()) != at.left {
			t.Errorf("after %s: %v", at.after, h.bucket.keys())
		}
	}
	if left := h.bucket.keys(); !slices.Equal(left, stays) {
		t.Errorf("%v are left, want %v", left, stays)
	}
	if n := strings.Count(h.stored(), `"FILE#`); n != 1 {
		t.Errorf("%d records are left", n)
	}
}

func TestAnErasureTakesAllFilesOfAPerson(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	h.registers(asha, ravi)
	c := h.founds(asha, ravi)
	private, err := h.Chats.Open(h.ctx(), asha, ravi.ID, c.ID)
	h.must(err)
	var ashas []string
	for i := range 2 {
		chat := h.opens(c, asha, chats.New{Name: fmt.Sprint("Rice ", i)}, ravi)
		for _, ref := range []communitymodel.ChatRef{chat, private.Ref()} {
			for _, by := range []communitymodel.User{asha, ravi} {
				f := h.uploads(ref, by)
				_, err := h.Messages.Post(h.ctx(), ref, by, with(f), none)
				h.must(err)
				if by.ID == asha.ID {
					ashas = append(ashas, files.ObjectKey("demo", ref.ID, f.ID))
				}
			}
		}
		h.uploads(chat, ravi)
		h.must(h.Chats.Leave(h.ctx(), chat.ID, ravi))
	}
	h.must(h.ravisErasure(h.ctx()))
	h.now = noon.Add(6 * time.Minute)
	h.goes()
	slices.Sort(ashas)
	if left := h.bucket.keys(); !slices.Equal(left, ashas) {
		t.Errorf("%v are left, want %v", left, ashas)
	}
}

// Of two messages at once that name a file, one gets it.
func TestOneOfTwoMessagesGetsAFile(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	chat := h.opens(h.founds(asha), asha, chats.New{Name: "Rice"})
	f := h.uploads(chat, asha)
	var group sync.WaitGroup
	var sent atomic.Int64
	for range 5 {
		group.Go(func() {
			_, err := h.Messages.Post(h.ctx(), chat, asha, with(f), none)
			if err == nil {
				sent.Add(1)
			} else if !errors.Is(err, communitymodel.ErrField) && !errors.Is(err, dynamo.ErrConflict) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if sent.Load() != 1 {
		t.Errorf("%d messages have the file", sent.Load())
	}
}
