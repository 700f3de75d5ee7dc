import { type ChildProcess, spawn } from 'node:child_process';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Bounds, Program, ProgramOutcome } from './bounded-programs.js';
import type { LaunchMessage, LaunchReply } from './launcher/messages.js';
import { ownProgram } from './own-program.js';

type Waiting = (outcome: ProgramOutcome) => void;

/** The result of programs whose launcher was killed. */
const LOST: ProgramOutcome = { kind: 'failed', code: null, said: '' };

/**
 * Runs programs within limits (bounded-programs.ts) through a small process. A fork copies the page tables of its parent and blocks it: a
 * tenth of a second in a service of some hundred megabytes, for which all requests would wait.
 */
@Injectable()
export class ProgramLauncher implements OnApplicationShutdown {
  readonly #waiting = new Map<number, Waiting>();
  #launcher: ChildProcess | null = null;
  #last = 0;

  /** Never throws. */
  run(program: Program, { signal, ...bounds }: Bounds): Promise<ProgramOutcome> {
    if (signal?.aborted) return Promise.resolve({ kind: 'stopped' });
    const id = ++this.#last;
    return new Promise((resolve) => {
      const launcher = this.#started();
      const stop = (): void => void launcher.send({ stop: id } satisfies LaunchMessage, ignored);
      signal?.addEventListener('abort', stop);
      this.#waiting.set(id, (outcome) => {
        signal?.removeEventListener('abort', stop);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) rest(launcher);
        resolve(outcome);
      });
      keep(launcher);
      // An unreachable launcher is about to exit, which ends everything that waits for it.
      launcher.send({ id, program, bounds } satisfies LaunchMessage, ignored);
    });
  }

  onApplicationShutdown(): void {
    // It ends the programs that it has started.
    if (this.#launcher?.connected) this.#launcher.disconnect();
  }

  #started(): ChildProcess {
    if (this.#launcher) return this.#launcher;
    const launcher = spawn(process.execPath, ['--max-old-space-size=128', ...ownProgram('launcher/program')], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Gets no Ctrl-C: it finishes its programs and ends with this process.
      detached: true,
    });
    launcher.on('message', (message) => {
      const { id, outcome } = message as LaunchReply;
      this.#waiting.get(id)?.(outcome);
    });
    const end = (): void => this.#end(launcher);
    launcher.once('error', end);
    launcher.once('disconnect', end);
    this.#launcher = launcher;
    return launcher;
  }

  #end(launcher: ChildProcess): void {
    if (this.#launcher !== launcher) return;
    this.#launcher = null;
    for (const over of this.#waiting.values()) over(LOST);
  }
}

const ignored = (): void => undefined;

/** While a program runs the launcher keeps this process alive; idle it does not. */
function keep(launcher: ChildProcess): void {
  launcher.ref();
  launcher.channel?.ref();
}

function rest(launcher: ChildProcess): void {
  launcher.unref();
  launcher.channel?.unref();
}
