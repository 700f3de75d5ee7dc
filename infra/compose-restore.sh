#!/bin/sh
# One command that restores with Docker Compose, of the newest state or of a second: infra/compose-restore.sh [--to "2026-11-20 14:03:05"]
# Stops what writes, restores, brings Redis in line, asks the gateways, audits, starts again. The proxy answers 503 meanwhile.
set -eu
cd "$(dirname "$0")/.."
say() { printf '\n%s\n' "$*" >&2; }

docker compose stop api-1 api-2 api-3 worker operators backup postgres
if ! docker compose run --rm restore operator restore --into /var/lib/postgresql/18/docker "$@"; then
  say 'Nothing was restored: the data are as they were, and all starts again.'
  docker compose up -d
  exit 1
fi
# starts PostgreSQL, then the schema of this build
if ! { docker compose run --rm migrate && docker compose run --rm migrate operator restore finish; }; then
  say 'Restored, but not ready: the product stays stopped. Mend what is named above, then:
  docker compose run --rm migrate && docker compose run --rm migrate operator restore finish && docker compose up -d'
  exit 1
fi
docker compose up -d
