package main

import (
	"testing"

	"github.com/haatline/haatline/infra/topology/topologytest"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "models", wire, map[string]string{"MODELS": "openai:gpt-4o-mini"})
}
