"""pg_isready as Patroni calls it (-h -p -U -d -t): 0 takes connections, 1 refuses them, 2 no answer."""
import argparse
import socket
import struct
import sys

parser = argparse.ArgumentParser(add_help=False)
for flag, default in (('-h', '127.0.0.1'), ('-p', '5432'), ('-U', 'postgres'), ('-d', 'postgres'), ('-t', '3')):
    parser.add_argument(flag, default=default)
said = vars(parser.parse_known_args()[0])
try:
    server = socket.create_connection((said['h'], int(said['p'])), float(said['t']))
    body = struct.pack('!I', 196608) + b'user\0' + said['U'].encode() + b'\0database\0postgres\0\0'
    server.sendall(struct.pack('!I', len(body) + 4) + body)
    answer = server.recv(4096)
except OSError:
    sys.exit(2)
# 57P03: starting up, shutting down, or in recovery. Anything else is an answer.
sys.exit(1 if answer[:1] == b'E' and b'C57P03\0' in answer else 0 if answer else 2)
