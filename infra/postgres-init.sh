#!/bin/sh
# Run once, when the cluster is made: the application signs in as a role of its own that owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_DB_PASSWORD" -U "$POSTGRES_USER" "$POSTGRES_DB" <<'END'
CREATE ROLE yiqiao_app NOLOGIN;
CREATE ROLE yiqiao_login LOGIN PASSWORD :'password' IN ROLE yiqiao_app;
END
