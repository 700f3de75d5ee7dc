import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, give } from './local-server.js';
import { parseLsn, parseSegment, segmentName } from './lsn.js';
import type { Copy, Repository } from './repository.js';
import { PARTIAL } from './wal-archive.js';

const AHEAD = 3;
const POLL_MS = 15;

/**
 * Hands a recovering server the files of the log that it asks for. `restore_command` is a line of shell that leaves the file's name in a folder
 * and waits; this process fetches it. So the server needs no program of ours, and the disk no more than a few segments.
 */
export class WalServer {
  readonly #wanted: string;
  readonly #ready: string;
  readonly #absent: string;
  readonly #ahead = new Map<string, Promise<Buffer | null>>();
  #stopped = false;
  #failure: Error | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: Repository,
    private readonly copy: Copy,
    private readonly place: { folder: string; credentials: Credentials },
  ) {
    const { folder, credentials } = place;
    [this.#wanted, this.#ready, this.#absent] = ['wanted', 'ready', 'absent'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    // One that was killed may have left its answers.
    rmSync(folder, { recursive: true, force: true });
    for (const each of [folder, this.#wanted, this.#ready, this.#absent]) {
      mkdirSync(each, { recursive: true, mode: 0o700 });
      give(each, credentials);
    }
  }

  /** An exit code above 125 ends the recovery: this process is gone. */
  get restoreCommand(): string {
    const look = [
      `if [ -e "${this.#ready}/%f" ]; then exec mv "${this.#ready}/%f" "%p"; fi`,
      `if [ -e "${this.#absent}/%f" ]; then exit 1; fi`,
      'sleep 0.02',
    ];
    return `touch "${this.#wanted}/%f"; while [ -d /proc/${process.pid} ]; do ${look.join('; ')}; done; exit 200`;
  }

  /** Throws what fetching a file threw. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  start(): void {
    this.#loop = this.#serve();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
    await rm(this.place.folder, { recursive: true, force: true });
  }

  async #serve(): Promise<void> {
    while (!this.#stopped) {
      for (const file of await readdir(this.#wanted)) {
        try {
          await this.#answer(file);
        } catch (error) {
          this.#failure = error instanceof Error ? error : new Error(String(error));
          return;
        }
      }
      await sleep(POLL_MS);
    }
  }

  async #answer(file: string): Promise<void> {
    const content = await this.#fetch(file);
    this.#fetchAhead(file);
    if (content === null) {
      await mkdir(path.join(this.#absent, file), { recursive: true });
    } else {
      const unfinished = path.join(this.place.folder, file);
      await writeFile(unfinished, content, { mode: 0o600 });
      give(unfinished, this.place.credentials);
      await rename(unfinished, path.join(this.#ready, file));
    }
    await rm(path.join(this.#wanted, file), { force: true });
  }

  #fetch(file: string): Promise<Buffer | null> {
    const known = this.#ahead.get(file);
    this.#ahead.delete(file);
    return known ?? this.#read(file);
  }

  #fetchAhead(file: string): void {
    const { segmentBytes } = this.copy;
    const segment = parseSegment(file, segmentBytes);
    if (!segment) return;
    for (let at = 1; at <= AHEAD; at++) {
      const next = segmentName(segment.timeline, segment.start + BigInt(at * segmentBytes), segmentBytes);
      if (this.#ahead.has(next)) continue;
      const read = this.#read(next);
      read.catch(() => undefined);
      this.#ahead.set(next, read);
    }
  }

  /** A part of a segment, filled up with zeros, is its beginning to the server. One that ends before the copy does would hide the copy's own. */
  async #read(file: string): Promise<Buffer | null> {
    const whole = await this.repository.readWal(file);
    if (whole) return whole;
    const segment = parseSegment(file, this.copy.segmentBytes);
    const part = segment && (await this.repository.readWal(file + PARTIAL));
    if (!part || segment.start + BigInt(part.length) <= parseLsn(this.copy.stopLsn)) return null;
    const filled = Buffer.alloc(this.copy.segmentBytes);
    part.copy(filled);
    return filled;
  }
}
