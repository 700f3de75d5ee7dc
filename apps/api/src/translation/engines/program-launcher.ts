import { type ChildProcess, spawn } from 'node:child_process';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Bounds, Program, ProgramOutcome } from './bounded-programs.js';
import type { LaunchMessage, LaunchReply } from './launcher/messages.js';
import { ownProgram } from './own-program.js';

type Waiting = (outcome: ProgramOutcome) => void;

/** The launcher was killed: what it ran is lost. */
const LOST: ProgramOutcome = { kind: 'failed', code: null, said: '' };

/**
 * Runs programs within bounds (bounded-programs.ts) through a small process of our own. Starting a program copies the tables of the memory
 * of whoever starts it, and nothing else is done meanwhile: a tenth of a second in a service of some hundred megabytes, which every request
 * of that moment would wait for.
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
      // One that cannot be reached any more is about to end, and everything that waits for it with it.
      launcher.send({ id, program, bounds } satisfies LaunchMessage, ignored);
    });
  }

  onApplicationShutdown(): void {
    // It ends by itself what it has started.
    if (this.#launcher?.connected) this.#launcher.disconnect();
  }

  #started(): ChildProcess {
    if (this.#launcher) return this.#launcher;
    const launcher = spawn(process.execPath, ['--max-old-space-size=128', ...ownProgram('launcher/program')], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Ctrl-C is for us: it ends with us, after what it is at.
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

/** While something is run it is waited for; idle, it keeps nobody from ending. */
function keep(launcher: ChildProcess): void {
  launcher.ref();
  launcher.channel?.ref();
}

function rest(launcher: ChildProcess): void {
  launcher.unref();
  launcher.channel?.unref();
}
