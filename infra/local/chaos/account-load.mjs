// Account load: a main account that distributes quota, adds and deletes sub-accounts, and buys plans at the cashier.
import { randomUUID } from 'node:crypto';
import { sleep } from '../lifecycle.mjs';
import { createRequestLog, outcomeOf } from './client.mjs';

const quantities = { changeCharNum: 30, changeVoiceNum: 2, changeImageNum: 2 };

/**
 * @param {object} options
 * @param {Function} options.call   the main account's
 * @param {number[]} options.children sub-accounts that are never deleted
 * @param {object} options.random
 */
export function startDistributions({ call, children, random }) {
  let running = true;
  const moves = createRequestLog((body, key) =>
    call('POST', '/user/all/distribution', body, { 'Idempotency-Key': key }),
  );
  const temporary = { added: 0, deleted: 0 };
  const distribute = async () => {
    while (running) {
      const change = Object.entries(quantities).map(([name, most]) => [name, random.between(-most, most)]);
      if (change.some(([, n]) => n !== 0))
        await moves.send({ childUserId: random.pick(children), ...Object.fromEntries(change) });
      await sleep(random.between(150, 600));
    }
  };
  const comeAndGo = async () => {
    while (running) {
      await addAndDelete(call, moves, temporary);
      await sleep(random.between(500, 2_000));
    }
  };
  const work = [distribute(), distribute(), comeAndGo()];
  return {
    async end() {
      running = false;
      await Promise.all(work);
    },
    settle: () => moves.settle(),
    counts: () => ({ moves: moves.byOutcome().acknowledged.length, ...temporary }),
    /** The total given to a sub-account, less what was taken back. */
    given: (userId) =>
      moves.byOutcome().acknowledged.reduce(
        (total, { request }) =>
          request.childUserId !== userId
            ? total
            : {
                chars: total.chars + request.changeCharNum,
                voice: total.voice + request.changeVoiceNum,
                images: total.images + request.changeImageNum,
              },
        { chars: 0, voice: 0, images: 0 },
      ),
    problems() {
      const { unknown, refused } = moves.byOutcome();
      const found = unknown.length ? [`${unknown.length} distributions stayed without an answer`] : [];
      if (temporary.deleted === 0) found.push('no sub-account came and went');
      const odd = refused.filter(({ code }) => code !== 'QUOTA_NOT_ENOUGH' && code !== 'NOT_FOUND');
      const reasons = [...new Set(odd.map(({ code }) => code))];
      return odd.length ? [...found, `${odd.length} distributions were refused (${reasons.join(', ')})`] : found;
    },
  };
}

/** Adds a sub-account, gives it quota and deletes it: whatever crashes meanwhile, its quota must return to the main account. */
async function addAndDelete(call, moves, counts) {
  const account = `c${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  await untilKnown(() => call('POST', '/user/saveChildUser', { account, password: 'chaos-123' }));
  const found = await untilKnown(() => call('GET', `/user/page?account=${account}`));
  const userId = found.body?.data?.rows[0]?.userId;
  if (!userId) return;
  counts.added++;
  await moves.send({ childUserId: userId, changeCharNum: 25, changeVoiceNum: 1, changeImageNum: 1 });
  const gone = await untilKnown(() => call('POST', '/user/delChild', { userId }));
  if (gone.status === 200 || gone.status === 404) counts.deleted++;
}

/** Repeats an idempotent request until its outcome is known. */
async function untilKnown(send) {
  for (let tries = 0; ; tries++) {
    const answer = await send();
    if (outcomeOf(answer) !== 'unknown' || tries > 300) return answer;
    await sleep(300);
  }
}

const plan = { memberGroupId: 3, salesNum: 1 };
const payChannels = ['WC_NATIVE', 'WC_LIAN', 'ALI_LIAN'];
/** Refusals that are right while services die: an order that has ended, or too many unpaid ones. */
const expectedRefusals = ['ORDER_NOT_OPEN', 'TOO_MANY_OPEN_ORDERS'];
/** A payment is credited within two minutes even if its notification is lost (decisions §5). */
const CREDIT_TIMEOUT_MS = 180_000;

/**
 * @param {object} options
 * @param {Function} options.call    the main account's
 * @param {string} options.sandbox   where the cashier is
 * @param {object} options.random
 */
export function startPurchases({ call, sandbox, random }) {
  let running = true;
  const orders = createRequestLog((body, key) =>
    call('POST', '/orderByMemberGroup/pay', body, { 'Idempotency-Key': key }),
  );
  const cashier = createCashier(sandbox);
  const buy = async () => {
    while (running) {
      const { outcome, data } = await orders.send({ ...plan, payChannel: random.pick(payChannels) });
      const turn = random.between(1, 10);
      if (outcome === 'acknowledged' && turn <= 8) await cashier.pay(data.orderNo, { notify: turn <= 5 });
      // Whether the payment is already known or not, a cancellation must not lose it.
      if (outcome === 'acknowledged' && turn >= 7)
        await call('POST', '/orderByMemberGroup/cancel', { id: data.orderId });
      await sleep(random.between(1_000, 3_000));
    }
  };
  const work = buy();
  return {
    async end() {
      running = false;
      await work;
    },
    settle: () => orders.settle(),
    counts: () => ({ placed: orders.byOutcome().acknowledged.length, paid: cashier.paid() }),
    /** Waits until every order that the gateways took money for is paid; what is wrong otherwise, in sentences. */
    async problems() {
      const { acknowledged, unknown, refused } = orders.byOutcome();
      const found = unknown.length ? [`${unknown.length} orders stayed without an answer`] : [];
      const odd = [...new Set(refused.map(({ code }) => code))].filter((code) => !expectedRefusals.includes(code));
      if (odd.length) found.push(`orders were refused (${odd.join(', ')})`);
      const placed = acknowledged.map(({ data }) => data);
      const paid = await cashier.takenFor(placed.map(({ orderNo }) => orderNo));
      if (paid.size === 0) found.push('no order was paid');
      return [...found, ...(await untilPaid(call, placed, paid))];
    },
    /** What the orders placed and paid here have credited. */
    bought: () => boughtBy(call, new Set(orders.byOutcome().acknowledged.map(({ data }) => data.orderId))),
  };
}

function createCashier(sandbox) {
  const sent = new Set();
  const state = async (orderNo) => {
    const answer = await fetch(`${sandbox}/payments/trades?orderNo=${orderNo}`);
    return JSON.stringify(await answer.json());
  };
  return {
    paid: () => sent.size,
    /** May fail while the cashier is down: `takenFor` tells at the end what was paid. */
    async pay(orderNo, { notify }) {
      const url = `${sandbox}/cashier/${orderNo}/pay${notify ? '' : '?notify=0'}`;
      const answer = await fetch(url, { method: 'POST' }).catch(() => undefined);
      if (answer?.ok) sent.add(orderNo);
    },
    async takenFor(orderNos) {
      const taken = new Set();
      for (const orderNo of orderNos) if (/"state":"paid"/.test(await state(orderNo))) taken.add(orderNo);
      return taken;
    },
  };
}

async function untilPaid(call, placed, paid) {
  const deadline = Date.now() + CREDIT_TIMEOUT_MS;
  let open = placed;
  for (;;) {
    const agrees = await Promise.all(open.map((order) => statusAgrees(call, order, paid)));
    open = open.filter((_, at) => !agrees[at]);
    if (open.length === 0) return [];
    if (Date.now() > deadline) return open.map(({ orderNo }) => `${orderNo}: paid at the gateway ${paid.has(orderNo)}`);
    await sleep(3_000);
  }
}

async function statusAgrees(call, { orderId, orderNo }, paid) {
  const { body } = await call('GET', `/orderByMemberGroup/getPayInfo?id=${orderId}`);
  return (body?.data?.payStatus === 'P') === paid.has(orderNo);
}

/** From the member's order list; voice and image quota from the plan on sale. */
async function boughtBy(call, orderIds) {
  const sale = await call('GET', '/memberGroup/saleList');
  const { voiceNum, imageNum } = sale.body.data.find(({ id }) => id === plan.memberGroupId);
  const total = { chars: 0, voice: 0, images: 0, amount: 0 };
  for (let pageNum = 1; ; pageNum++) {
    const { body } = await call('GET', `/orderByMemberGroup/page?pageNum=${pageNum}&pageSize=100`);
    for (const { id, payStatus, num, salesNum, amount } of body.data.rows) {
      if (payStatus !== 'P' || !orderIds.has(id)) continue;
      total.chars += num;
      total.voice += voiceNum * salesNum;
      total.images += imageNum * salesNum;
      total.amount += amount;
    }
    if (body.data.rows.length < 100) return total;
  }
}
