"""A copy of the primary over the replication protocol (BASE_BACKUP of PostgreSQL 15 to 18), with the WAL it needs, for a new replica.

Patroni calls it with --datadir and --connstring; user and password come from PGUSER and PGPASSWORD.
"""
import argparse
import os
import subprocess
import sys

import psycopg2
from psycopg2.extras import PhysicalReplicationConnection

parser = argparse.ArgumentParser()
parser.add_argument('--datadir', required=True)
parser.add_argument('--connstring', required=True)
said = parser.parse_known_args()[0]
os.makedirs(said.datadir, mode=0o700, exist_ok=True)


class Unpacking:
    """Takes the messages of the copy: 'n' begins an archive, 'd' is its data."""

    def __init__(self, folder):
        self.tar = subprocess.Popen(['tar', '-x', '-p', '-C', folder], stdin=subprocess.PIPE)
        self.archive = b''

    def write(self, message):
        kind, rest = bytes(message[:1]), bytes(message[1:])
        if kind == b'n':
            self.archive = rest.split(b'\0', 1)[0]
        elif kind == b'd' and self.archive == b'base.tar':
            self.tar.stdin.write(rest)
        return len(message)

    def end(self):
        self.tar.stdin.close()
        return self.tar.wait()


primary = psycopg2.connect(said.connstring, connection_factory=PhysicalReplicationConnection)
unpacking = Unpacking(said.datadir)
with primary.cursor() as cursor:
    cursor.copy_expert("BASE_BACKUP (LABEL 'replica', CHECKPOINT 'fast', WAL true, MANIFEST 'no')", unpacking)
sys.exit(unpacking.end())
