/** Pictures: read, translated, redrawn and charged, or refused free of charge. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Response } from '@yiqiao/contracts/endpoint';
import { listMediaAbilities, translateImage } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listChannels, listTranslationLogs } from '@yiqiao/contracts/translation';
import sharp from 'sharp';
import { Engines } from '../src/translation/engines/engines.js';
import { PictureWorkers } from '../src/translation/engines/picture-workers.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub } from './support/family.js';
import { accountOf, expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { chinesePage, label, photographOf, picture, pngHead, words } from './support/pictures.js';
import { waitUntil } from './support/wait-until.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const toSpanish = { source: 'en', target: 'es' };

let api: TestApi;
let member: TestMember;

beforeAll(async () => {
  api = await startApi();
  member = await makeMain(api);
}, 120_000);
afterAll(() => api.stop());

type Shown = Response<typeof translateImage>;

async function shown(who: TestMember, fields: Record<string, string>, file: Buffer): Promise<Shown> {
  const { status, body } = await who.client.upload(translateImage, fields, file);
  if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}

const bytesOf = ({ image }: Shown): Buffer => Buffer.from(image.split(',', 2)[1] ?? '', 'base64');

/** The colour at a point of a picture. */
async function colourAt(file: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = sharp(file).removeAlpha().extract({ left, top, width: 1, height: 1 });
  return [...(await pixel.raw().toBuffer())];
}

/** The share of `expected` that was read in order: the longest common subsequence. */
function agreement(expected: string, read: string): number {
  const characters = [...read];
  let before = new Uint16Array(characters.length + 1);
  for (const wanted of expected) {
    const row = new Uint16Array(characters.length + 1);
    for (const [at, character] of characters.entries())
      row[at + 1] = character === wanted ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0);
    before = row;
  }
  return (before.at(-1) ?? 0) / [...expected].length;
}

describe('a picture', () => {
  it('of a label is translated block by block, drawn in its own format, and costs one image', async () => {
    const main = await makeMain(api);
    const file = await label();
    const answer = await shown(main, toSpanish, file);
    expect(answer.charged).toBe(1);
    const found = new Map(answer.blocks.map(({ text, translated }) => [text, translated]));
    expect(found.get('The house is big')).toMatch(/casa es grande/i);
    expect([found.get('Material'), found.get('Cotton'), found.get('White')]).toEqual(['Material', 'Algodón', 'Blanco']);
    expect(answer.text.split('\n')).toEqual(answer.blocks.map(({ text }) => text));
    // Names on the left, values on the right, where they were.
    const [name, value] = ['Material', 'Cotton'].map((text) => answer.blocks.find((block) => block.text === text));
    expect(name?.box[0]).toBeLessThan(80);
    expect((value?.box[0] ?? 0) + (value?.box[2] ?? 0)).toBeGreaterThan(820);
    const drawn = await sharp(bytesOf(answer)).metadata();
    expect([drawn.format, drawn.width, drawn.height]).toEqual(['png', 900, 600]);
    // Barcode and frame are unchanged, and the drawn text is readable.
    expect(await colourAt(bytesOf(answer), 20, 300)).toEqual(await colourAt(file, 20, 300));
    const bars = { left: 60, top: 400, width: 780, height: 90 };
    expect(await sharp(bytesOf(answer)).extract(bars).removeAlpha().raw().toBuffer()).toEqual(
      await sharp(file).extract(bars).removeAlpha().raw().toBuffer(),
    );
    const again = await shown(main, { source: 'es', target: 'en' }, bytesOf(answer));
    expect(again.text).toMatch(/casa es grande/i);
    expect(again.text).not.toMatch(/house/);
    const { memberAccount, entries, holds } = await accountOf(api, main);
    expect([memberAccount.usableImageNum, memberAccount.usableCharNum, entries, holds]).toEqual([18, 5_000, 3, 0]);
    const [entry] = (await main.client.call(listAccountLogs, { logType: 'OTHER' })).rows;
    expect(entry).toMatchObject({ imageChangeNum: -1, charChangeNum: 0 });
    const [line] = (await main.client.call(listTranslationLogs, {})).rows;
    expect(line).toMatchObject({
      kind: 'image',
      status: 'ok',
      charged: 1,
      free: null,
      sourceLangCode: 'es',
      targetLangCode: 'en',
    });
  }, 180_000);

  it('taken with a phone is read although askew, and stays a photograph', async () => {
    const file = await photographOf(await label());
    const answer = await shown(member, toSpanish, file);
    expect(answer.image).toMatch(/^data:image\/jpeg;base64,/);
    const found = answer.blocks.map(({ text }) => text);
    expect(found).toEqual(expect.arrayContaining(['The house is big', 'Cotton', 'The table is small']));
    expect(answer.translated).toMatch(/casa es grande/i);
    const drawn = await sharp(bytesOf(answer)).metadata();
    expect([drawn.format, drawn.width, drawn.height]).toEqual(['jpeg', 2_000, 1_500]);
  }, 180_000);

  it('of a page with two thousand Chinese characters is converted to the other script', async () => {
    const { lines, png } = await chinesePage(2_000);
    const fields = { source: 'zh-Hans', target: 'zh-Hant' };
    // Ten seconds of CPU time: on a busy machine that may exceed the deadline, and then it is free.
    let { body } = await member.client.upload(translateImage, fields, png);
    for (let tries = 0; tries < 4 && !body.success && body.code === 'UPSTREAM_TIMEOUT'; tries++)
      ({ body } = await member.client.upload(translateImage, fields, png));
    if (!body.success) throw new Error(JSON.stringify(body));
    const answer = body.data;
    expect(agreement(lines.join(''), answer.text.replaceAll('\n', ''))).toBeGreaterThan(0.95);
    expect(answer.translated).toContain('請重啟滑鼠和印表機');
    expect(answer.charged).toBe(1);
  }, 300_000);

  it('with white letters on a coloured button is redrawn in the same colours', async () => {
    const button = `<rect x="60" y="60" width="360" height="90" rx="12" fill="#d93025"/>`;
    const text = words({ x: 240, y: 118, size: 36, text: 'The red house', fill: '#ffffff', anchor: 'middle' });
    const file = await picture(button + text, { width: 700, height: 220, ground: '#f4f6f6' });
    const answer = await shown(member, { source: 'auto', target: 'es' }, file);
    expect(answer.blocks).toHaveLength(1);
    expect(answer.translated).toMatch(/casa roja/i);
    expect(await colourAt(bytesOf(answer), 75, 105)).toEqual([217, 48, 37]);
    const { dominant } = await sharp(bytesOf(answer)).extract({ left: 90, top: 85, width: 300, height: 40 }).stats();
    expect(dominant.r).toBeGreaterThan(190);
    const again = await shown(member, { source: 'es', target: 'en' }, bytesOf(answer));
    expect(again.text).toMatch(/casa roja/i);
  }, 180_000);

  it('of a sub-account works too, and is charged once per key', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main, 10);
    const file = await picture(words({ x: 40, y: 90, size: 48, text: 'The house is big' }), {
      width: 600,
      height: 160,
    });
    expect((await sub.client.upload(translateImage, toSpanish, file)).body).toMatchObject({ code: 'QUOTA_NOT_ENOUGH' });
    const again = main.client.with({ 'Idempotency-Key': 'a-picture' });
    const [first, second] = await Promise.all([
      again.upload(translateImage, toSpanish, file),
      again.upload(translateImage, toSpanish, file),
    ]);
    expect([first.status, second.body]).toEqual([200, first.body]);
    const other = await picture(words({ x: 40, y: 90, size: 48, text: 'The table' }), { width: 600, height: 160 });
    expect(await again.upload(translateImage, toSpanish, other)).toMatchObject({ status: 409 });
    expect((await accountOf(api, main)).memberAccount.usableImageNum).toBe(19);
  }, 180_000);
});

describe('refused free of charge', () => {
  const page = (text: string): Promise<Buffer> =>
    picture(words({ x: 40, y: 90, size: 48, text }), { width: 700, height: 160 });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
  const cases: [string, Record<string, string>, () => Buffer | Promise<Buffer>, string][] = [
    ['a text', {}, () => Buffer.from('The house is big. '.repeat(99)), 'NOT_AN_IMAGE'],
    ['an SVG', {}, () => svg, 'NOT_AN_IMAGE'],
    [
      'a GIF',
      {},
      async () =>
        sharp(await page('The house'))
          .gif()
          .toBuffer(),
      'NOT_AN_IMAGE',
    ],
    [
      'a TIFF',
      {},
      async () =>
        sharp(await page('The house'))
          .tiff()
          .toBuffer(),
      'NOT_AN_IMAGE',
    ],
    ['a PDF', {}, () => Buffer.from('%PDF-1.7\n%\xff\xff\xff\xff\n1 0 obj\n', 'latin1'), 'NOT_AN_IMAGE'],
    ['half a picture', {}, async () => (await label()).subarray(0, 6_000), 'NOT_AN_IMAGE'],
    ['half a JPEG', {}, async () => (await photographOf(await label())).subarray(0, 60_000), 'NOT_AN_IMAGE'],
    ['a head without a picture', {}, () => pngHead(400, 400), 'NOT_AN_IMAGE'],
    ['a bomb of 30,000 × 30,000', {}, () => pngHead(30_000, 30_000), 'IMAGE_TOO_LARGE'],
    ['a blank page', {}, () => picture('', { width: 900, height: 600 }), 'NO_TEXT_FOUND'],
    ['a blank page of 25 million pixels', {}, () => picture('', { width: 5_000, height: 5_000 }), 'NO_TEXT_FOUND'],
    ['a pair that has a gloss only', { source: 'zh-Hans', target: 'en' }, () => page('头发很长'), 'ONLY_GLOSS'],
    ['the same found out', { source: 'auto', target: 'en' }, () => page('我们的房子很大，头发很长'), 'ONLY_GLOSS'],
    ['a pair that nobody does', { source: 'en', target: 'de' }, () => page('The house'), 'PAIR_NOT_SUPPORTED'],
    ['one language twice', { source: 'en', target: 'en' }, () => page('The house'), 'SAME_LANGUAGE'],
    ['a language that is none', { source: 'xx' }, () => page('The house'), 'VALIDATION_FAILED'],
    ['a field that is missing', { source: 'en', target: '' }, () => page('The house'), 'VALIDATION_FAILED'],
  ];
  it.each(cases)(
    '%s',
    async (_, fields, file, code) => {
      const sent = await file();
      const { body } = await expectNoCharge(api, member, () =>
        member.client.upload(translateImage, { ...toSpanish, ...fields }, sent),
      );
      expect(body).toMatchObject({ success: false, code });
      // It is removed after the response; other suites create and remove such folders of their processes meanwhile.
      const uploads = async (): Promise<string[]> =>
        (await readdir(tmpdir())).filter((name) => name.startsWith(`yiqiao-upload-${process.pid}-`));
      await waitUntil(uploads, (left) => left.length === 0);
    },
    120_000,
  );

  it('texts that all stay as they are, with a failed line as for a text', async () => {
    const before = await accountOf(api, member);
    const chinese = { source: 'zh-Hans', target: 'zh-Hant' };
    const { status, body } = await member.client.upload(translateImage, chinese, await page('Made in China'));
    expect([status, body]).toMatchObject([502, { code: 'NOT_TRANSLATED' }]);
    const after = await accountOf(api, member);
    expect({ ...after, lines: after.lines - 1 }).toEqual(before);
  }, 60_000);

  it('an unsupported language, with a list of the supported ones', async () => {
    const { body } = await expectNoCharge(api, member, async () =>
      member.client.upload(translateImage, { source: 'th', target: 'es' }, await page('The house')),
    );
    expect(body).toMatchObject({
      code: 'MEDIA_LANGUAGE_NOT_SUPPORTED',
      data: { source: 'th', sources: expect.arrayContaining(['en', 'zh-Hans']) },
    });
  });

  it('a picture that crashes its program, which affects no other', async () => {
    const file = await page('The house is big');
    const workers = api.app.get(PictureWorkers, { strict: false });
    const killed = expectNoCharge(api, member, () => member.client.upload(translateImage, toSpanish, file));
    const end = setInterval(() => workers.killAll(), 5);
    const { status } = await killed.finally(() => clearInterval(end));
    expect([422, 502]).toContain(status);
    expect(await shown(member, toSpanish, file)).toMatchObject({ charged: 1 });
  }, 120_000);
});

describe('without engines', () => {
  const GOOGLE = 2;
  const NATIVE: Record<string, string> = { th: 'ไทย', my: 'မြန်မာ', am: 'አማርኛ', 'zh-Hant': '繁體中文' };
  let vendors: VendorEnvironment;
  let bare: TestApi;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'no-media-'));
    vendors = await vendorEnvironment(['google'], 'image-bare');
    bare = await startApi({ ...vendors.env, MEDIA_DIR: folder });
  }, 120_000);
  afterAll(async () => {
    await bare.stop();
    await vendors.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('reads English and Chinese with the bundled engine', async () => {
    const main = await makeMain(bare);
    const [offline] = await main.client.call(listMediaAbilities, {});
    expect(offline?.image.available).toBe(true);
    expect(offline?.image.sources).toEqual(expect.arrayContaining(['en', 'zh-Hans']));
    const shop = await picture(words({ x: 40, y: 90, size: 48, text: 'The house is big' }), {
      width: 700,
      height: 160,
    });
    // The system may or may not have a Tesseract; both read this. Fonts do not come with the packages.
    if (await bare.app.get(Engines, { strict: false }).canDraw('español'))
      expect((await shown(main, toSpanish, shop)).translated).toMatch(/casa es grande/i);
  }, 180_000);

  it('refuses a language without a font in both languages, free of charge', async () => {
    const engines = bare.app.get(Engines, { strict: false });
    const fontless = await Promise.all(
      ['th', 'my', 'am', 'zh-Hant'].map(async (code) => ((await engines.canDraw(NATIVE[code] ?? '')) ? [] : [code])),
    );
    const [target] = fontless.flat();
    // A system may have fonts for all of them.
    if (target === undefined) return;
    const main = await makeMain(bare);
    await main.client.call(changeChannel, { targetChannelId: GOOGLE });
    const file = await picture(words({ x: 40, y: 90, size: 48, text: 'The house' }), { width: 700, height: 160 });
    const said = async (language: string): Promise<unknown> => {
      const client = main.client.with({ 'Accept-Language': language });
      const ask = () => client.upload(translateImage, { source: 'en', target }, file);
      const refused = await expectNoCharge(bare, main, ask);
      expect(refused).toMatchObject({ status: 422, body: { code: 'ENGINE_MISSING' } });
      return refused.body.data;
    };
    expect(await said('zh-CN')).toMatchObject({ reason: expect.stringMatching(/字体.*apt-get/) });
    expect(await said('en-US')).toMatchObject({ reason: expect.stringMatching(/^There is no font.*apt-get/) });
  }, 60_000);
});

it('offers pictures on every channel, and names the supported languages', async () => {
  const channels = await member.client.call(listChannels, {});
  expect(channels.every(({ image }) => image)).toBe(true);
  const open = channels.filter(({ available }) => available).map(({ id }) => id);
  const abilities = await member.client.call(listMediaAbilities, {});
  expect(abilities.map(({ channelId }) => channelId)).toEqual(open);
  expect(abilities[0]?.image).toMatchObject({ available: true, auto: true });
});
