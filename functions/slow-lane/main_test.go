package main

import (
	"testing"

	"github.com/haatline/haatline/infra/topology/topologytest"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "slow-lane", wire,
		map[string]string{"WHATSAPP_GRAPH_URL": "https://graph.facebook.com/v23.0"})
}
