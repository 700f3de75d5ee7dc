#!/bin/sh
# What the image can be. `health` asks whichever of api, worker and operators runs in this container.
set -eu
cd /app
# the clock of the product is APP_TIMEZONE; the process itself keeps to UTC, which has no summer time
export TZ=UTC
command="${1:-api}"
[ $# -eq 0 ] || shift
case "$command" in
  # room for what is young, so that little of a request outlives it, and an end to what is old
  api)
    exec node --enable-source-maps --max-semi-space-size=32 --max-old-space-size="${API_HEAP_MB:-1024}" \
      apps/api/dist/src/http.js
    ;;
  worker) exec node --enable-source-maps apps/api/dist/src/worker.js ;;
  operators) exec node --enable-source-maps apps/api/dist/src/operators.js ;;
  # a replay reads millions of rows and keeps none
  operator) exec node --enable-source-maps --max-semi-space-size=8 apps/api/dist/src/operator.js "$@" ;;
  health)
    exec node -e '
      const port = process.env.WORKER_PORT || process.env.OPERATOR_PORT || process.env.PORT || 8080;
      fetch(`http://127.0.0.1:${port}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1));
    '
    ;;
  *)
    echo "unknown command: $command (api, worker, operators, operator <command>)" >&2
    exit 64
    ;;
esac
