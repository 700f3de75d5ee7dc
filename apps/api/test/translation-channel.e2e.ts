/** Translations during a channel change: each is charged in the characters of the channel that served it. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import type { TextChannel } from '../src/translation/channels/channel.js';
import { TextChannels } from '../src/translation/text-channels.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, setChars, setPrices } from './support/family.js';
import { translateOne } from './support/translate.js';

let api: TestApi;

const languages = new Set(['zh-Hans', 'zh-Hant']);
/** A vendor that responds at once. */
const vendor: TextChannel = {
  availability: () => Promise.resolve({ available: true, reason: null }),
  supports: () => Promise.resolve('translation'),
  languages: () => Promise.resolve({ sources: languages, targets: languages, auto: false }),
  translate: ({ texts }) =>
    Promise.resolve(
      texts.map((translated) => ({ translated, quality: 'translation', warning: null, detected: null }) as const),
    ),
  close: () => Promise.resolve(),
};

const [OFFLINE, GOOGLE, CHATGPT] = [1, 2, 7];
const LENGTH = 600;

beforeAll(async () => {
  api = await startApi({ LIMIT_TRANSLATION_PER_SECOND: '10000', LIMIT_CHANNEL_CHANGES_PER_HOUR: '10000' });
  await setPrices(api);
  const channels = api.app.get(TextChannels, { strict: false });
  for (const code of ['offline', 'google', 'chatgpt'] as const) await channels.open(code, vendor);
});
afterAll(() => api.stop());

it('is never served by a dear channel for cheap characters, or the reverse', async () => {
  const { client, session } = await makeMain(api);
  await setChars(api, session.userId, 60_000_000);
  const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '字'.repeat(LENGTH) };
  for (let round = 0; round < 6; round++) {
    const targetChannelId = round % 2 === 0 ? CHATGPT : OFFLINE;
    const before = round % 2 === 0 ? OFFLINE : CHATGPT;
    const asked = Array.from({ length: 30 }, () => translateOne(client, ask));
    await client.call(changeChannel, { targetChannelId });
    for (const { channelId } of await Promise.all(asked)) expect([before, targetChannelId]).toContain(channelId);
  }
  const { rows, total } = await client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME', pageSize: '100' });
  expect(total).toBe(180);
  for (const { consumeTranChannelId, lastTranChannelId, charChangeNum } of rows) {
    // The characters held before the change were converted as well: 6 cheap characters for a dear one.
    const inItsOwn = consumeTranChannelId === lastTranChannelId;
    const converted = lastTranChannelId === CHATGPT ? LENGTH / 6 : LENGTH * 6;
    expect(-charChangeNum).toBe(inItsOwn ? LENGTH : converted);
  }
});

it('applies the price of a channel to one request, whichever channel it is paid in', async () => {
  const { client, session } = await makeMain(api);
  await setChars(api, session.userId, 60_000_000);
  const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '字'.repeat(LENGTH), channelId: GOOGLE };
  for (let round = 0; round < 6; round++) {
    const asked = Array.from({ length: 20 }, () => translateOne(client, ask));
    await client.call(changeChannel, { targetChannelId: round % 2 === 0 ? CHATGPT : OFFLINE });
    for (const { channelId } of await Promise.all(asked)) expect(channelId).toBe(GOOGLE);
  }
  const { rows, total } = await client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME', pageSize: '100' });
  expect(total).toBe(120);
  // 600 × 20 / 10 cheap characters are 600 × 20 / 60 dear ones.
  for (const { lastTranChannelId, charChangeNum } of rows)
    expect(-charChangeNum).toBe(lastTranChannelId === CHATGPT ? LENGTH / 3 : LENGTH * 2);
});
