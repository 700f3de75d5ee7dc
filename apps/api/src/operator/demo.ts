import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EntityManager } from '@mikro-orm/postgresql';
import { ChangeEnabled } from '../members/sub-account-settings.js';
import { Distribute } from '../members/distribute.js';
import { type Member, Members } from '../members/members.js';
import { SaveChildUser } from '../members/save-child-user.js';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { Passwords } from '../platform/passwords.js';
import { Vault } from '../platform/vault.js';
import { TranslateText } from '../translation/translate-text.js';
import { accountAdjust } from './account-adjust.js';
import { DEMO, DEMO_CHILDREN, DEMO_LINES, type DemoChild } from './demo-family.js';
import { seedDemoOrders } from './demo-orders.js';
import { addManager } from './manager-list.js';
import { systemUser } from './managers.js';
import { planGrant } from './plan-grant.js';
import type { Operator } from './product.js';

/** How to sign in. `unfinished`: the sandbox did not answer, so orders are missing until the next time. */
export type DemoAccount = { account: string; password: string; unfinished?: true };

/**
 * A family to try the product with: a plan, sub-accounts with their shares, an adjustment, some translations and some orders, all made
 * by the product's own commands, each once however often this runs. Answers how to sign in. The password is this installation's own
 * (decisions §8).
 */
export async function seedDemo(app: INestApplicationContext): Promise<DemoAccount> {
  const { account } = DEMO;
  await listManagers(app);
  const password = `demo-${app.get(Vault).hmac('demo', 'password').slice(0, 8)}`;
  const main = (await app.get(Members).findByAccount(account)) ?? (await makeMain(app, password));
  // Nothing is done to somebody else who took the name.
  if ((await app.get(Members).mailboxOf(main)) !== DEMO.email) return { account, password };
  if (!(await hasHistory(app, main))) await makeHistory(app, main, password);
  const complete = await seedDemoOrders(app, main.id);
  return { account, password, ...(complete ? {} : { unfinished: true }) };
}

/** Whoever tries the product acts in the demo's name or as the user of the machine; a user who was taken off the list stays off. */
async function listManagers(app: INestApplicationContext): Promise<void> {
  const em = app.get(EntityManager).fork();
  await addManager(em, DEMO.manager);
  await em.execute('INSERT INTO manager (name) VALUES (?) ON CONFLICT (name) DO NOTHING', [systemUser()]);
}

async function makeHistory(app: INestApplicationContext, main: Member, password: string): Promise<void> {
  const operator: Operator = { app, language: 'zh', say: () => undefined };
  // A demo that logged off and was made anew is another member.
  const once = ['--key', `demo-${main.id}`];
  await planGrant([`id:${main.id}`, ...DEMO.grant, ...once])(operator);
  for (const child of DEMO_CHILDREN) await makeChild(app, { main, child, password });
  await translateAll(app, main);
  // Last, so that a demo that was interrupted goes on at the next start.
  await accountAdjust([`id:${main.id}`, ...DEMO.adjustment, ...once])(operator);
}

/** The last thing that is done to it: whoever deletes demo sub-accounts afterwards does not meet them again. */
async function hasHistory(app: INestApplicationContext, main: Member): Promise<boolean> {
  const done = await app
    .get(EntityManager)
    .fork()
    .execute<unknown[]>('SELECT 1 FROM account_log WHERE user_id = ? AND log_type = 3 LIMIT 1', [main.id]);
  return done.length > 0;
}

async function makeMain(app: INestApplicationContext, password: string): Promise<Member> {
  const members = app.get(Members);
  const passwordHash = await app.get(Passwords, { strict: false }).hash(password);
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
      ...{ ip: '127.0.0.1', language: 'zh', requestId: 'demo', idempotencyKey: `demo-${at}` },
    };
    await app.get(CommandBus).execute(new TranslateText({ ...line }, caller, client));
  }
}
