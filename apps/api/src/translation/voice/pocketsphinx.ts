import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { VOICE_SECONDS_OFFLINE } from '@yiqiao/domain/limits';
import type { Upload } from '../../platform/uploads.js';
import { Engines } from '../engines/engines.js';
import { MediaQueue, type Turn } from '../engines/media-queue.js';
import type { Recording } from './recordings.js';
import { mayBeSpeech } from './sound.js';

const BOUNDS = { wallMs: 40_000, cpuSeconds: 40, memoryBytes: 512 * 1024 * 1024, outputBytes: 64 * 1024 };

/** Half the work with the same result: every second frame, the two best mixtures, and fewer hypotheses. */
const FRUGAL = ['-ds', '2', '-topn', '2', '-maxwpf', '5', '-maxhmmpf', '3000', '-pl_window', '10'];

/** The local recognizer: English only, with about four words in five right (docs/performance.md, "Speech"). */
@Injectable()
export class PocketSphinx {
  constructor(
    private readonly engines: Engines,
    private readonly queue: MediaQueue,
  ) {}

  async isInstalled(): Promise<boolean> {
    return (await this.engines.present()).pocketsphinx !== null;
  }

  /**
   * Takes at most VOICE_SECONDS_OFFLINE. Throws NO_SPEECH_FOUND, UPSTREAM_FAILED, UPSTREAM_TIMEOUT, SERVICE_BUSY; ENGINE_MISSING when it
   * was uninstalled in between.
   */
  async transcribe({ samples, seconds }: Recording, { upload, turn }: { upload: Upload; turn: Turn }): Promise<string> {
    if (seconds > VOICE_SECONDS_OFFLINE)
      throw new Refusal('VOICE_TOO_LONG', { data: { maxSeconds: VOICE_SECONDS_OFFLINE } });
    if (!mayBeSpeech(samples)) throw new Refusal('NO_SPEECH_FOUND');
    const { pocketsphinx } = await this.engines.present();
    if (pocketsphinx === null) throw new Refusal('ENGINE_MISSING');
    // It opens its input by name, so a pipe is impossible. The folder is deleted with the request.
    const file = path.join(path.dirname(upload.path), 'samples.raw');
    await writeFile(file, samples, { mode: 0o600 });
    const { model, path: program } = pocketsphinx;
    const args = [
      '-infile',
      file,
      '-logfn',
      '/dev/null',
      '-hmm',
      path.join(model, 'en-us'),
      '-lm',
      path.join(model, 'en-us.lm.bin'),
      '-dict',
      path.join(model, 'cmudict-en-us.dict'),
      ...FRUGAL,
    ];
    const bounds = { ...BOUNDS, signal: turn.signal };
    const outcome = await this.queue.run(turn, () => this.engines.run({ path: program, args }, bounds));
    if (outcome.kind === 'stopped' || outcome.kind === 'timeout') throw new Refusal('UPSTREAM_TIMEOUT');
    if (outcome.kind !== 'ok') throw new Refusal('UPSTREAM_FAILED');
    const text = textIn(outcome.output.toString('utf8'));
    if (text === '') throw new Refusal('NO_SPEECH_FOUND');
    return text;
  }
}

/** One utterance per line, all in lower case; "i" is corrected, because it reads and translates badly. */
const textIn = (said: string): string =>
  said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replace(/\bi\b/g, 'I');
