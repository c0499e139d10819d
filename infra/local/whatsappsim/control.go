package whatsappsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// decodeControl decodes one JSON object strictly, because a misspelt field would be a fault that never happens.
func decodeControl(w http.ResponseWriter, r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxControlBytes))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("the body is not what is expected: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body holds more than one JSON value")
	}
	return nil
}

func writeControlError(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, map[string]string{"error": err.Error()})
}

func (s *Server) handleWebhook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxControlBytes))
	if err != nil {
		writeControlError(w, http.StatusRequestEntityTooLarge, err)
		return
	}
	answer := struct {
		Status int    `json:"status"`
		Error  string `json:"error,omitempty"`
	}{}
	if answer.Status, err = s.post(r.Context(), body); err != nil {
		answer.Error = err.Error()
	}
	writeJSON(w, http.StatusOK, answer)
}

func (s *Server) handleListMessages(w http.ResponseWriter, r *http.Request) {
	query, limit := r.URL.Query(), 0
	if text := query.Get("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 {
			writeControlError(w, http.StatusBadRequest, errors.New("limit must be a positive number"))
			return
		}
	}
	writeJSON(w, http.StatusOK,
		map[string]any{"messages": s.accepted.list(query.Get("to"), query.Get("callback_data"), limit)})
}

func (s *Server) handleClearMessages(w http.ResponseWriter, _ *http.Request) {
	s.accepted.clear()
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) handleSetFault(w http.ResponseWriter, r *http.Request) {
	var fault Fault
	err := decodeControl(w, r, &fault)
	if err == nil {
		err = s.faults.add(fault)
	}
	if err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	writeJSON(w, http.StatusCreated, map[string]any{"faults": s.faults.list()})
}

func (s *Server) handleListFaults(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"faults": s.faults.list()})
}

func (s *Server) handleClearFaults(w http.ResponseWriter, _ *http.Request) {
	s.faults.clear()
	w.WriteHeader(http.StatusNoContent)
}
