import { open, readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { VOICE_SECONDS_VENDOR } from '@yiqiao/domain/limits';
import type { Upload } from '../../platform/uploads.js';
import type { ProgramOutcome } from '../engines/bounded-programs.js';
import { Engines } from '../engines/engines.js';
import { MediaQueue, type Turn } from '../engines/media-queue.js';
import { isAudible, type Length, lengthOf } from './sound.js';
import { samplesOfWav } from './wav.js';

/** The accepted file formats. `demuxer`: given to FFmpeg, so that it never guesses a playlist. */
const KINDS = [
  { name: 'wav', demuxer: 'wav', begins: /^(RIFF|RF64)[^]{4}WAVE/ },
  { name: 'flac', demuxer: 'flac', begins: /^fLaC/ },
  { name: 'ogg', demuxer: 'ogg', begins: /^OggS/ },
  { name: 'webm', demuxer: 'matroska', begins: /^[^]E\xdf\xa3/ },
  { name: 'mp4', demuxer: 'mov', begins: /^[^]{4}ftyp/ },
  { name: 'mp3', demuxer: 'mp3', begins: /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/ },
] as const;

type RecordingKind = (typeof KINDS)[number];

const BEGINNING = 16;

/** Detects the format by the first bytes, never by name; null for anything else. */
async function kindOf(path: string): Promise<RecordingKind | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    const beginning = buffer.subarray(0, bytesRead).toString('latin1');
    return KINDS.find(({ begins }) => begins.test(beginning)) ?? null;
  } finally {
    await file.close();
  }
}

/** A decoded recording. */
export type Recording = Length & {
  /** One channel of 16-bit samples at SAMPLE_RATE. */
  readonly samples: Buffer;
};

/** Enough to detect a recording that is too long. */
const DECODED_SECONDS = VOICE_SECONDS_VENDOR + 1;
const BOUNDS = {
  wallMs: 30_000,
  cpuSeconds: 20,
  memoryBytes: 512 * 1024 * 1024,
  outputBytes: (DECODED_SECONDS + 1) * 32_000,
};

/** Decodes uploaded recordings: by content, never by name, and no more than the maximum length. */
@Injectable()
export class Recordings {
  constructor(
    private readonly engines: Engines,
    private readonly queue: MediaQueue,
  ) {}

  /**
   * Throws NOT_AUDIO, NO_SPEECH_FOUND for silence, VOICE_TOO_LONG, ENGINE_MISSING with the reason in `language`, SERVICE_BUSY, or
   * UPSTREAM_TIMEOUT.
   */
  async read(upload: Upload, turn: Turn, language: Language): Promise<Recording> {
    const kind = await kindOf(upload.path);
    if (kind === null) throw new Refusal('NOT_AUDIO');
    const { ffmpeg } = await this.engines.present();
    const samples =
      ffmpeg === null
        ? await this.#plainly(upload, kind, language)
        : await this.queue.run(turn, () => this.#decoded(ffmpeg.path, { upload, kind, turn, language }));
    const length = lengthOf(samples);
    if (length.seconds > VOICE_SECONDS_VENDOR)
      throw new Refusal('VOICE_TOO_LONG', { data: { maxSeconds: VOICE_SECONDS_VENDOR } });
    if (!isAudible(samples)) throw new Refusal('NO_SPEECH_FOUND');
    return { ...length, samples };
  }

  /** Without FFmpeg: only WAV, which needs no decoder. */
  async #plainly({ path }: Upload, { name }: RecordingKind, language: Language): Promise<Buffer> {
    if (name !== 'wav') throw new Refusal('ENGINE_MISSING', { data: { reason: NO_DECODER[language] } });
    const samples = samplesOfWav(await readFile(path), DECODED_SECONDS);
    if (samples === null) throw new Refusal('NOT_AUDIO');
    return samples;
  }

  /** From the file, not from a pipe, because phones write the index at its end. The length in its header is ignored. */
  async #decoded(
    ffmpeg: string,
    { upload, kind, turn, language }: { upload: Upload; kind: RecordingKind; turn: Turn; language: Language },
  ): Promise<Buffer> {
    const args = [
      '-nostdin',
      '-v',
      'error',
      '-threads',
      '1',
      '-protocol_whitelist',
      'file',
      '-f',
      kind.demuxer,
      '-i',
      `file:${upload.path}`,
      '-map',
      '0:a:0',
      '-t',
      String(DECODED_SECONDS),
      '-ar',
      '16000',
      '-ac',
      '1',
      '-f',
      's16le',
      'pipe:1',
    ];
    const outcome = await this.engines.run({ path: ffmpeg, args }, { ...BOUNDS, signal: turn.signal });
    if (outcome.kind === 'ok' && outcome.output.length > 0) return outcome.output;
    throw refusalFor(outcome, language);
  }
}

function refusalFor({ kind }: ProgramOutcome, language: Language): Refusal {
  if (kind === 'stopped' || kind === 'timeout') return new Refusal('UPSTREAM_TIMEOUT');
  if (kind === 'missing') return new Refusal('ENGINE_MISSING', { data: { reason: NO_DECODER[language] } });
  return new Refusal('NOT_AUDIO');
}

const NO_DECODER = {
  zh: '服务器未安装 ffmpeg，只能读取 WAV 录音。安装：sudo apt-get install -y ffmpeg',
  en: 'ffmpeg is not installed here, so only WAV recordings can be read. Install it: sudo apt-get install -y ffmpeg',
} as const;
