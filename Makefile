# haatline: `make run` and `make test` are all one needs; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help

FUNCTIONS := $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/main.go))))
LOCAL     := .local/bin/haatline
OPS       := .local/bin/ops
CDK       := infra/node_modules/.bin/cdk
STAGE     ?= dev

# Everything is compiled as the functions are, so that the functions, the commands and the tests share what is compiled:
# each package once, whichever folder the checkout is in. Package infra/building says why with these flags.
export CGO_ENABLED := 0
export GOFLAGS     := -trimpath -tags=lambda.norpc -buildvcs=false -gcflags=github.com/haatline/haatline/...=-l -gcflags=github.com/aws/aws-sdk-go-v2/...=-l

export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 18,20

.PHONY: help lists run say pay fill corpus token test test-rest test-raced test-console test-race lint console build bootstrap diff synth deploy context doctor number operator secret sign-in export templates redrive restore reconcile soak cost bill scale bench phrasings conversations assistant clean install pin-engine

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(LOCAL) console ## run everything here: the console, functions, DynamoDB, HTTP, a simulated WhatsApp
	@exec $(LOCAL) run

# The text reaches the command as it was typed, by the environment: make would expand a $ in it.
say: export SAID := $(value TEXT)
say: export TAPPED := $(value BUTTON)
say: export ABOUT := $(value SUBJECT)
say: $(LOCAL) ## play a customer: make say FROM=919876543210 TEXT="2 kg rice chahiye" (or BUTTON=Approve; in a group: GROUP=…; by SMS: SMS=+447700900555 TO=+447700900444 TEXT=Yes; by email: EMAIL=asha@example.com TO=jobs@acme.example [SUBJECT=…] TEXT=Yes)
	@test -n "$(FROM)$(SMS)$(EMAIL)" || { echo 'who says what? make say FROM=919876543210 TEXT="2 kg rice chahiye"' >&2; exit 2; }
	@$(LOCAL) say -from "$(FROM)" -name "$(NAME)" -group "$(GROUP)" -phone "$(PHONE)" -sms "$(SMS)" -email "$(EMAIL)" -subject "$$ABOUT" -to "$(TO)" -text "$$SAID" -button "$$TAPPED"

pay: $(LOCAL) ## play a customer who pays: make pay PHONE=106540352242922 ORDER=R1 [ARGS="-amount 100 -silent"]
	@$(LOCAL) pay -phone "$(PHONE)" -order "$(ORDER)" $(ARGS)

fill: export FILLED := $(value DATA)
fill: $(LOCAL) ## play a customer who fills in a form: make fill FROM=919876543210 [SCREEN=ADDRESS DATA='{"address":"14 MG Road"}']
	@$(LOCAL) fill -from "$(FROM)" -screen "$(SCREEN)" -data "$$FILLED"

corpus: $(LOCAL) ## post a folder of webhook bodies: make corpus DIR=path [ARGS="-rounds 2"]
	@$(LOCAL) corpus -dir "$(DIR)" $(ARGS)

token: $(LOCAL) ## print an access token: make token ARGS="-groups tenant:demo -expires 1h"
	@$(LOCAL) token $(ARGS)

# Packages where goroutines of one process meet. They run under the race detector, which makes tests two to three times
# slower. `make test-race` runs all packages under it.
RACED := ./shared/dynamo ./shared/dynamotest ./shared/khata/ledger ./shared/lanes ./shared/outbox ./shared/secrets ./shared/stream \
  ./infra/local/... ./functions/webhook

# The packages that take longest. Their tests start first: at the end, one of them would run on its own.
LONG := ./shared/messaging ./infra/e2e ./infra/conversations ./shared/messaging/messagingapi ./functions/inbound

# The compiler, the linker and most tests make much garbage beside a small heap, so they collect it less often. The tests
# are linked without the tables of a debugger, which take as long to write as the rest: stack traces need none.
# `make lint` vets all packages, so the tests do not. They run each time, because most of them run against an engine.
GOTEST   := GOGC=800 go test -count=1 -vet=off -ldflags="-s -w"
RACETEST := CGO_ENABLED=1 $(GOTEST) -race

# Packages that wait for processes, time-outs or a sweep run beside packages that compute, so there are more of them
# than cores. The two groups run side by side, so that neither waits for the last package of the other.
test: install console ## run every test, those of packages where goroutines meet under the race detector
	@begun=$$SECONDS; ended=0; $(MAKE) --no-print-directory -k -j 2 test-rest test-raced || ended=1; \
	$(MAKE) --no-print-directory test-console || ended=1; \
	echo "the tests took $$(( (SECONDS - begun) / 60 )) min $$(( (SECONDS - begun) % 60 )) s"; exit $$ended

test-rest:
	@$(GOTEST) -p 3 -timeout 30m -skip 'TheConsole$$' $$(go list $(LONG)) $$(go list ./... | grep -vxF "$$(go list $(LONG) $(RACED))")

# A browser measures what a person sees, so nothing else runs beside it.
test-console:
	@$(GOTEST) -parallel 3 -timeout 20m -run 'TheConsole$$' ./infra/e2e

test-raced:
	@$(RACETEST) -p 2 -timeout 30m $$(go list $(RACED))

# What a browser does, its own tests have shown: under the race detector they would only take longer.
test-race: install console ## run every test under the race detector, but for those of the console in a browser
	$(RACETEST) -p 3 -timeout 40m $$(go list ./... | grep -v /infra/e2e$$)
	$(RACETEST) -timeout 40m -skip 'TheConsole$$' ./infra/e2e

lists: ## write the lists that follow from the registry of domains
	go run ./infra/lists

GO := functions shared $(filter-out infra/node_modules/,$(wildcard infra/*.go infra/*/))
lint: console ## check formatting, vet, staticcheck, the types of the console
	@test -z "$$(gofmt -l $(GO))" || { gofmt -l $(GO); exit 1; }
	go vet ./...
	go tool staticcheck ./...
	npm run check --prefix console --silent --ignore-scripts

build: $(FUNCTIONS:%=build/%/bootstrap) build/console/index.html ## build the functions and the console for AWS

build/console/index.html: console/dist/index.html
	@rm -rf build/console && mkdir -p build && cp -R console/dist build/console
	@touch $@

build/%/bootstrap: FORCE
	@GOOS=linux GOARCH=arm64 go build -ldflags "-s -w" -o $@ ./functions/$*

# What the CDK keeps in an account and region, once. Its own command asks the app for its stacks, so that has to be built.
bootstrap: context build install ## prepare the AWS account and region of your credentials, once
	$(CDK) bootstrap -c stage=$(STAGE) $(ARGS)

diff: context build install ## show what a deployment would change: make diff STAGE=prod ARGS="…"
	$(CDK) diff -c stage=$(STAGE) $(ARGS)

synth: context build install ## synthesise the CloudFormation templates into cdk.out
	$(CDK) synth --quiet -c stage=$(STAGE) $(ARGS)

# Before anything is built: what is wrong with what was given.
context: $(OPS)
	@$(OPS) context -c stage=$(STAGE) $(ARGS) >/dev/null

deploy: context build install ## deploy to the AWS account of your credentials: make deploy STAGE=prod [ARGS="-c domainPrefix=…"]
	given=$$($(OPS) before-deploy -stage $(STAGE)) && \
	$(CDK) deploy --all -c stage=$(STAGE) $$given $(ARGS) && \
	$(OPS) protect -stage $(STAGE)

doctor: $(OPS) ## say what a deployment still lacks, at Meta and in AWS: make doctor STAGE=prod (or STAGE=local)
	@$(OPS) doctor -stage $(STAGE) $(ARGS)

number: $(OPS) ## give a number to a tenant: make number STAGE=prod PHONE=106540352242922 TENANT=acme [WABA=…] [ARGS=-remove|-move|"-aws find"|"-aws meta"], or one that sends SMS: SENDER=+447700900444 instead of PHONE
	@$(OPS) number -stage $(STAGE) -phone "$(PHONE)" -sender "$(SENDER)" -tenant "$(TENANT)" -waba "$(WABA)" $(ARGS)

operator: $(OPS) ## make a person: make operator STAGE=prod EMAIL=you@example.com TENANT=acme [ARGS="-role administrator"]
	@$(OPS) operator -stage $(STAGE) -email "$(EMAIL)" -tenant "$(TENANT)" $(ARGS)

secret: $(OPS) ## put a value into the stage's secret, typed unseen: make secret STAGE=prod NAME=WHATSAPP_APP_SECRET
	@$(OPS) secret -stage $(STAGE) -name "$(NAME)" $(ARGS)

sign-in: $(OPS) ## sign in for an access token: make sign-in STAGE=prod ARGS="-out token [-scopes all]"
	@$(OPS) sign-in -stage $(STAGE) $(ARGS)

export: $(OPS) ## write all of a tenant's data: make export STAGE=prod ARGS="-token-file token -out acme.jsonl" (or one person's: "-person +919876543210")
	@$(OPS) export -stage $(STAGE) $(ARGS)

templates: $(OPS) ## have Meta review the templates of template-samples that an account lacks: make templates STAGE=prod WABA=102290129340398 ARGS="-token-file token [-picture MEDIA_ID]"
	@$(OPS) templates -stage $(STAGE) -waba "$(WABA)" $(ARGS)

redrive: $(OPS) ## bring back what the streams gave up on: make redrive STAGE=prod
	@$(OPS) redrive -stage $(STAGE) $(ARGS)

restore: $(OPS) ## bring back what tables held: make restore STAGE=prod ARGS="-at 2026-11-20T09:00:00Z -tables Orders,Products"
	@$(OPS) restore -stage $(STAGE) $(ARGS)

reconcile: $(OPS) ## check whether the credit books hold: make reconcile STAGE=prod [ARGS=-mend] (or STAGE=local)
	@$(OPS) reconcile -stage $(STAGE) $(ARGS)

cost: install ## measure and print what each flow costs in DynamoDB units, against the golden file
	@go test -count=1 -run TestCost ./infra/cost
	@cat infra/cost/testdata/cost.golden # what was measured, as the test has just found

MESSAGES ?= 10000
ORDERS   ?= 0
AGENTS   ?= 0
bill: $(OPS) ## print what a stage costs in a month, at list prices: make bill MESSAGES=10000 ORDERS=200 AGENTS=10 STAGE=prod (a day)
	@$(OPS) bill -stage $(STAGE) -messages "$(MESSAGES)" -orders "$(ORDERS)" -agents "$(AGENTS)" $(ARGS)

scale: $(OPS) ## say which limits a load meets first, by what the flows cost: make scale
	@$(OPS) scale

MINUTES    ?= 5
OPERATIONS ?= 100000
soak: install ## a campaign of 10,000, 2,000 texts and 300 answers under kills, random histories of the world for some minutes, and 100,000 operations on ledgers, with faults: make soak MINUTES=30 [ARGS="-seed 7"; "-from 1 -histories 10000"]
	go test -count=1 -timeout 0 ./shared/messaging -schedules 500
	go test -count=1 -timeout 0 -v -run TestACampaignUnderKills ./infra/e2e -recipients 10000
	go test -count=1 -timeout 0 -v -run TestFunctionsKilled ./infra/e2e -texts 2000 -sends 300
	go test -count=1 -timeout 0 -v -run TestSoak ./infra/soak -minutes $(MINUTES) -operations $(OPERATIONS) $(ARGS)

bench: install ## start-up, CPU and size of the hot functions, what flows take beside a bare handler, and how the local engine slows down: make bench [ARGS="-units 1000 -against ../before -profiles /tmp/profiles -writes 20000"]
	go run ./infra/bench $(ARGS)

assistant: $(OPS) ## say how well a company's list of questions is found: make assistant FAQ=faq.csv FILE=questions.jsonl
	@$(OPS) assistant -faq "$(FAQ)" -file "$(FILE)"

phrasings: $(OPS) ## say how well labelled messages are understood: make phrasings CATALOGUE=shop.csv FILE=messages.jsonl
	@$(OPS) phrasings -catalogue "$(CATALOGUE)" -file "$(FILE)"

conversations: $(OPS) install ## play labelled conversations to a shop and judge them: make conversations CATALOGUE=shop.csv FILE=talks.jsonl [ARGS="-show -only k01"]
	@$(OPS) conversations -catalogue "$(CATALOGUE)" -file "$(FILE)" $(ARGS)

clean: ## forget the local data, builds and templates; it asks first (ARGS=-yes)
	@infra/clean.sh $(ARGS)

# What the tests and the local cloud need beside Go: the local engine and the CDK command line, each by its hash in
# infra/package-lock.json. Nothing of theirs is run to install them.
install: infra/node_modules/.installed

infra/node_modules/.installed: infra/package.json infra/package-lock.json
	@command -v npm >/dev/null || { echo "npm was not found: install Node.js 18 or later" >&2; exit 1; }
	npm ci --prefix infra --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# The console is built by what is pinned, each by its hash, in console/package-lock.json. Nothing of it is run to install
# it.
console: console/dist/index.html ## build the page of the shop's people

console/node_modules/.installed: console/package.json console/package-lock.json
	@command -v npm >/dev/null || { echo "npm was not found: install Node.js 20.19 or later" >&2; exit 1; }
	npm ci --prefix console --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

console/dist/index.html: console/node_modules/.installed console/index.html console/vite.config.ts \
  $(shell find console/src console/worker console/public -type f)
	npm run build --prefix console --silent --ignore-scripts -- --logLevel warn
	@touch $@

# The engine comes as a package for each kind of machine, and only those that somebody has seen are pinned. This pins the
# one of this machine by what the registry says of it: look at the change before you commit it.
ENGINE = @dynoxide/$(shell node -p 'process.platform + "-" + process.arch')@$(shell node -p 'require("./infra/package.json").optionalDependencies["@dynoxide/linux-x64"]')
pin-engine: ## pin the local engine of this kind of machine, once
	npm install --prefix infra --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts --save-optional --save-exact --no-audit --no-fund $(ENGINE)

$(LOCAL): FORCE
	@test -e $@ || echo "building the local cloud, about half a minute the first time …" >&2
	@go build -ldflags "-s -w" -o $@ ./infra/local

$(OPS): FORCE
	@go build -ldflags "-s -w" -o $@ ./infra/ops

FORCE:
