#!/bin/sh
# What the image can be, and the units of infra/systemd. `live` and `ready` ask whichever of api, worker and operators runs in this container.
set -eu
# to the release itself: a link that moves on during an upgrade must not mix two of them
cd -P "${APP_DIR:-/app}"
# the clock of the product is APP_TIMEZONE; the process itself keeps to UTC, which has no summer time
export TZ=UTC
command="${1:-api}"
[ $# -eq 0 ] || shift
case "$command" in
  # room for what is young, so that little of a request outlives it, and an end to what is old
  api)
    case "${API_HEAP_MB:=1024}" in
      *[!0-9]*)
        echo "API_HEAP_MB: a whole number from 256 to 65536, not \"$API_HEAP_MB\"" >&2
        exit 78
        ;;
    esac
    exec node --enable-source-maps --max-semi-space-size=32 --max-old-space-size="$API_HEAP_MB" \
      apps/api/dist/src/http.js
    ;;
  # audits and what-ifs read millions of rows and keep none
  worker) exec node --enable-source-maps --max-semi-space-size=8 apps/api/dist/src/worker.js ;;
  operators) exec node --enable-source-maps apps/api/dist/src/operators.js ;;
  operator)
    export OPERATOR_COMMAND="${OPERATOR_COMMAND:-operator}"
    exec node --enable-source-maps --max-semi-space-size=8 apps/api/dist/src/operator.js "$@"
    ;;
  live | ready)
    exec node -e '
      const { WORKER_PORT, OPERATOR_PORT, PORT } = process.env;
      const url = `http://127.0.0.1:${WORKER_PORT || OPERATOR_PORT || PORT || 8080}/${process.argv[1]}z`;
      fetch(url).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1));
    ' "$command"
    ;;
  *)
    echo "unknown command: $command (api, worker, operators, operator <command>, live, ready)" >&2
    exit 64
    ;;
esac
