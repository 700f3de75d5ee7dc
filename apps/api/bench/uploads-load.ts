/** Large pictures and recordings that come in without pause, beside texts: what the others feel of them. */
import { randomBytes } from 'node:crypto';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateImage } from '@yiqiao/contracts/media';
import { translateText } from '@yiqiao/contracts/translation';
import { IMAGE_BYTES } from '@yiqiao/domain/limits';
import sharp from 'sharp';
import { headersOf, type SignedIn } from './signed-in.js';

/** Near the largest that is taken, in bytes and in pixels: a photograph of nothing, full of grain. */
export async function largePicture(): Promise<Buffer> {
  const side = 3_600;
  const grain = randomBytes(side * side * 3);
  const picture = sharp(grain, { raw: { width: side, height: side, channels: 3 } });
  for (const quality of [60, 40, 20]) {
    const jpeg = await picture.clone().jpeg({ quality }).toBuffer();
    if (jpeg.length <= IMAGE_BYTES) return jpeg;
  }
  throw new Error('the picture is too large whatever its quality');
}

/** Uploads `width` pictures at once, one after the other, until stopped; answers how many were answered. */
export function uploading(
  url: string,
  { members, file, width }: { members: readonly SignedIn[]; file: Buffer; width: number },
): { stop: () => Promise<number> } {
  let [isOver, answered] = [false, 0];
  const loops = Array.from({ length: width }, async (_, nth) => {
    const member = members[nth % members.length];
    while (!isOver && member) {
      const form = new FormData();
      form.set('source', 'en');
      form.set('target', 'es');
      form.set('file', new Blob([new Uint8Array(file)]), 'file');
      const init = { method: 'POST', body: form, headers: headersOf(member) };
      const answer = await fetch(`${url}${BASE_PATH}${translateImage.path}`, init);
      await answer.arrayBuffer();
      // Whatever becomes of it: there is nothing to read on it.
      if (answer.status >= 500 && answer.status !== 503 && answer.status !== 504)
        throw new Error(`an upload was answered ${answer.status}`);
      answered++;
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return answered;
    },
  };
}

/** The 95th percentile of single texts, asked at an even pace, in milliseconds. */
export async function textP95(url: string, member: SignedIn, seconds: number): Promise<number> {
  const [each, body] = [
    40,
    JSON.stringify({ source: 'zh-Hans', target: 'zh-Hant', text: '头发很长，发现皇后在后面。' }),
  ];
  const taken: number[] = [];
  const calls: Promise<void>[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    calls.push(
      (async () => {
        const begun = performance.now();
        const headers = { 'content-type': 'application/json', ...headersOf(member) };
        const answer = await fetch(`${url}${BASE_PATH}${translateText.path}`, { method: 'POST', body, headers });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`a text was answered ${answer.status}`);
        taken.push(performance.now() - begun);
      })(),
    );
    await new Promise((resolve) => setTimeout(resolve, each));
  }
  await Promise.all(calls);
  taken.sort((a, b) => a - b);
  return taken[Math.floor(taken.length * 0.95)] ?? Number.NaN;
}
