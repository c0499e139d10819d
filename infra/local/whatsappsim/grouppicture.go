package whatsappsim

import (
	"bytes"
	"image/jpeg"
	"io"
	"net/http"
)

// The limits of the picture of a group.
const (
	maxGroupPicture  = 5 << 20 // bytes
	leastGroupPixels = 192     // of a side
)

// handleGroupPicture gives a group a picture, and tells of it by a webhook.
func (s *Server) handleGroupPicture(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 2*maxGroupPicture)
	file, _, err := r.FormFile("file")
	if err != nil || r.FormValue("messaging_product") != "whatsapp" {
		writeGraphError(w, invalidParameter("The parameters messaging_product and file are required."))
		return
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxGroupPicture+1))
	shape, shapeErr := jpeg.DecodeConfig(bytes.NewReader(content))
	if err != nil || len(content) > maxGroupPicture || shapeErr != nil || shape.Width != shape.Height ||
		shape.Width < leastGroupPixels {
		writeGraphError(w, invalidParameter(
			"The picture must be a square JPEG of at most 5 MB, and at least 192 pixels wide."))
		return
	}
	id, request := r.PathValue("id"), newRequestID()
	s.answer(w, r, s.faults.take("", "", setting, map[string]any{"file": true}), func() (int, any, *graphError) {
		phone := ""
		refusal := s.groups.change(id, func(g *group) *graphError {
			if phone = g.phone; g.suspended {
				return refuse(http.StatusForbidden, 131207, "The group is suspended.")
			}
			return nil
		})
		if refusal != nil {
			return 0, nil, refusal
		}
		s.tellsOfGroup(groupSettings, phone, id, "group_settings_update", map[string]any{
			"request_id": request, "profile_picture": map[string]any{
				"mime_type": "image/jpeg", "sha256": hashOf(string(content)), "update_successful": true}})
		return http.StatusOK, map[string]any{
			"messaging_product": "whatsapp", "request_id": request, "success": true}, nil
	})
}
