import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EntityManager } from '@mikro-orm/postgresql';
import { Passwords } from '../platform/passwords.js';
import { Ledger } from '../ledger/ledger.js';
import { type Member, Members } from '../members/members.js';
import { uuid7 } from '../platform/uuid7.js';
import { Vault } from '../platform/vault.js';
import { TranslateText } from '../translation/translate-text.js';

const ACCOUNT = 'demo';
const EMAIL = 'demo@yiqiao.example';
const SUB_ACCOUNTS = [
  { username: 'demo日韩', nickname: '日韩组', gift: 1_200 },
  { username: 'demo拉美', nickname: '拉美组', gift: 800 },
] as const;
const LINES = [
  { source: 'zh-Hans', target: 'zh-Hant', text: '你好，请问这款收纳箱还有现货吗？' },
  { source: 'zh-Hans', target: 'zh-Hant', text: '您的订单已经发货，预计三天内送达。' },
  { source: 'zh-Hant', target: 'zh-Hans', text: '請問可以開立發票嗎？' },
  { source: 'zh-Hans', target: 'en', text: '谢谢您的耐心等待。' },
] as const;

/**
 * A member to try the product with: a main account, two sub-accounts, some quota shared and some translations, all made by the
 * product's own commands. Made once; answers how to sign in. The password is this installation's own (decisions §8).
 */
export async function seedDemo(app: INestApplicationContext): Promise<{ account: string; password: string }> {
  const password = `demo-${app.get(Vault).hmac('demo', 'password').slice(0, 8)}`;
  const found = await app.get(Members).findByAccount(ACCOUNT);
  if (!found) await makeDemo(app, password);
  return { account: ACCOUNT, password };
}

async function makeDemo(app: INestApplicationContext, password: string): Promise<void> {
  const members = app.get(Members);
  const passwordHash = await app.get(Passwords, { strict: false }).hash(password);
  const main = await app
    .get(EntityManager)
    .fork()
    .transactional(async (em) => {
      const names = { username: ACCOUNT, email: EMAIL, nickname: '林岚' };
      const userId = await members.createMain(em, { ...names, passwordHash, inviteCode: undefined });
      const member = await members.lock(em, userId);
      if (!member) throw new Error('the demo account vanished while it was made');
      await members.recordLogin(em, member, { ip: '127.0.0.1', clientType: 'web' });
      for (const { gift, ...names } of SUB_ACCOUNTS) {
        const childId = await members.createSub(em, member, { ...names, passwordHash });
        await share(app.get(Ledger), em, { mainId: userId, childId, charNum: gift });
      }
      return member;
    });
  await translateSome(app, main);
}

const share = async (
  ledger: Ledger,
  em: EntityManager,
  { mainId, childId, charNum }: { mainId: number; childId: number; charNum: number },
): Promise<void> => {
  await ledger.postAll(
    em,
    [
      { userId: mainId, movement: { type: 'DISTRIBUTION', charChange: -charNum, refs: { counterpartId: childId } } },
      { userId: childId, movement: { type: 'DISTRIBUTION', charChange: charNum, refs: { counterpartId: mainId } } },
    ],
    { cmdId: uuid7() },
  );
};

const translateSome = async (app: INestApplicationContext, main: Member): Promise<void> => {
  const caller = { userId: main.id, familyId: main.id, isMain: true, clientType: 'web', sessionDigest: '' } as const;
  const client = { ip: '127.0.0.1', language: 'zh', requestId: 'demo', idempotencyKey: undefined } as const;
  for (const line of LINES) await app.get(CommandBus).execute(new TranslateText({ ...line }, caller, client));
};
