import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MediaInstall } from '../../src/translation/engines/media-install.js';

const run = promisify(execFile);
const install = new MediaInstall(process.env['MEDIA_DIR'] ?? '');

/** The containers that browsers and phones record in. */
export const FORMATS = {
  wav: ['-ar', '16000', '-ac', '1', '-f', 'wav'],
  webm: ['-c:a', 'libopus', '-f', 'webm'],
  ogg: ['-c:a', 'libopus', '-f', 'ogg'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k', '-f', 'mp3'],
  // As phones write it: the index at the end, which cannot be read from a pipe.
  m4a: ['-c:a', 'aac', '-f', 'ipod'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
} as const;
export type Format = keyof typeof FORMATS;

async function ffmpeg(args: readonly string[], files: Record<string, Buffer> = {}): Promise<Buffer> {
  const program = await install.find('ffmpeg');
  if (program === null) throw new Error('these tests need ffmpeg: MEDIA_DIR names its folder');
  const folder = await mkdtemp(path.join(tmpdir(), 'recordings-'));
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    const all = ['-nostdin', '-v', 'error', ...args, '-y', 'made'];
    await run(program, all, { cwd: folder, env: install.environment, timeout: 60_000 });
    return await readFile(path.join(folder, 'made'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The words as a voice says them that recognisers understand, with a moment of quiet on both sides. */
export const spoken = (words: string): Promise<Buffer> =>
  ffmpeg([
    '-f',
    'lavfi',
    '-i',
    `flite=text='${words}':voice=rms`,
    '-af',
    'adelay=300,apad=pad_dur=0.3',
    ...FORMATS.wav,
  ]);

/** The same recording in another container. `more`: other settings of the encoder. */
export const recorded = (wav: Buffer, format: Format, more: readonly string[] = []): Promise<Buffer> =>
  ffmpeg(['-i', 'in.wav', ...more, ...FORMATS[format]], { 'in.wav': wav });

/** A sound of FFmpeg's making: `anullsrc` is silence, `anoisesrc=a=0.2` a steady noise. */
export const sound = (source: string, seconds: number, format: Format = 'wav'): Promise<Buffer> =>
  ffmpeg(['-f', 'lavfi', '-i', source, '-t', String(seconds), ...FORMATS[format]]);

/** A film without any sound. */
export const silentFilm = (): Promise<Buffer> =>
  ffmpeg(['-f', 'lavfi', '-i', 'color=size=64x64:duration=1', '-an', '-f', 'mp4']);

/** How long a recording is, in seconds, as a player says. */
export async function secondsOf(bytes: Buffer): Promise<number> {
  const pcm = await ffmpeg(['-i', 'in', '-ar', '16000', '-ac', '1', '-f', 's16le'], { in: bytes });
  return pcm.length / 32_000;
}
