"""Runs a program, and waits for whatever it leaves behind, as systemd does on a machine of its own.

In a container nobody may do so for a second or more, and Patroni takes a server whose process has ended for one that still runs.
"""
import ctypes
import os
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

program = os.fork()
if program == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the program by itself
signal.signal(signal.SIGTERM, lambda number, _: os.kill(program, number))
while True:
    pid, status = os.wait()
    if pid == program:
        sys.exit(os.waitstatus_to_exitcode(status))
