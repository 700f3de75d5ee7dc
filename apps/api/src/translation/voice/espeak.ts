import { Injectable } from '@nestjs/common';
import { isChinese, toScript } from '../channels/offline/opencc.js';
import { Engines } from '../engines/engines.js';
import { MediaQueue, type Turn } from '../engines/media-queue.js';
import { dataUrl } from './data-url.js';
import { voiceOf } from './voices.js';

const MB = 1024 * 1024;
const SPEAKING = { wallMs: 15_000, cpuSeconds: 10, memoryBytes: 128 * MB, outputBytes: 32 * MB };
const PACKING = { wallMs: 15_000, cpuSeconds: 10, memoryBytes: 256 * MB, outputBytes: 4 * MB };
/** A second of WAV is 44 kB: without an encoder only short speech is worth sending. */
const UNPACKED_BYTES = 4 * MB;

/** The local voice: robotic, in many languages. */
@Injectable()
export class Espeak {
  constructor(
    private readonly engines: Engines,
    private readonly queue: MediaQueue,
  ) {}

  async isInstalled(): Promise<boolean> {
    return (await this.engines.present()).espeak !== null;
  }

  /** A data URL; null on failure, because the translation is worth the same without it. Never throws. */
  async speak(text: string, langCode: string, turn: Turn): Promise<string | null> {
    const { espeak, ffmpeg } = await this.engines.present();
    const voice = voiceOf(langCode);
    if (espeak === null || voice === null) return null;
    // Its Chinese voice reads simplified characters.
    const input = isChinese(langCode) ? await toScript('zh-Hans', text) : text;
    const args = ['-v', voice, '--stdin', '--stdout'];
    const work = async (): Promise<string | null> => {
      const spoken = await this.engines.run({ path: espeak, args, input }, { ...SPEAKING, signal: turn.signal });
      if (spoken.kind !== 'ok' || spoken.output.length <= WAV_HEAD) return null;
      return (ffmpeg && (await this.#packed(ffmpeg.path, spoken.output, turn))) ?? unpacked(spoken.output);
    };
    return this.queue.run(turn, work).catch(() => null);
  }

  async #packed(ffmpeg: string, wav: Buffer, { signal }: Turn): Promise<string | null> {
    const args = [
      '-v',
      'error',
      '-threads',
      '1',
      '-f',
      'wav',
      '-ignore_length',
      '1',
      '-i',
      'pipe:0',
      '-ac',
      '1',
      '-c:a',
      'libmp3lame',
      '-b:a',
      '48k',
      '-f',
      'mp3',
      'pipe:1',
    ];
    const packed = await this.engines.run({ path: ffmpeg, args, input: wav }, { ...PACKING, signal });
    return packed.kind === 'ok' && packed.output.length > 0 ? dataUrl('audio/mpeg', packed.output) : null;
  }
}

const WAV_HEAD = 44;

/** Fixes the lengths in the header: eSpeak writes it before it knows them. */
function unpacked(wav: Buffer): string | null {
  if (wav.length > UNPACKED_BYTES) return null;
  const whole = Buffer.from(wav);
  whole.writeUInt32LE(whole.length - 8, 4);
  whole.writeUInt32LE(whole.length - WAV_HEAD, WAV_HEAD - 4);
  return dataUrl('audio/wav', whole);
}
