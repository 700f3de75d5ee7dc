/** Text translations beside large uploads: p95 alone and beside eight uploads at once, and the memory of the uploads. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateImage } from '@yiqiao/contracts/media';
import { translateText } from '@yiqiao/contracts/translation';
import { IMAGE_BYTES } from '@yiqiao/domain/limits';
import sharp from 'sharp';
import { ask, startChild, startServer, type Child } from './child.js';
import { createFixture } from './fixture.js';
import { watchMemory, type Peaks } from './memory.js';
import { apiEnv, headersOf, signIn } from './sign-in.js';
import type { Answered, Uploads } from './uploads-load.js';
import type { Found, Load, Stream } from './vendors-load.js';
import { some, targetLine, type Report, type Settings } from './targets.js';

const UPLOADERS = 8;
const READERS = 8;
const TEXTS_PER_SECOND = 40;
const SECONDS = 15;

/** Milliseconds per text. */
type UploadsRound = { alone: number[]; beside: number[]; uploads: Answered };

export async function benchUploads({ server, rounds, scale, log }: Settings): Promise<Report> {
  const [seconds, atOnce] = [SECONDS * scale, some(UPLOADERS, scale)];
  const fixture = await createFixture(server);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'uploads-bench-'));
  const running: Child[] = [];
  try {
    const members = await signIn(
      fixture.owner,
      Array.from({ length: READERS + atOnce }, (_, i) => i + 1),
    );
    // Without quota the pictures would not be translated.
    await fixture.owner.query('UPDATE member_account SET usable_image_num = 100000 WHERE user_id <= $1', [
      members.length,
    ]);
    const { MEDIA_DIR = '/', APERTIUM_DIR = '' } = process.env;
    const api = await startServer('http-server', apiEnv(fixture.url, { MEDIA_DIR, APERTIUM_DIR }), ['vendors']);
    const [textLoad, uploadLoad] = [startChild('vendors-load'), startChild('uploads-load')];
    running.push(api, textLoad, uploadLoad);
    // Signed for each run, because a signature expires after five minutes.
    const texts = (): Stream => ({
      name: 'texts',
      url: api.url + BASE_PATH + translateText.path,
      headers: members.slice(0, READERS).map(headersOf),
      body: JSON.stringify({ source: 'en', target: 'es', text: 'I want to buy two of the NTH.' }),
      pace: { perSecond: TEXTS_PER_SECOND },
    });
    const read = async (): Promise<number[]> =>
      answered(await ask<Found[]>(textLoad, { streams: [texts()], seconds } satisfies Load));
    const file = await largePicture(folder, scale);
    const uploads = (seconds: number): Uploads => ({
      url: api.url + BASE_PATH + translateImage.path,
      headers: members.slice(READERS).map(headersOf),
      fields: { source: 'en', target: 'es' },
      file,
      seconds,
    });
    const memory = watchMemory(api.process.pid ?? 0);
    const figures: UploadsRound[] = [];
    // Warm up.
    await ask<Answered>(uploadLoad, uploads(1));
    await read();
    for (let round = 1; round <= rounds; round++) {
      const alone = await read();
      const sent = ask<Answered>(uploadLoad, uploads(seconds + 1));
      // Until the first uploads are processed.
      await sleep(1_000);
      const beside = await read();
      figures.push({ alone, beside, uploads: await sent });
      log(
        `round ${round}: p95 alone ${p95(alone).toFixed(1)} ms · beside ${atOnce} uploads ${p95(beside).toFixed(1)} ms · uploads by status ${JSON.stringify(figures.at(-1)?.uploads)}`,
      );
    }
    return reportUploads(figures, atOnce, memory.stop());
  } finally {
    await Promise.all(running.map((child) => child.stop()));
    await rm(folder, { recursive: true, force: true });
    await fixture.close();
  }
}

/** Throws unless every response is 200. */
function answered([found]: Found[]): number[] {
  const { ms, statuses } = found ?? { ms: [], statuses: {} };
  if (ms.length === 0 || Object.keys(statuses).some((status) => status !== '200'))
    throw new Error(`texts: answers by status ${JSON.stringify(statuses)}`);
  return ms;
}

const p95 = (ms: readonly number[]): number => ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.95)] ?? Number.NaN;

/** Large in bytes and pixels, and hard for OCR: a square of noise on a plain background. */
async function largePicture(folder: string, scale: number): Promise<string> {
  const [side, grained] = [some(3_600, scale), some(1_200, scale)];
  const raw = { width: grained, height: grained, channels: 3 } as const;
  const grain = await sharp(randomBytes(grained * grained * 3), { raw })
    .png()
    .toBuffer();
  const wall = sharp({ create: { width: side, height: side, channels: 3, background: '#f2efe8' } });
  const file = path.join(folder, 'grain.png');
  await wall
    .composite([{ input: grain }])
    .png()
    .toFile(file);
  const { size } = await stat(file);
  if (size > IMAGE_BYTES) throw new Error(`the picture has ${size} bytes, more than are taken`);
  return file;
}

function reportUploads(rounds: UploadsRound[], atOnce: number, { own, largest }: Peaks): Report {
  // Over all rounds: the p95 of a single round rests on thirty samples.
  const [alone, beside] = [p95(rounds.flatMap((r) => r.alone)), p95(rounds.flatMap((r) => r.beside))];
  const ratio = {
    name: `text p95 beside ${atOnce} large uploads ÷ alone`,
    kind: 'at most',
    gate: 1.5,
    unit: '×',
    found: beside / alone,
    rounds: rounds.map((r) => p95(r.beside) / p95(r.alone)),
  } as const;
  const decoder = {
    name: 'peak memory of a decoder',
    kind: 'at most',
    gate: 768,
    unit: ' MB',
    found: largest,
  } as const;
  const text = [
    '',
    `text translation beside ${atOnce} uploads of the largest kind at once`,
    `  p95 alone, ms            ${alone.toFixed(1)}`,
    `  p95 beside, ms           ${beside.toFixed(1)}`,
    `  peak memory, MB          api ${Math.round(own)}, the largest decoder ${Math.round(largest)}`,
    '',
    targetLine(ratio),
    targetLine(decoder),
  ].join('\n');
  return { text, json: { rounds, memory: { own, largest } }, targets: [ratio, decoder] };
}
