#!/bin/sh
# A Redis of three, or the Sentinel beside it: redis.sh server|sentinel. Who is master is asked of the Sentinels that answer, then of what
# the own one remembers; only a first start takes the first of the three.
# ME and NODES (separated by spaces) are names by which all are reached, and REDISCLI_AUTH is the password. DATA is kept, CONFIG is not.
set -eu
umask 077
: "${DATA:=/data}" "${CONFIG:=/config}"
memory=$DATA/sentinel.conf

master() {
  for node in $NODES; do
    answer=$(timeout 2 redis-cli -h "$node" -p 26379 --raw sentinel get-master-addr-by-name yiqiao 2>/dev/null | head -n 1 || true)
    case "$answer" in '' | *ERR* | *rror* | *refused*) ;; *) echo "$answer" && return ;; esac
  done
  answer=$(sed -n 's/^sentinel monitor yiqiao "\{0,1\}\([^" ]*\)"\{0,1\} .*/\1/p' "$memory" 2>/dev/null || true)
  echo "${answer:-${NODES%% *}}"
}

case "$1" in
  server)
    chosen=$(master)
    cat > "$CONFIG/redis.conf" <<END
bind ${BIND:-* -::*}
dir $DATA
requirepass $REDISCLI_AUTH
masterauth $REDISCLI_AUTH
replica-announce-ip $ME
appendonly yes
save ""
maxmemory-policy noeviction
END
    [ "$chosen" = "$ME" ] || echo "replicaof $chosen 6379" >> "$CONFIG/redis.conf"
    exec redis-server "$CONFIG/redis.conf"
    ;;
  sentinel)
    # the identity of a Sentinel is in its file: a new one for each start would outvote the living
    [ -s "$memory" ] || cat > "$memory" <<END
bind ${BIND:-* -::*}
port 26379
protected-mode no
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $ME
sentinel monitor yiqiao $(master) 6379 2
sentinel auth-pass yiqiao $REDISCLI_AUTH
sentinel down-after-milliseconds yiqiao 3000
sentinel failover-timeout yiqiao 10000
END
    sed -i "s/^sentinel auth-pass yiqiao .*/sentinel auth-pass yiqiao $REDISCLI_AUTH/" "$memory"
    # REDISCLI_AUTH is the servers' password: Sentinels have none, and listen to the pods of the release alone
    exec redis-server "$memory" --sentinel
    ;;
esac
