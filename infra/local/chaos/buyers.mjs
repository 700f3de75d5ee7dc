// A main account that buys without pause: it pays at the cashier with and without a notification, or cancels, whatever dies meanwhile.
import { sleep } from '../processes.mjs';
import { createAsked } from './asked.mjs';

const plan = { memberGroupId: 3, salesNum: 1 };
const payChannels = ['WC_NATIVE', 'WC_LIAN', 'ALI_LIAN'];
/** What the product may refuse while everything dies around it: an order that ended, or too many that nobody could pay. */
const expected = ['ORDER_NOT_OPEN', 'TOO_MANY_OPEN_ORDERS'];
/** A lost notification still credits within two minutes (decisions §5). */
const patience = 180_000;

/**
 * @param {object} options
 * @param {Function} options.call    the main account's
 * @param {string} options.sandbox   where the cashier is
 * @param {object} options.dice
 */
export function startBuyers({ call, sandbox, dice }) {
  let running = true;
  const orders = createAsked((body, key) => call('POST', '/orderByMemberGroup/pay', body, { 'Idempotency-Key': key }));
  const cashier = createCashier(sandbox);
  const buy = async () => {
    while (running) {
      const { outcome, data } = await orders.ask({ ...plan, payChannel: dice.pick(payChannels) });
      const turn = dice.between(1, 10);
      if (outcome === 'acknowledged' && turn <= 8) await cashier.pay(data.orderNo, { notify: turn <= 5 });
      // Whether the payment was known already or not: nobody loses it to a cancellation.
      if (outcome === 'acknowledged' && turn >= 7)
        await call('POST', '/orderByMemberGroup/cancel', { id: data.orderId });
      await sleep(dice.between(1_000, 3_000));
    }
  };
  const work = buy();
  return {
    async end() {
      running = false;
      await work;
    },
    settle: () => orders.settle(),
    counts: () => ({ placed: orders.tally().acknowledged.length, paid: cashier.paid() }),
    /** Waits until every order that the gateways took money for is paid; sentences about those that are not. */
    async complaints() {
      const { acknowledged, unknown, refused } = orders.tally();
      const found = unknown.length ? [`${unknown.length} orders stayed without an answer`] : [];
      const odd = [...new Set(refused.map(({ code }) => code))].filter((code) => !expected.includes(code));
      if (odd.length) found.push(`orders were refused (${odd.join(', ')})`);
      const placed = acknowledged.map(({ data }) => data);
      const paid = await cashier.takenFor(placed.map(({ orderNo }) => orderNo));
      if (paid.size === 0) found.push('no order was paid');
      return [...found, ...(await untilPaid(call, placed, paid))];
    },
    /** What the orders that were placed and paid here brought. */
    bought: () => boughtBy(call, new Set(orders.tally().acknowledged.map(({ data }) => data.orderId))),
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
    /** Paid or not: a cashier that dies meanwhile says nothing, and is asked at the end what it took. */
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
  const deadline = Date.now() + patience;
  let open = placed;
  for (;;) {
    const standing = await Promise.all(open.map((order) => standingOf(call, order, paid)));
    open = open.filter((_, at) => standing[at] !== 'right');
    if (open.length === 0) return [];
    if (Date.now() > deadline) return open.map(({ orderNo }) => `${orderNo}: paid at the gateway ${paid.has(orderNo)}`);
    await sleep(3_000);
  }
}

async function standingOf(call, { orderId, orderNo }, paid) {
  const { body } = await call('GET', `/orderByMemberGroup/getPayInfo?id=${orderId}`);
  return (body?.data?.payStatus === 'P') === paid.has(orderNo) ? 'right' : 'wrong';
}

/** From the list of orders, as a member reads it; gifts from the package on sale. */
async function boughtBy(call, ours) {
  const sale = await call('GET', '/memberGroup/saleList');
  const { voiceNum, imageNum } = sale.body.data.find(({ id }) => id === plan.memberGroupId);
  const total = { chars: 0, voice: 0, images: 0, amount: 0 };
  for (let pageNum = 1; ; pageNum++) {
    const { body } = await call('GET', `/orderByMemberGroup/page?pageNum=${pageNum}&pageSize=100`);
    for (const { id, payStatus, num, salesNum, amount } of body.data.rows) {
      if (payStatus !== 'P' || !ours.has(id)) continue;
      total.chars += num;
      total.voice += voiceNum * salesNum;
      total.images += imageNum * salesNum;
      total.amount += amount;
    }
    if (body.data.rows.length < 100) return total;
  }
}
