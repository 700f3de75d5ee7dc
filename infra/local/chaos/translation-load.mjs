// Translation load: members who translate a fixed text, and a main account that translates through every vendor, one text
// and many at a time. Both check what each answer contains and costs.
import { isDeepStrictEqual } from 'node:util';
import { sleep } from '../lifecycle.mjs';
import { createRequestLog, outcomeOf } from './client.mjs';

const FIXED = { source: 'zh-Hans', target: 'zh-Hant', text: '国' };
const FIXED_TEXT_WORKERS = 4;
const REPEAT_PAUSE_MS = 40; // 50 requests a second are allowed (decisions §3)

/** @param {{account: string, call: Function}[]} members */
export function startFixedTexts(members) {
  let running = true;
  const workers = members.map(({ account, call }) => {
    const requests = createRequestLog((body, key) =>
      call('POST', '/translation/text', body, { 'Idempotency-Key': key }),
    );
    return { account, requests };
  });
  const work = workers.flatMap(({ requests }) =>
    Array.from({ length: FIXED_TEXT_WORKERS }, async () => {
      while (running) {
        await requests.send(FIXED);
        await sleep(400);
      }
    }),
  );
  return {
    workers,
    acknowledged: () => workers.reduce((sum, { requests }) => sum + requests.byOutcome().acknowledged.length, 0),
    async end() {
      running = false;
      await Promise.all(work);
    },
    settle: () => sum(workers.map(({ requests }) => requests.settle())),
    /** What is wrong with the answers themselves, in sentences. */
    async problems() {
      return (await Promise.all(workers.map(problemsOf))).flat();
    },
  };
}

async function problemsOf({ account, requests }) {
  const { acknowledged, unknown, refused } = requests.byOutcome();
  const found = [];
  if (unknown.length) found.push(`${account}: ${unknown.length} translations stayed without an answer`);
  const reasons = [...new Set(refused.map(({ code }) => code))];
  if (refused.length) found.push(`${account}: ${refused.length} translations were refused (${reasons.join(', ')})`);
  const lost = acknowledged.filter(({ data }) => data.translated !== '國').length;
  if (lost) found.push(`${account}: ${lost} answers carry another text`);
  return [...found, ...(await changedAnswers({ account, requests }))];
}

const sum = async (promises) => (await Promise.all(promises)).reduce((total, n) => total + n, 0);

const VENDOR_WORKERS = 6;

/** Texts with the pieces that a translation must keep. */
const texts = [
  { text: '请在 2026-11-21 前联系 sales@example.com，谢谢。', kept: ['2026-11-21', 'sales@example.com'] },
  { text: '您的订单 {orderNo} 已发货，运费 $12.50。', kept: ['{orderNo}', '$12.50'] },
  { text: '你好 @李雷 👍🏽，详情见 https://example.com/a?b=1 。', kept: ['@李雷', '👍🏽', 'https://example.com/a?b=1'] },
  { text: '<b>第一行</b>\n第二行：%1$s 件', kept: ['<b>', '</b>', '\n', '%1$s'] },
  { text: '多少钱？', kept: [] },
];

/** A vendor's failure has a known outcome: the product reports it only after it has released the hold. */
const failures = ['UPSTREAM_FAILED', 'UPSTREAM_TIMEOUT', 'NOT_TRANSLATED', 'CONTENT_REFUSED'];
const classify = ({ status, body }) => (failures.includes(body?.code) ? 'failed' : outcomeOf({ status, body }));

/**
 * @param {object} options
 * @param {{account: string, call: Function}} options.member the main account
 * @param {object} options.random
 */
export async function startVendorTexts({ member: { account, call }, random }) {
  const prices = await pricesFor(call);
  const vendors = [...prices.keys()].filter((id) => id !== prices.own);
  const requests = createRequestLog(
    (body, key) => call('POST', '/translation/text', body, { 'Idempotency-Key': key }),
    classify,
  );
  let running = true;
  const work = Array.from({ length: VENDOR_WORKERS }, async (_, worker) => {
    while (running) {
      const some = () => random.pick(texts).text;
      const text = worker % 3 === 0 ? Array.from({ length: random.between(2, 8) }, some) : some();
      await requests.send({ source: 'zh-Hans', target: 'en', text, channelId: random.pick(vendors) });
      await sleep(random.between(100, 500));
    }
  });
  const channels = () => new Set(requests.byOutcome().acknowledged.map(({ request }) => request.channelId));
  return {
    workers: [{ account, requests }],
    async end() {
      running = false;
      await Promise.all(work);
    },
    settle: () => requests.settle(),
    counts: () => ({
      served: requests.byOutcome().acknowledged.length,
      failed: requests.byOutcome().failed.length,
      tookOver: requests.byOutcome().acknowledged.filter(({ request, data }) => isTakenOver(request, data)).length,
      partly: requests.byOutcome().acknowledged.filter(({ data }) => data.items?.some(({ success }) => !success))
        .length,
    }),
    async problems() {
      const { acknowledged, unknown, refused } = requests.byOutcome();
      const found = unknown.length ? [`${unknown.length} vendor translations stayed without an answer`] : [];
      const reasons = [...new Set(refused.map(({ code }) => code))];
      if (refused.length) found.push(`${refused.length} vendor translations were refused (${reasons.join(', ')})`);
      const silent = vendors.filter((id) => !channels().has(id));
      if (silent.length) found.push(`nothing was ever translated through channels ${silent.join(', ')}`);
      const wrong = [...new Set(acknowledged.flatMap((entry) => wrongIn(entry, prices)))];
      return [...found, ...wrong, ...(await changedAnswers({ account, requests }))];
    },
  };
}

/** Price per character by the id of each available channel; `own` is the member's channel. */
async function pricesFor(call) {
  const channels = await call('GET', '/tranChannel/list');
  const user = await call('GET', '/user/get');
  const allowed = await call('POST', '/user/changeFailover', { channelFailover: 1 });
  if (allowed.status !== 200) throw new Error(`the main account could not allow failover: ${JSON.stringify(allowed)}`);
  const prices = new Map(channels.body.data.flatMap(({ id, price, available }) => (available ? [[id, price]] : [])));
  return Object.assign(prices, { own: user.body.data.tranChannelId });
}

const isTakenOver = (request, data) => data.channelId !== undefined && data.channelId !== request.channelId;

/** What is wrong with the charges of an answer, and what it lost without a warning, in sentences. */
function wrongIn({ request, data }, prices) {
  const cost = (text, channel) => Math.ceil((codePoints(text) * prices.get(channel)) / prices.get(prices.own));
  const delivered = deliveredOf({ request, data });
  const found = [];
  if (delivered.reduce((sum, { charged }) => sum + charged, 0) !== data.charged)
    found.push('the charges of a batch do not add up');
  for (const { text, translated, charged, channelId, warning, msg } of delivered) {
    const quote = cost(text, request.channelId);
    if (channelId === undefined ? charged < 1 || charged > quote : charged !== cost(text, channelId) || charged > quote)
      found.push(`${charged} charged for what channel ${request.channelId} quotes at ${quote}`);
    const { kept } = texts.find((known) => known.text === text);
    const lost = kept.filter((piece) => !translated.includes(piece));
    if (lost.length && !(warning ?? msg)) found.push(`lost without a word: ${JSON.stringify(lost)}`);
    if (!/[A-Za-z]/.test(translated)) found.push(`no translation: ${JSON.stringify(translated)}`);
  }
  const failed = data.items?.filter(({ success }) => !success) ?? [];
  if (failed.some(({ charged, translated }) => charged !== 0 || translated !== null))
    found.push('a failure was charged');
  return found;
}

/** Repeats the last requests, which must get the same answers. A batch that delivered nothing is not kept (docs/decisions/0016). */
async function changedAnswers({ account, requests }) {
  const found = [];
  const kept = requests.byOutcome().acknowledged.filter((entry) => deliveredOf(entry).length > 0);
  for (const entry of kept.slice(-40)) {
    const again = await requests.repeat(entry);
    if (again.outcome !== 'acknowledged' || !isDeepStrictEqual(again.data, entry.data))
      found.push(`${account}: key ${entry.key} answers differently (${again.outcome} ${again.code})`);
    await sleep(REPEAT_PAUSE_MS);
  }
  return found;
}

/** The translated texts of an answer. */
const deliveredOf = ({ request, data }) => {
  if (!Array.isArray(request.text)) return [{ text: request.text, ...data }];
  return data.items.flatMap((item, at) => (item.success ? [{ text: request.text[at], ...item }] : []));
};

const codePoints = (text) => [...text].length;

/**
 * What the acknowledged translations cost and count, according to their answers.
 * @param {{account: string, requests: object}[]} workers
 * @returns {(account: string) => {charged: number, used: number, lines: number}} an answer that delivered nothing makes no line
 */
export const spentOf = (workers) => (account) => {
  const total = { charged: 0, used: 0, lines: 0 };
  for (const { requests } of workers.filter((worker) => worker.account === account))
    for (const entry of requests.byOutcome().acknowledged) {
      const delivered = deliveredOf(entry);
      total.charged += entry.data.charged;
      total.used += delivered.reduce((sum, { text }) => sum + codePoints(text), 0);
      total.lines += delivered.length > 0 ? 1 : 0;
    }
  return total;
};
