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

/**
 * The least clarity of a transcript. Of recordings with at most a third of the words wrong 7 % are below it, of nonsense and other
 * languages 88 % (docs/performance.md, "Speech").
 */
const LEAST_CLARITY = 0.4;

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
   * Takes at most VOICE_SECONDS_OFFLINE. Throws NO_SPEECH_FOUND, SPEECH_UNCLEAR with the doubtful transcript, UPSTREAM_FAILED,
   * UPSTREAM_TIMEOUT, SERVICE_BUSY; ENGINE_MISSING when it was uninstalled in between.
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
      '-time',
      'yes',
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
    const { text, clarity } = readTranscript(outcome.output.toString('utf8'));
    if (text === '') throw new Refusal('NO_SPEECH_FOUND');
    if (clarity < LEAST_CLARITY) throw new Refusal('SPEECH_UNCLEAR', { data: { transcript: text } });
    return text;
  }
}

/** A line of `-time yes`: a word, its start and end in seconds, and its posterior probability. */
const TIMED = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/;
/** The silence around an utterance, and fillers inside it: `<sil>`, `[NOISE]`, `++UH++`. */
const EDGE = /^<\/?s>$/;
const FILLER = /^(<|\[|\+\+)/;
/** Words per second below which a recording is hardly speech. */
const SLOW = 2.5;

/**
 * The text, one utterance per line of the output and all in lower case ("i" is corrected, because it reads and translates badly), and its
 * clarity from 0 to 1: the mean posterior probability of its words, where each pause or noise inside an utterance counts as two wrong words,
 * because nonsense is full of them. Slow speech counts less, because the few words found in a long noise look certain.
 */
export function readTranscript(output: string): { text: string; clarity: number } {
  const lines = output.split('\n').map((line) => line.trim());
  const timed = lines.flatMap((line) => {
    const [, word = '', start, end, probability] = TIMED.exec(line) ?? [];
    if (word === '' || EDGE.test(word)) return [];
    return [{ word, seconds: Number(end) - Number(start), probability: Number(probability) }];
  });
  const words = timed.filter(({ word }) => !FILLER.test(word));
  const fillers = timed.length - words.length;
  const sum = words.reduce((total, { probability }) => total + probability, 0);
  const seconds = timed.reduce((total, one) => total + one.seconds, 0);
  const pace = Math.min(1, words.length / seconds / SLOW);
  return {
    text: lines
      .filter((line) => line !== '' && !TIMED.test(line))
      .join(' ')
      .replace(/\bi\b/g, 'I'),
    clarity: words.length === 0 ? 0 : (sum / (words.length + 2 * fillers)) * pace,
  };
}
