#!/bin/sh
# Run once, when the cluster is made: the application and the operators' process sign in as roles of their own that own nothing.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_DB_PASSWORD" -v operators="$OPERATOR_DB_PASSWORD" -U "$POSTGRES_USER" "$POSTGRES_DB" <<'END'
CREATE ROLE yiqiao_app NOLOGIN;
CREATE ROLE yiqiao_login LOGIN PASSWORD :'password' IN ROLE yiqiao_app;
CREATE ROLE yiqiao_operator NOLOGIN IN ROLE yiqiao_app;
CREATE ROLE yiqiao_operators_login LOGIN PASSWORD :'operators' IN ROLE yiqiao_operator;
END
# With docker-compose.backup.yml: a role that may copy the cluster and read its log, and nothing else.
[ -n "${BACKUP_DB_PASSWORD:-}" ] || exit 0
psql -v ON_ERROR_STOP=1 -v password="$BACKUP_DB_PASSWORD" -U "$POSTGRES_USER" "$POSTGRES_DB" <<'END'
CREATE ROLE yiqiao_backup LOGIN REPLICATION PASSWORD :'password';
END
echo 'host replication yiqiao_backup all scram-sha-256' >>"$PGDATA/pg_hba.conf"
