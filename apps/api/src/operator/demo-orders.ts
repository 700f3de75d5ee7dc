import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { usdtPayInfo } from '@yiqiao/contracts/site-documents';
import { Refusal } from '@yiqiao/domain/errors';
import { CancelOrder } from '../orders/cancel-order.js';
import { FlushOrder } from '../orders/flush-order.js';
import { PayChannels } from '../orders/pay-channels/pay-channels.js';
import { PlaceOrder } from '../orders/place-order.js';
import type { AuthorOf } from '../platform/manager-actions.js';
import { Config } from '../platform/config.js';
import { Site } from '../site/site.js';
import { DEMO } from './demo-family.js';
import { managerIdOf } from './managers.js';

/** Per character, as the rest of the demo: a monthly package would convert the family. */
const [PAID_PLAN, CANCELLED_PLAN] = [3, 4];
const CHANNEL = 'WC_NATIVE';
const SANDBOX_WAIT_MS = 15_000;

/**
 * A paid and a cancelled order, made at the sandbox's gateway, and the sandbox's page for USDT. Each once, however often this runs;
 * without the sandbox's gateway none at all. False when the sandbox did not answer: then it goes on the next time.
 */
export async function seedDemoOrders(app: INestApplicationContext, mainId: number): Promise<boolean> {
  const { env } = app.get(Config);
  if (env.SANDBOX_URL === undefined) return true;
  const sandbox = env.SANDBOX_URL.replace(/\/$/, '');
  await pointToUsdt(app, sandbox);
  // Demo orders never reach a gateway that somebody else runs.
  const isTheirs = new URL(env.WECHAT_PAY_URL).origin === new URL(sandbox).origin;
  if (!isTheirs || !app.get(PayChannels, { strict: false }).available().includes(CHANNEL)) return true;
  const missing = await missingOrders(app, mainId);
  if (missing.length === 0) return true;
  if (!(await answers(sandbox))) return false;
  try {
    if (missing.includes('P')) await makePaid(app, mainId, sandbox);
    if (missing.includes('C')) await makeCancelled(app, mainId);
    return (await missingOrders(app, mainId)).length === 0;
  } catch (error) {
    if (error instanceof Refusal || error instanceof TypeError) return false;
    throw error;
  }
}

/** What the operator has set stays; the sandbox's own page follows it to another port. */
async function pointToUsdt(app: INestApplicationContext, sandbox: string): Promise<void> {
  const site = app.get(Site);
  const kept = await site.config('USDT_PAY_INFO');
  const known = usdtPayInfo.safeParse(kept).data?.url;
  if (kept !== null && !/^http:\/\/localhost:\d+\/usdt$/.test(known ?? '')) return;
  const valued = { enabled: true, url: `${sandbox}/usdt` };
  if (known !== valued.url) {
    const author: AuthorOf = async (em) => ({ managerId: await managerIdOf(em, DEMO.manager), reason: null });
    await site.set({ id: 'USDT_PAY_INFO', valued, public: true }, author);
  }
}

async function missingOrders(app: INestApplicationContext, mainId: number): Promise<('P' | 'C')[]> {
  const rows = await app
    .get(EntityManager)
    .fork()
    .execute<{ pay_status: string }[]>('SELECT DISTINCT pay_status FROM recharge_order WHERE user_id = ?', [mainId]);
  const there = new Set(rows.map((row) => row.pay_status));
  return (['P', 'C'] as const).filter((status) => !there.has(status));
}

/** The sandbox may still be starting. */
async function answers(sandbox: string): Promise<boolean> {
  for (const end = Date.now() + SANDBOX_WAIT_MS; Date.now() < end; await sleep(200)) {
    const up = await fetch(`${sandbox}/health`, { signal: AbortSignal.timeout(2_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return true;
  }
  return false;
}

async function makePaid(app: INestApplicationContext, mainId: number, sandbox: string): Promise<void> {
  const { orderId, orderNo } = await place(app, mainId, PAID_PLAN);
  // Nobody listens for a notification while data is prepared.
  await fetch(`${sandbox}/cashier/${orderNo}/pay?notify=0`, { method: 'POST', signal: AbortSignal.timeout(5_000) });
  await app.get(CommandBus).execute(new FlushOrder(mainId, orderId));
}

async function makeCancelled(app: INestApplicationContext, mainId: number): Promise<void> {
  const { orderId } = await place(app, mainId, CANCELLED_PLAN);
  await app.get(CommandBus).execute(new CancelOrder(mainId, orderId));
}

/** The same order again, when the last start ended in between. */
function place(app: INestApplicationContext, mainId: number, memberGroupId: number) {
  const wish = { memberGroupId, salesNum: 1, payChannel: CHANNEL } as const;
  const client = { idempotencyKey: `demo-${mainId}-${memberGroupId}` };
  return app.get(CommandBus).execute(new PlaceOrder(wish, { userId: mainId, familyId: mainId }, client));
}
