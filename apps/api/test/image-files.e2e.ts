/** Pictures as cameras, drawing programs and attackers make them; and targets written from right to left. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from '@yiqiao/contracts/endpoint';
import { translateImage } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import sharp from 'sharp';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { animatedPng, onNothing, picture, pngHead, words } from './support/pictures.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const GOOGLE = 2;
const [WIDTH, HEIGHT] = [700, 160];
const toSpanish = { source: 'en', target: 'es' };

let vendors: VendorEnvironment;
let api: TestApi;
let member: TestMember;
let page: Buffer;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google'], 'image-files');
  api = await startApi(vendors.env);
  [member, page] = [await makeMain(api), await drawn('The house is big')];
}, 120_000);
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const drawn = (text: string): Promise<Buffer> =>
  picture(words({ x: 40, y: 90, size: 48, text }), { width: WIDTH, height: HEIGHT });

async function shown(file: Buffer, fields = toSpanish, who = member): Promise<Response<typeof translateImage>> {
  const { status, body } = await who.client.upload(translateImage, fields, file);
  if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}

const bytesOf = ({ image }: { image: string }): Buffer => Buffer.from(image.split(',', 2)[1] ?? '', 'base64');

describe('a picture', () => {
  const kinds: [string, () => Promise<Buffer>, string][] = [
    [
      'whose camera was held on its side',
      () => sharp(page).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'jpeg',
    ],
    ['in four printing colours', () => sharp(page).toColourspace('cmyk').jpeg().toBuffer(), 'jpeg'],
    ['with sixteen bits a colour', () => sharp(page).toColourspace('rgb16').png().toBuffer(), 'png'],
    ['in sixteen bits of grey', () => sharp(page).toColourspace('grey16').png().toBuffer(), 'png'],
    ['with a palette of four', () => sharp(page).removeAlpha().png({ palette: true, colours: 4 }).toBuffer(), 'png'],
    ['that comes in passes', () => sharp(page).jpeg({ progressive: true }).toBuffer(), 'jpeg'],
    [
      'that moves (WebP)',
      async () =>
        sharp([page, await drawn('Two books')], { join: { animated: true } })
          .webp()
          .toBuffer(),
      'webp',
    ],
    ['that moves (PNG)', () => Promise.resolve(animatedPng(page)), 'png'],
    [
      'with a script and an archive behind it',
      () => Promise.resolve(Buffer.concat([page, Buffer.from('<script>alert(1)</script>PK\x03\x04')])),
      'png',
    ],
  ];
  it.each(kinds)(
    '%s is read as displayed and returned in the same form',
    async (_, file, format) => {
      const answer = await shown(await file());
      expect(answer.blocks.map(({ text }) => text)).toEqual(['The house is big']);
      const [left = 0, top = 0, width = 0, height = 0] = answer.blocks[0]?.box ?? [];
      expect([left > 30 && left < 50, top > 40 && top < 60]).toEqual([true, true]);
      expect([width > 340 && width < 380, height > 35 && height < 60]).toEqual([true, true]);
      const out = bytesOf(answer);
      expect(await sharp(out).metadata()).toMatchObject({ format, width: WIDTH, height: HEIGHT });
      expect((await sharp(out).metadata()).orientation ?? 1).toBe(1);
      expect(out.includes('script')).toBe(false);
    },
    60_000,
  );

  it('with a transparent background keeps it, without the old words', async () => {
    const out = bytesOf(await shown(await onNothing(page)));
    const { data, info } = await sharp(out).raw().toBuffer({ resolveWithObject: true });
    expect([info.channels, data[3]]).toEqual([4, 0]);
    const again = await shown(out, { source: 'es', target: 'en' });
    expect(again.text).toMatch(/^La casa es grande$/i);
  }, 60_000);
});

describe('refused free of charge', () => {
  const blank = (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const cases: [string, () => Buffer | Promise<Buffer>, string][] = [
    ['nothing at all', () => Buffer.alloc(0), 'NOT_AN_IMAGE'],
    ['the first bytes of a PNG', () => Buffer.from('89504e470d0a1a0a', 'hex'), 'NOT_AN_IMAGE'],
    ['the first bytes of a WebP', () => Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'NOT_AN_IMAGE'],
    [
      'an SVG behind the first bytes of a JPEG',
      () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(svg)]),
      'NOT_AN_IMAGE',
    ],
    ['a picture without any width', () => pngHead(0, 10), 'NOT_AN_IMAGE'],
    ['a picture whose end is missing', () => page.subarray(0, page.length - 30), 'NOT_AN_IMAGE'],
    ['a row of pixels more than 25 million', () => blank(5_000, 5_001), 'IMAGE_TOO_LARGE'],
    ['a single pixel', () => blank(1, 1), 'NO_TEXT_FOUND'],
    ['a line of pixels', () => blank(1, 20_000), 'NO_TEXT_FOUND'],
    ['a very flat picture', () => blank(20_000, 9), 'NO_TEXT_FOUND'],
  ];
  it.each(cases)(
    '%s, with a message in both languages',
    async (_, file, code) => {
      const sent = await file();
      const said = async (language: string): Promise<string> => {
        const client = member.client.with({ 'Accept-Language': language });
        const { status, body } = await expectNoCharge(api, member, () =>
          client.upload(translateImage, toSpanish, sent),
        );
        expect({ status, body }).toMatchObject({ status: 422, body: { success: false, code } });
        return body.msg;
      };
      const [zh, en] = [await said('zh-CN'), await said('en-US')];
      expect(zh).toMatch(/\p{Script=Han}/u);
      expect(en).toMatch(/^[\x20-\x7e–]+$/);
    },
    60_000,
  );
});

describe('a target language written from right to left', () => {
  const lines = ['Please open the door and close', 'the window before you leave and', 'take both books with you today'];
  const far = 620;

  it.each(['ar', 'he'])(
    'aligns paragraphs to the right (%s)',
    async (target) => {
      const main = await makeMain(api);
      await main.client.call(changeChannel, { targetChannelId: GOOGLE });
      const shapes = lines.map((text, at) => words({ x: 40, y: 80 + at * 46, size: 34, text }));
      const file = await picture(shapes.join(''), { width: 900, height: 240 });
      const answer = await shown(file, { source: 'en', target }, main);
      expect(answer.blocks).toHaveLength(1);
      expect(answer.translated).toMatch(target === 'ar' ? /\p{Script=Arabic}/u : /\p{Script=Hebrew}/u);
      const [left = 0, top = 0, width = 0] = answer.blocks[0]?.box ?? [];
      expect(left + width).toBeLessThan(far);
      const { data, info } = await sharp(bytesOf(answer)).greyscale().raw().toBuffer({ resolveWithObject: true });
      const inked = (from: number, to: number): number => {
        let count = 0;
        for (let y = Math.max(0, top - 10); y < top + 40; y++)
          for (let x = from; x < to; x++) if ((data[(y * info.width + x) * info.channels] ?? 255) < 128) count++;
        return count;
      };
      // The first line is white on the left unless it is full, and starts where the paragraph did.
      expect(inked(left + width - 40, left + width + 4)).toBeGreaterThan(30);
      expect(inked(left + width + 6, info.width)).toBe(0);
    },
    60_000,
  );
});
