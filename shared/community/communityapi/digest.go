package communityapi

import (
	"context"
	"net/http"

	"github.com/haatline/haatline/shared/community/communitymodel"
)

// digest registers the operations of the daily digest.
func (o *service) digest() {
	read(o, op(http.MethodGet, "/me/digest", "get-digest", notificationsTag, "Say whether one gets a daily digest", ""),
		func(ctx context.Context, _ *struct{}, person communitymodel.User) (*digestOutput, error) {
			is, err := o.Digests.Of(ctx, person.ID)
			return showDigest(is), err
		})
	change(o, op(http.MethodPut, "/me/digest", "set-digest", notificationsTag, "Get a daily digest, or none",
		"Who wants a digest is told once a day how much they have not read, with counts alone, if there is something. "+
			"It goes to one's address of email, or over WhatsApp to one's phone number."),
		func(ctx context.Context, in *setDigestInput, person communitymodel.User) (*digestOutput, error) {
			if err := o.Digests.Set(ctx, person, communitymodel.DigestBy(in.Body.Digest)); err != nil {
				return nil, err
			}
			is, err := o.Digests.Of(ctx, person.ID)
			return showDigest(is), err
		})
}

type communityDigest struct {
	Digest string `json:"digest" enum:"none,email,whatsapp" doc:"How one gets the daily digest."`
	NextAt string `json:"nextAt,omitempty" doc:"When the next one is due; absent if one gets none."`
}

type digestOutput struct{ Body communityDigest }

func showDigest(is communitymodel.Digest) *digestOutput {
	if is.By == "" {
		is.By = communitymodel.DigestNone
	}
	return &digestOutput{communityDigest{Digest: string(is.By), NextAt: string(is.DueAt)}}
}

type setDigestInput struct {
	Body struct {
		Digest string `json:"digest" enum:"none,email,whatsapp" doc:"How you want the daily digest."`
	}
}
