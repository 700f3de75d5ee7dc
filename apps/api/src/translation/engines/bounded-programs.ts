import { type ChildProcess, spawn } from 'node:child_process';

/** A program to run. `args` contain no user input except the path of a file that we named: texts go through `input` or files. */
export type Program = {
  /** Of the executable. */
  readonly path: string;
  readonly args: readonly string[];
  /** Its whole environment, without our secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
};

export type Bounds = {
  /** Wall-clock limit, waiting included; then it is killed with everything that it started. */
  readonly wallMs: number;
  readonly cpuSeconds: number;
  /** Limit of writable memory, enforced by the kernel. */
  readonly memoryBytes: number;
  readonly outputBytes: number;
  /** Fires when the caller leaves. */
  readonly signal?: AbortSignal;
};

/**
 * The result of a program. `failed`: it exited with an error, or with `code` null by a signal. `said`: the end of its standard error, which may
 * quote the file and is never logged.
 */
export type ProgramOutcome =
  | { readonly kind: 'ok'; readonly output: Buffer; readonly said: string }
  | { readonly kind: 'failed'; readonly code: number | null; readonly said: string }
  | { readonly kind: 'timeout' | 'too-much-memory' | 'too-much-output' | 'stopped' | 'missing' };

type Cut = Exclude<ProgramOutcome['kind'], 'ok' | 'failed'>;

/**
 * A shell sets the limits and then replaces itself with the program, which it gets as arguments, never as a script. At the soft limit of CPU
 * time the program gets a signal, by which we recognise it; at the hard limit it is killed.
 */
const LIMITED =
  'ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; ulimit -H -t "$(($2 + 5))"; shift 2; exec nice -n 19 "$@"';
const SAID_BYTES = 4096;
const NO_MEMORY = /bad_alloc|out of memory|cannot allocate|failed to allocate|malloc|not enough memory/i;

/** Runs programs on untrusted files: at the lowest priority and within limits. */
export class BoundedPrograms {
  readonly #running = new Set<ChildProcess>();

  /** Never throws. */
  run(program: Program, bounds: Bounds): Promise<ProgramOutcome> {
    if (bounds.signal?.aborted) return Promise.resolve({ kind: 'stopped' });
    return new Promise((resolve) => {
      const child = start(program, bounds);
      this.#running.add(child);
      const output: Buffer[] = [];
      let [bytes, said]: [number, string] = [0, ''];
      let cut: Cut | null = null;
      const end = (why: Cut): void => {
        cut ??= why;
        killGroup(child);
      };
      const stop = (): void => end('stopped');
      const alarm = setTimeout(() => end('timeout'), bounds.wallMs);
      bounds.signal?.addEventListener('abort', stop);
      child.stdout?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > bounds.outputBytes) end('too-much-output');
        else output.push(chunk);
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString('utf8')).slice(-SAID_BYTES);
      });
      const over = (outcome: ProgramOutcome): void => {
        clearTimeout(alarm);
        bounds.signal?.removeEventListener('abort', stop);
        this.#running.delete(child);
        resolve(outcome);
      };
      child.once('error', () => over({ kind: 'missing' }));
      child.once('close', (code, signal) => {
        // Its child processes may still run.
        killGroup(child);
        if (cut !== null) over({ kind: cut });
        else if (code === 0) over({ kind: 'ok', output: Buffer.concat(output), said });
        else over(failureOf({ code, signal, said }));
      });
      // A program that exits before reading its whole input reports it by its exit code.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(program.input ?? '');
    });
  }

  killAll(): void {
    for (const child of this.#running) killGroup(child);
  }
}

const start = ({ path, args, env }: Program, { memoryBytes, cpuSeconds }: Bounds): ChildProcess =>
  spawn('/bin/sh', ['-c', LIMITED, 'bounded', `${Math.ceil(memoryBytes / 1024)}`, `${cpuSeconds}`, path, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group, which is killed as a whole and gets no Ctrl-C.
    detached: true,
  });

function failureOf({
  code,
  signal,
  said,
}: {
  code: number | null;
  signal: string | null;
  said: string;
}): ProgramOutcome {
  if (signal === 'SIGXCPU') return { kind: 'timeout' };
  if (code === 126 || code === 127) return { kind: 'missing' };
  return NO_MEMORY.test(said) ? { kind: 'too-much-memory' } : { kind: 'failed', code, said };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
