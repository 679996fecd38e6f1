#!/usr/bin/env bash
# Holds the API document against a linter and two generators of clients, and runs both clients of the
# repository: their programs of the use cases of the contract, as projects outside of it, and the tests of the one in
# TypeScript. It needs Go, curl, Node and npm, and the network the first time; what it downloads stays in .cache.
#
#   check.sh           all of it
#   check.sh go        only Go, which does without Node
set -euo pipefail

only=${1:-}

OAPI_CODEGEN=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source=$PWD/scripts/document-check
work=$PWD/.cache/document-check
client=$PWD/adapters/client/typescript
document=$PWD/docs/reference/openapi.json
page=$PWD/docs/quickstart.md
mkdir -p "$work/go/api" "$work/client"
cp -R "$source/go" "$source/typescript" "$source/package.json" "$source/package-lock.json" "$source/redocly.yaml" "$work/"

go build -o "$work/vitrine" ./apps/vitrine
cd "$work"
# shown LANGUAGE prints the program of the quick start in a language, for the sandbox.
shown() { sed -n '/^```'"$1"'$/,/^```$/p' "$page" | grep -v '^```' | sed "s|http://127.0.0.1:8080|$VITRINE_URL|"; }
[ -n "$only" ] || npm ci --silent --no-audit --no-fund --prefer-offline
rm -f sandbox.db* sandbox.log && rm -rf sandbox.photos # an older log has an older address
./vitrine sandbox --listen 127.0.0.1:0 --database sandbox.db --rate-limit 0 >sandbox.log 2>&1 &
sandbox=$!
trap 'kill "$sandbox" 2>/dev/null; wait "$sandbox" 2>/dev/null || true' EXIT
until VITRINE_URL=$(grep -o -m 1 'http://127\.0\.0\.1:[0-9]*' sandbox.log); do
	kill -0 "$sandbox" 2>/dev/null || { cat sandbox.log; exit 1; }
	sleep 0.2
done
export VITRINE_URL
curl --silent --fail --output openapi.json "$VITRINE_URL/openapi.json"

echo "Go: oapi-codegen generates and compiles; the client runs"
GOWORK=off go run "$OAPI_CODEGEN" -generate types,client -package api -o go/api/api.go openapi.json
mkdir -p go/shown && shown go >go/shown/main.go
(cd go && GOWORK=off go vet . ./shown && GOWORK=off go run . && GOWORK=off go run ./shown >../shown.go.out)
[ -z "$only" ] || exit 0

echo "redocly: lint"
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true node_modules/.bin/redocly lint --config redocly.yaml --max-problems 20 --format stylish openapi.json 2>&1 | tee lint.log
if grep -Eq '[1-9][0-9]* (warning|error)' lint.log; then
	echo "the linter has something to say"
	exit 1
fi

echo "TypeScript: the client is built, tested and packed"
rm -rf client/* && cp -R "$client/src" "$client/test" "$client"/*.json "$client/README.md" client/
(cd client && npm ci --silent --no-audit --no-fund --prefer-offline && npm run --silent build && npm test --silent)
npm pack --silent --pack-destination . ./client
npm install --silent --no-save --no-audit --no-fund --prefer-offline ./vitrine-crm-client-*.tgz

echo "TypeScript: openapi-typescript generates and compiles; the client runs"
node_modules/.bin/openapi-typescript openapi.json -o typescript/api.d.ts
node typescript/every.mjs "$document" >typescript/every.ts
shown ts >typescript/shown.ts
node_modules/.bin/tsc -p typescript
node typescript/out/every.js
node typescript/out/main.js
node typescript/out/shown.js >shown.ts.out
[ "$(wc -l <shown.go.out)" -gt 10 ] && cmp shown.go.out shown.ts.out
echo "both programs of the quick start find the same"
