/** Pictures through a channel with a vision model: its words at their real places; otherwise the local engines read. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { translateImage } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub } from './support/family.js';
import { accountOf, expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { picture, words } from './support/pictures.js';
import type { VendorFault } from './support/sandbox-vendors.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const CHATGPT = 7;
const WRITTEN = ['The house is big', 'Two old books'];

let vendors: VendorEnvironment;
let api: TestApi;
let member: TestMember;
let file: Buffer;

beforeAll(async () => {
  vendors = await vendorEnvironment(['chatgpt'], 'sight');
  api = await startApi(vendors.env);
  member = await makeMain(api);
  await member.client.call(changeChannel, { targetChannelId: CHATGPT });
  const lines = WRITTEN.map((text, at) => words({ x: 60, y: 120 + at * 200, size: 48, text }));
  file = await picture(lines.join(''), { width: 900, height: 420 });
});
afterEach(() => vendors.mend('chatgpt'));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const ask = (fields: Record<string, string> = {}) =>
  member.client.upload(translateImage, { source: 'en', target: 'de', ...fields }, file);

async function blocks(fields: Record<string, string> = {}) {
  const { status, body } = await ask(fields);
  if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
  expect(body.data).toMatchObject({ charged: 1, image: expect.stringMatching(/^data:image\/png;base64,/) });
  return body.data.blocks;
}

describe('a vision model', () => {
  it('reads a picture, and its words are drawn where they were', async () => {
    const found = await blocks();
    // Its text is invented: the sandbox finds where lines are, not what they say.
    expect(found.map(({ text }) => text)).not.toEqual(WRITTEN);
    expect(found).toHaveLength(2);
    for (const [at, { box }] of found.entries()) {
      const [left, top, width, height] = box;
      expect([left > 50 && left < 80, width > 250 && width < 450]).toEqual([true, true]);
      expect(top).toBeGreaterThan(60 + at * 200);
      expect(top + height).toBeLessThan(145 + at * 200);
    }
  });

  it('reads languages that no local engine supports', async () => {
    const [first] = await blocks({ source: 'am' });
    expect(first?.text).toMatch(/\p{L}/u);
  });

  it('reads for a member of another channel who asks for it, and the account keeps its channel', async () => {
    const main = await makeMain(api);
    const fields = { source: 'en', target: 'de', channelId: String(CHATGPT) };
    expect((await main.client.upload(translateImage, fields, file)).body).toMatchObject({ data: { charged: 1 } });
    const { rows } = await main.client.call(listTranslationLogs, {});
    expect(rows).toMatchObject([{ kind: 'image', tranChannelId: CHATGPT, charged: 1 }]);
    expect((await main.client.call(getUser, {})).tranChannelId).not.toBe(CHATGPT);
    const sub = await makeSub(api, main);
    const { status, body } = await sub.client.upload(translateImage, fields, file);
    expect([status, body]).toMatchObject([403, { code: 'MAIN_ACCOUNT_ONLY' }]);
    expect((await main.client.upload(translateImage, { ...fields, channelId: '99' }, file)).status).toBe(404);
  });

  it.each<[string, VendorFault]>([
    ['its boxes cannot be true', { kind: 'lines', call: 'read' }],
    ['it sees nothing', { kind: 'empty', call: 'read' }],
    ['it is out of money', { kind: 'quota', call: 'read' }],
  ])('is replaced by the local engine when %s', async (_what, fault) => {
    await vendors.fail('chatgpt', fault);
    expect((await blocks()).map(({ text }) => text)).toEqual(WRITTEN);
  });

  it('ends the translation if it refuses the picture, with a failed log line and no charge', async () => {
    // Its breaker is open since it ran out of credit: this uses another account.
    const others = await vendorEnvironment(['chatgpt'], 'sight-refused');
    const other = await startApi(others.env);
    try {
      const main = await makeMain(other);
      await main.client.call(changeChannel, { targetChannelId: CHATGPT });
      await others.fail('chatgpt', { kind: 'block', call: 'read' });
      const before = await accountOf(other, main);
      const refused = await main.client.upload(translateImage, { source: 'en', target: 'de' }, file);
      expect(refused).toMatchObject({ status: 422, body: { code: 'CONTENT_REFUSED' } });
      expect(await accountOf(other, main)).toEqual({ ...before, lines: before.lines + 1 });
      const same = () => main.client.upload(translateImage, { source: 'de', target: 'de' }, file);
      expect(await expectNoCharge(other, main, same)).toMatchObject({ status: 422, body: { code: 'SAME_LANGUAGE' } });
    } finally {
      await other.stop();
      await others.close();
    }
  });
});
