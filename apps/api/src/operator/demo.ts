import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Quota } from '@yiqiao/domain/ledger';
import { usdtPayInfo } from '@yiqiao/contracts/site-documents';
import { Refusal } from '@yiqiao/domain/errors';
import { ChangeEnabled } from '../members/sub-account-settings.js';
import { Distribute } from '../members/distribute.js';
import { type Member, Members } from '../members/members.js';
import { SaveChildUser } from '../members/save-child-user.js';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { RechargeOrder } from '../orders/recharge-order.entity.js';
import { addManager, Manager, type AuthorOf } from '../platform/manager-actions.js';
import { Passwords } from '../platform/passwords.js';
import { Vault } from '../platform/vault.js';
import { TranslateText } from '../translation/translate-text.js';
import { CancelOrder } from '../orders/cancel-order.js';
import { FlushOrder } from '../orders/flush-order.js';
import { PayChannels } from '../orders/pay-channels/pay-channels.js';
import { PlaceOrder } from '../orders/place-order.js';
import { Config } from '../platform/config.js';
import { Site } from '../site/site.js';
import { accountAdjust } from './account-adjust.js';
import { systemUser, managerIdOf } from './managers.js';
import { planGrant } from './plan-grant.js';
import type { Operator } from './operator-app.js';

/** How to sign in. `unfinished`: the sandbox did not answer, so orders are missing until the next run. */
export type DemoAccount = { account: string; password: string; unfinished?: true };

/**
 * Creates a demo family: a plan, sub-accounts with shares, an adjustment, translations and orders, by the product's own commands. Idempotent.
 * Returns how to sign in; the password is specific to this installation (decisions §8).
 */
export async function seedDemo(app: INestApplicationContext): Promise<DemoAccount> {
  const { account } = DEMO;
  await listManagers(app);
  const password = demoPassword(app);
  const main = (await app.get(Members).findByAccount(account)) ?? (await makeDemoMain(app));
  // Another member may have taken the name.
  if ((await app.get(Members).mailboxOf(main)) !== DEMO.email) return { account, password };
  if (!(await hasHistory(app, main))) await makeHistory(app, main, password);
  const complete = await seedDemoOrders(app, main.id);
  return { account, password, ...(complete ? {} : { unfinished: true }) };
}

export const demoPassword = (app: INestApplicationContext): string =>
  `demo-${app.get(Vault).hmac('demo', 'password').slice(0, 8)}`;

/** Lists the demo's manager and the user of this machine; a user who was removed from the list stays off. */
async function listManagers(app: INestApplicationContext): Promise<void> {
  const em = app.get(EntityManager).fork();
  await addManager(em, DEMO.manager);
  await em.upsert(Manager, { name: systemUser() }, { onConflictFields: ['name'], onConflictAction: 'ignore' });
}

async function makeHistory(app: INestApplicationContext, main: Member, password: string): Promise<void> {
  const operator: Operator = { app, language: 'zh', print: () => undefined };
  // A demo account created again after log-off is another member.
  const once = ['--key', `demo-${main.id}`];
  await planGrant([`id:${main.id}`, ...DEMO.grant, ...once])(operator);
  for (const child of DEMO_CHILDREN) await makeChild(app, { main, child, password });
  await translateAll(app, main);
  // Last, so that an interrupted demo continues at the next start.
  await accountAdjust([`id:${main.id}`, ...DEMO.adjustment, ...once])(operator);
}

/** The adjustment is the last step, so deleted demo sub-accounts are not created again. */
async function hasHistory(app: INestApplicationContext, main: Member): Promise<boolean> {
  // Raw SQL: `account_log` belongs to the ledger and has no entity.
  const done = await app
    .get(EntityManager)
    .fork()
    .execute<unknown[]>('SELECT 1 FROM account_log WHERE user_id = ? AND log_type = 3 LIMIT 1', [main.id]);
  return done.length > 0;
}

export async function makeDemoMain(app: INestApplicationContext): Promise<Member> {
  await listManagers(app);
  const members = app.get(Members);
  const passwordHash = await app.get(Passwords, { strict: false }).hash(demoPassword(app));
  const { account: username, email, nickname } = DEMO;
  return app
    .get(EntityManager)
    .fork()
    .transactional(async (em) => {
      const names = { username, email, nickname };
      const userId = await members.createMain(em, { ...names, passwordHash, inviteCode: undefined });
      const member = await members.lock(em, userId);
      if (!member) throw new Error('the demo account vanished while it was made');
      await members.recordLogin(em, member, { ip: '127.0.0.1', clientType: 'web' });
      return member;
    });
}

type Made = { main: Member; child: DemoChild; password: string };

async function makeChild(app: INestApplicationContext, { main, child, password }: Made): Promise<void> {
  const commands = app.get(CommandBus);
  const { account, nickname, share } = child;
  const found = await app.get(Members).findByAccount(account);
  if (found && found.familyId !== main.id) return;
  const form = { account, nickname, password, enabled: 1 } as const;
  const userId = found?.id ?? (await commands.execute(new SaveChildUser(main.id, form))).userId;
  const of = { mainId: main.id, userId };
  const request = { route: '/user/all/distribution', idempotencyKey: `demo-${userId}` };
  await commands.execute(new Distribute(of, share, request));
  if (child.switchedOff) await commands.execute(new ChangeEnabled(of, 0));
}

async function translateAll(app: INestApplicationContext, main: Member): Promise<void> {
  await translate(app, { userId: main.id, familyId: main.id, isMain: true, lines: DEMO_LINES.length });
  for (const { account, lines } of DEMO_CHILDREN) {
    const child = lines > 0 ? await app.get(Members).findByAccount(account) : null;
    if (child?.familyId === main.id)
      await translate(app, { userId: child.id, familyId: main.id, isMain: false, lines });
  }
}

type Translator = Pick<Caller, 'userId' | 'familyId' | 'isMain'> & { lines: number };

async function translate(app: INestApplicationContext, { lines, ...who }: Translator): Promise<void> {
  const caller: Caller = { ...who, clientType: 'web', sessionDigest: '' };
  for (const [at, line] of DEMO_LINES.slice(0, lines).entries()) {
    const client: ClientInfo = {
      ip: '127.0.0.1',
      language: 'zh',
      userAgent: '',
      requestId: 'demo',
      idempotencyKey: `demo-${at}`,
    };
    await app.get(CommandBus).execute(new TranslateText({ ...line }, caller, client));
  }
}

/** The members of the demo family and its history. Only in development (decisions §8). */
export const DEMO = {
  account: 'demo',
  email: 'demo@yiqiao.example',
  nickname: '林岚',
  manager: '译桥运营',
  /** The professional plan, which includes sub-accounts. */
  grant: ['3', '1', '--reason', '开通演示账号', '--by', '译桥运营'],
  adjustment: ['--images', '30', '--reason', '图片翻译活动赠送', '--by', '译桥运营'],
} as const;

/** `share`: the quota from its main account; `lines`: how many of the lines below it translates. */
export type DemoChild = { account: string; nickname: string; share: Quota; lines: number; switchedOff?: true };

const share = (charNum: number, voiceNum = 0, imageNum = 0): Quota => ({ charNum, voiceNum, imageNum });

export const DEMO_CHILDREN: readonly DemoChild[] = [
  { account: 'demo日韩', nickname: '日韩组', share: share(1_200), lines: 3 },
  { account: 'demo拉美', nickname: '拉美组', share: share(800), lines: 2 },
  { account: 'demo欧洲', nickname: '欧洲组', share: share(500_000, 20, 10), lines: 5 },
  { account: 'demo东南亚', nickname: '东南亚组', share: share(200_000, 10, 10), lines: 4 },
  { account: 'demo中东', nickname: '中东组', share: share(50_000, 5), lines: 1 },
  { account: 'demo实习', nickname: '实习生', share: share(10_000), lines: 0, switchedOff: true },
];

/** Directions that work without a key on any machine. */
export const DEMO_LINES = [
  { source: 'zh-Hans', target: 'zh-Hant', text: '你好，请问这款收纳箱还有现货吗？' },
  { source: 'zh-Hans', target: 'zh-Hant', text: '您的订单已经发货，预计三天内送达。' },
  { source: 'zh-Hant', target: 'zh-Hans', text: '請問可以開立發票嗎？' },
  {
    source: 'zh-Hans',
    target: 'zh-Hant',
    text: '这批货走海运，大约二十五天到港，清关由我们负责，您只需要提供收货地址和联系电话。',
  },
  { source: 'zh-Hans', target: 'en', text: '谢谢您的耐心等待。' },
] as const;

/** Per character, as the rest of the demo: a monthly package would convert the family. */
const [PAID_PLAN, CANCELLED_PLAN] = [3, 4];
export const ORDER_CHANNEL = 'WC_NATIVE';
const SANDBOX_WAIT_MS = 15_000;

/**
 * Creates a paid and a cancelled order at the sandbox's gateway and sets the sandbox's USDT page. Idempotent; does nothing without the
 * sandbox's gateway. Returns false when the sandbox did not answer: the next run continues.
 */
export async function seedDemoOrders(app: INestApplicationContext, mainId: number): Promise<boolean> {
  const { SANDBOX_URL: address } = app.get(Config).env;
  if (address === undefined) return true;
  const sandbox = withoutSlash(address);
  await pointToUsdt(app, sandbox);
  if (!sellsThrough(app, sandbox)) return true;
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

/** The sandbox, if it answers and its gateway is ours. */
export async function sandboxOf(app: INestApplicationContext): Promise<string | null> {
  const { SANDBOX_URL: address } = app.get(Config).env;
  if (address === undefined) return null;
  const sandbox = withoutSlash(address);
  return sellsThrough(app, sandbox) && (await answers(sandbox)) ? sandbox : null;
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

/** Demo orders must never reach a real gateway. */
const sellsThrough = (app: INestApplicationContext, sandbox: string): boolean =>
  new URL(app.get(Config).env.WECHAT_PAY_URL).origin === new URL(sandbox).origin &&
  app.get(PayChannels, { strict: false }).available().includes(ORDER_CHANNEL);

/** Keeps a page set by the operator; the sandbox's own page is updated when its port changes. */
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
  const orders = await app
    .get(EntityManager)
    .fork()
    .find(RechargeOrder, { userId: mainId }, { fields: ['payStatus'] });
  return (['P', 'C'] as const).filter((status) => !orders.some(({ payStatus }) => payStatus === status));
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
  await payAtSandbox(sandbox, orderNo);
  await app.get(CommandBus).execute(new FlushOrder(mainId, orderId));
}

/** The api does not run yet and receives no notification. */
export async function payAtSandbox(sandbox: string, orderNo: string): Promise<void> {
  await fetch(`${sandbox}/cashier/${orderNo}/pay?notify=0`, { method: 'POST', signal: AbortSignal.timeout(5_000) });
}

async function makeCancelled(app: INestApplicationContext, mainId: number): Promise<void> {
  const { orderId } = await place(app, mainId, CANCELLED_PLAN);
  await app.get(CommandBus).execute(new CancelOrder(mainId, orderId));
}

/** Returns the same order when an interrupted run is repeated. */
function place(app: INestApplicationContext, mainId: number, memberGroupId: number) {
  const wish = { memberGroupId, salesNum: 1, payChannel: ORDER_CHANNEL } as const;
  const client = { idempotencyKey: `demo-${mainId}-${memberGroupId}` };
  return app.get(CommandBus).execute(new PlaceOrder(wish, { userId: mainId, familyId: mainId }, client));
}
