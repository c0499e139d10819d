# haatline: `make run` and `make test` are all one needs; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help

FUNCTIONS := $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/main.go))))
LOCAL     := .local/bin/haatline
CDK       := infra/node_modules/.bin/cdk
STAGE     ?= dev

export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 18,20

.PHONY: help run say corpus token test lint build synth deploy cost bench clean install

help: ## list the targets
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(LOCAL) ## run everything here: functions, DynamoDB, HTTP, a simulated WhatsApp
	@exec $(LOCAL) run

say: $(LOCAL) ## play a customer: make say FROM=919876543210 TEXT="2 kg rice chahiye"
	@test -n "$(FROM)" || { echo 'who says what? make say FROM=919876543210 TEXT="2 kg rice chahiye"' >&2; exit 2; }
	@$(LOCAL) say -from "$(FROM)" -text "$$TEXT"

corpus: $(LOCAL) ## post a folder of webhook bodies: make corpus DIR=path [ARGS="-rounds 2"]
	@$(LOCAL) corpus -dir "$(DIR)" $(ARGS)

token: $(LOCAL) ## print an access token: make token ARGS="-groups tenant:demo -expires 1h"
	@$(LOCAL) token $(ARGS)

test: install ## run every test
	go vet ./...
	go test -race -timeout 30m ./...

lint: ## check formatting, vet, staticcheck
	@test -z "$$(gofmt -l functions infra/*.go infra/local infra/stacks infra/topology shared)" || { gofmt -l functions infra/*.go infra/local infra/stacks infra/topology shared; exit 1; }
	go vet ./...
	go tool staticcheck ./...

build: $(FUNCTIONS:%=build/%/bootstrap) ## build the functions for AWS

build/%/bootstrap: FORCE
	@CGO_ENABLED=0 GOOS=linux GOARCH=arm64 go build -tags lambda.norpc -trimpath -ldflags "-s -w" -o $@ ./functions/$*

synth: build install ## synthesise the CloudFormation templates into cdk.out
	$(CDK) synth --quiet -c stage=$(STAGE) $(ARGS)

deploy: build install ## deploy to the AWS account of your credentials: make deploy STAGE=prod [ARGS="-c domainPrefix=…"]
	$(CDK) deploy --all -c stage=$(STAGE) $(ARGS)

cost: install ## what each flow costs in DynamoDB units, against the golden file
	go test -count=1 -run TestCost -v ./infra/cost

bench: install ## start-up, CPU and size of the hot functions, as ratios in one run
	go run ./infra/bench

clean: $(LOCAL) ## forget the local data, builds and templates
	@$(LOCAL) forget
	rm -rf .local build cdk.out

# What the tests and the local cloud need beside Go: the local engine and the CDK command line, pinned in infra/package.json.
install: infra/node_modules/.installed

infra/node_modules/.installed: infra/package.json
	@command -v npm >/dev/null || { echo "npm was not found: install Node.js 20 or later" >&2; exit 1; }
	npm install --prefix infra --no-audit --no-fund --no-package-lock --loglevel=error
	@touch $@

$(LOCAL): FORCE
	@go build -o $@ ./infra/local

FORCE:
