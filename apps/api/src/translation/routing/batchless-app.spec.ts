import { afterEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { stubServer } from '../../../test/support/stub-server.js';
import { accountAt } from '../../../test/support/vendor-accounts.js';
import { ChannelFailure } from '../channels/channel.js';
import { youdao } from '../channels/youdao.js';
import { realTime } from './time.js';
import { Upstream } from './upstream.js';
import { VendorChannel } from './vendor-channel.js';

Logger.overrideLogger(false);

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

it.each([1, 2])('sends a batch through %i apps without batches, and opens no breaker', async (apps) => {
  const paths: string[] = [];
  const server = await stubServer(({ url, body }) => {
    paths.push(url);
    const texts = new URLSearchParams(body).getAll('q');
    const said = texts.length > 1 ? { errorCode: '110' } : { errorCode: '0', translation: ['你好'], l: 'en2zh-CHS' };
    return { body: JSON.stringify(said) };
  });
  const upstreams = Array.from({ length: apps }, (_, at) => {
    const account = accountAt('youdao', {
      name: `n${at}`,
      baseUrl: server.url,
      key: 'test-key',
      secret: 'test-secret',
    });
    return new Upstream(account, youdao.client(account), { time: realTime, today: () => 'today' });
  });
  const [first, ...rest] = upstreams;
  if (first === undefined) throw new Error('no app');
  const channel = new VendorChannel([first, ...rest], realTime);
  open.push(
    () => channel.close(),
    () => server.close(),
  );
  const translate = async (texts: string[]) =>
    channel.translate({
      texts,
      source: 'en',
      target: 'zh-Hans',
      signal: new AbortController().signal,
      deadline: realTime.now() + 15_000,
    });
  const texts = (what: string) => Array.from({ length: 16 }, (_, at) => `the ${what} ship ${'x'.repeat(at + 1)}`);
  const outcomes = await translate(texts('first'));
  expect(outcomes.filter((outcome) => outcome instanceof ChannelFailure)).toEqual([]);
  expect(upstreams.map(({ admits }) => admits)).toEqual(upstreams.map(() => true));
  const inVain = paths.filter((path) => path === '/v2/api').length;
  if (apps === 1) expect(inVain).toBe(1);
  // By the strictest limits, all texts go one by one from now on.
  await translate(texts('second'));
  expect(paths.filter((path) => path === '/v2/api')).toHaveLength(inVain);
});
