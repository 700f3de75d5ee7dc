"""pg_controldata of PostgreSQL 18, where only the server's three programs are packaged: the lines that Patroni reads.

Layout: src/include/catalog/pg_control.h of REL_18 (pg_control_version 1800), 64 bits, little-endian.
"""
import os
import struct
import sys
import time

args = [a for a in sys.argv[1:] if a != '-D']
data = args[0] if args else os.environ['PGDATA']
raw = open(os.path.join(data, 'global/pg_control'), 'rb').read()
at = 0


def take(fmt):
    global at
    size = struct.calcsize('=' + fmt)
    at += -at % size
    (value,) = struct.unpack_from('=' + fmt, raw, at)
    at += size
    return value


def align8():
    global at
    at += -at % 8


def lsn(n):
    return '%X/%X' % (n >> 32, n & 0xFFFFFFFF)


def stamp(n):
    return time.strftime('%a %b %e %H:%M:%S %Y', time.gmtime(n))


def onoff(b):
    return 'on' if b else 'off'


STATES = ['starting up', 'shut down', 'shut down in recovery', 'shutting down', 'in crash recovery', 'in archive recovery', 'in production']
LEVELS = ['minimal', 'replica', 'logical']

system_id, version, catalog, state, when = take('Q'), take('I'), take('I'), take('I'), take('q')
if version != 1800:
    sys.exit('pg_controldata: this one knows version 1800 only, not %d' % version)
checkpoint, redo, tli, prev_tli, fpw, cp_wal_level = take('Q'), take('Q'), take('I'), take('I'), take('?'), take('i')
next_xid, next_oid, next_multi, next_offset, oldest_xid, oldest_db = take('Q'), take('I'), take('I'), take('I'), take('I'), take('I')
oldest_multi, oldest_multi_db, cp_time, old_ts, new_ts, oldest_active = take('I'), take('I'), take('q'), take('I'), take('I'), take('I')
align8()
unlogged, min_recovery, min_recovery_tli, backup_start, backup_end, end_required = take('Q'), take('Q'), take('I'), take('Q'), take('Q'), take('?')
wal_level, wal_log_hints, conns, workers, senders, prepared, locks, track = take('i'), take('?'), take('i'), take('i'), take('i'), take('i'), take('i'), take('?')
max_align, float_format, blcksz, relseg, wal_blcksz, wal_segment = take('I'), take('d'), take('I'), take('I'), take('I'), take('I')
name_len, index_keys, toast, loblk, float_by_val, checksums = take('I'), take('I'), take('I'), take('I'), take('?'), take('I')
if float_format != 1234567.0:
    sys.exit('pg_controldata: the file is laid out otherwise than expected')
segment = redo // wal_segment
wal_file = '%08X%08X%08X' % (tli, segment // (0x100000000 // wal_segment), segment % (0x100000000 // wal_segment))
for name, value in [
    ('pg_control version number', version), ('Catalog version number', catalog), ('Database system identifier', system_id),
    ('Database cluster state', STATES[state]), ('pg_control last modified', stamp(when)),
    ('Latest checkpoint location', lsn(checkpoint)), ("Latest checkpoint's REDO location", lsn(redo)),
    ("Latest checkpoint's REDO WAL file", wal_file), ("Latest checkpoint's TimeLineID", tli),
    ("Latest checkpoint's PrevTimeLineID", prev_tli), ("Latest checkpoint's full_page_writes", onoff(fpw)),
    ("Latest checkpoint's NextXID", '%d:%d' % (next_xid >> 32, next_xid & 0xFFFFFFFF)), ("Latest checkpoint's NextOID", next_oid),
    ('Time of latest checkpoint', stamp(cp_time)), ('Minimum recovery ending location', lsn(min_recovery)),
    ("Min recovery ending loc's timeline", min_recovery_tli), ('Backup start location', lsn(backup_start)),
    ('Backup end location', lsn(backup_end)), ('End-of-backup record required', 'yes' if end_required else 'no'),
    ('wal_level setting', LEVELS[wal_level]), ('wal_log_hints setting', onoff(wal_log_hints)), ('max_connections setting', conns),
    ('max_worker_processes setting', workers), ('max_wal_senders setting', senders), ('max_prepared_xacts setting', prepared),
    ('max_locks_per_xact setting', locks), ('track_commit_timestamp setting', onoff(track)), ('Database block size', blcksz),
    ('Bytes per WAL segment', wal_segment), ('Data page checksum version', checksums),
]:
    print('%-38s%s' % (name + ':', value))
