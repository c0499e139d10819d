package corpus

import (
	"encoding/json"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/eum"
)

// toldByAWS has each body posted as AWS End User Messaging tells of it: a notice for each entry, as SNS wraps it. It
// leaves out bodies without a list of entries, of which AWS has nothing to tell.
func toldByAWS(bodies []body) (told []body, skipped []skippedFile) {
	for _, b := range bodies {
		var in struct {
			Entry []json.RawMessage `json:"entry"`
		}
		if json.Unmarshal(b.raw, &in) != nil || len(in.Entry) == 0 {
			skipped = append(skipped, skippedFile{b.name, "no entry of which AWS could tell"})
			continue
		}
		for _, entry := range in.Entry {
			b.posts = append(b.posts, eum.Notice(cloud.Region, entry, time.Now(), true))
		}
		told = append(told, b)
	}
	return told, skipped
}

// posted returns what is posted of a body.
func (b body) posted() [][]byte {
	if b.posts == nil {
		return [][]byte{b.raw}
	}
	return b.posts
}
