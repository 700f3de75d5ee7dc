// A main account that translates through every vendor, one text and many at a time, and checks what each answer holds and costs.
import { sleep } from '../processes.mjs';
import { createAsked, differentAgain, outcomeOf } from './asked.mjs';
import { codePoints, deliveredOf } from './spent.mjs';

const lanes = 6;

/** What must come out as it went in stands beside its text. */
const texts = [
  { text: '请在 2026-11-21 前联系 sales@example.com，谢谢。', kept: ['2026-11-21', 'sales@example.com'] },
  { text: '您的订单 {orderNo} 已发货，运费 $12.50。', kept: ['{orderNo}', '$12.50'] },
  { text: '你好 @李雷 👍🏽，详情见 https://example.com/a?b=1 。', kept: ['@李雷', '👍🏽', 'https://example.com/a?b=1'] },
  { text: '<b>第一行</b>\n第二行：%1$s 件', kept: ['<b>', '</b>', '\n', '%1$s'] },
  { text: '多少钱？', kept: [] },
];

/** A vendor's failure is an answer like another: the product says it only after it has given back what it held. */
const failures = ['UPSTREAM_FAILED', 'UPSTREAM_TIMEOUT', 'NOT_TRANSLATED', 'CONTENT_REFUSED'];
const judge = ({ status, body }) => (failures.includes(body?.code) ? 'failed' : outcomeOf({ status, body }));

/**
 * @param {object} options
 * @param {{account: string, call: Function}} options.member the main account
 * @param {object} options.dice
 */
export async function startVendorUsers({ member: { account, call }, dice }) {
  const prices = await pricesFor(call);
  const vendors = [...prices.keys()].filter((id) => id !== prices.own);
  const asked = createAsked((body, key) => call('POST', '/translation/text', body, { 'Idempotency-Key': key }), judge);
  let running = true;
  const work = Array.from({ length: lanes }, async (_, lane) => {
    while (running) {
      const some = () => dice.pick(texts).text;
      const text = lane % 3 === 0 ? Array.from({ length: dice.between(2, 8) }, some) : some();
      await asked.ask({ source: 'zh-Hans', target: 'en', text, channelId: dice.pick(vendors) });
      await sleep(dice.between(100, 500));
    }
  });
  const channels = () => new Set(asked.tally().acknowledged.map(({ request }) => request.channelId));
  return {
    workers: [{ account, asked }],
    async end() {
      running = false;
      await Promise.all(work);
    },
    settle: () => asked.settle(),
    counts: () => ({
      served: asked.tally().acknowledged.length,
      failed: asked.tally().failed.length,
      tookOver: asked.tally().acknowledged.filter(({ request, data }) => isTakenOver(request, data)).length,
      partly: asked.tally().acknowledged.filter(({ data }) => data.items?.some(({ success }) => !success)).length,
    }),
    async complaints() {
      const { acknowledged, unknown, refused } = asked.tally();
      const found = unknown.length ? [`${unknown.length} vendor translations stayed without an answer`] : [];
      const reasons = [...new Set(refused.map(({ code }) => code))];
      if (refused.length) found.push(`${refused.length} vendor translations were refused (${reasons.join(', ')})`);
      const silent = vendors.filter((id) => !channels().has(id));
      if (silent.length) found.push(`nothing was ever translated through channels ${silent.join(', ')}`);
      const wrong = [...new Set(acknowledged.flatMap((entry) => wrongIn(entry, prices)))];
      return [...found, ...wrong, ...(await differentAgain({ account, asked }))];
    },
  };
}

/** Per character, by the id of each channel that can be asked; `own` is the member's. */
async function pricesFor(call) {
  const channels = await call('GET', '/tranChannel/list');
  const user = await call('GET', '/user/get');
  const allowed = await call('POST', '/user/changeFailover', { channelFailover: 1 });
  if (allowed.status !== 200) throw new Error(`the main account could not allow failover: ${JSON.stringify(allowed)}`);
  const prices = new Map(channels.body.data.flatMap(({ id, price, available }) => (available ? [[id, price]] : [])));
  return Object.assign(prices, { own: user.body.data.tranChannelId });
}

const isTakenOver = (request, data) => data.channelId !== undefined && data.channelId !== request.channelId;

/** Sentences about what an answer charges, or lost without a word. */
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
