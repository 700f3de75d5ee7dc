import { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement } from '@yiqiao/domain/ledger';
import { CHANGE_MAX, DAY_MS, MINUTE_MS } from '@yiqiao/domain/limits';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { accountLines, titleOf } from './account-lines.js';
import { integer, readArguments, requireWords, type ParsedArguments } from './command-line.js';
import { findMember, lockMember } from './find-member.js';
import { commandIdFor, managerIdOf, managerAndReason, recordAction } from './managers.js';
import { alreadyDone } from './plan-grant.js';
import type { OperatorTask } from './operator-app.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { changes } from './table.js';

const DAYS_MOST = 3_650;

type Adjustment = { charChange: number; voiceChange: number; imageChange: number; days: number };

/**
 * `account adjust <user> --chars n --voice n --images n --days n --reason "…"`: adds or takes quota (SYS_ADJUST), never below zero. With
 * `--key` a repeated command has no effect.
 */
export function accountAdjust(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['chars', 'voice', 'images', 'days', 'reason', 'by', 'key'] });
  const [who = ''] = requireWords(parsed, ['user']);
  const adjustment = adjustmentOf(parsed);
  const { manager, reason } = managerAndReason(parsed);
  const cmdId = commandIdFor('adjust', parsed);
  return async (operator) => {
    const { app, language, print } = operator;
    const member = await findMember(app, who);
    if (adjustment.days !== 0 && !member.isMain())
      throw new CommandError({
        zh: '子账号的有效期就是主账号的，请调整主账号',
        en: 'A sub-account expires with its main account. Adjust the main account.',
      });
    const userId = member.id;
    const lines = await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        await lockMember(app, em, member);
        const managerId = await managerIdOf(em, manager);
        const fresh = await recordAction(em, { cmdId, managerId, userId, familyId: member.familyId, reason });
        const before = await accountLines(operator, em, userId);
        const rule = ([account]: readonly AccountView[], now: number): Posting[] =>
          account ? [{ userId, movement: { ...movementOf(adjustment, account, now), refs: { managerId } } }] : [];
        const ledger = app.get(Ledger, { strict: false });
        const [entry] = await ledger.move(em, { userIds: [userId] }, { rule, command: { cmdId } });
        if (!entry || !isSame(entry, adjustment)) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
        return fresh ? changes(before, await accountLines(operator, em, userId)) : null;
      });
    print(await titleOf(operator, member));
    for (const line of lines ?? [alreadyDone[language]]) print(line);
  };
}

function adjustmentOf(parsed: ParsedArguments): Adjustment {
  const read = (name: string, most: number): number =>
    integer(`--${name}`, parsed.options.get(name) ?? '0', [-most, most]);
  const adjustment = {
    charChange: read('chars', CHANGE_MAX),
    voiceChange: read('voice', CHANGE_MAX),
    imageChange: read('images', CHANGE_MAX),
    days: read('days', DAYS_MOST),
  };
  if (Object.values(adjustment).every((n) => n === 0))
    throw new UsageError({
      zh: '没有要调整的数量：--chars、--voice、--images 或 --days',
      en: 'Nothing to adjust. Use --chars, --voice, --images or --days.',
    });
  return adjustment;
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** Added days count from now when the account has expired, as with a recharge; taken days count from its expiry. */
function movementOf({ days, ...quota }: Adjustment, { state }: AccountView, now: number): Omit<Movement, 'refs'> {
  if (days === 0) return { type: 'SYS_ADJUST', ...quota };
  const expireAt = state.expireAt ?? now;
  const from = days > 0 ? Math.max(now, expireAt) : expireAt;
  return { type: 'SYS_ADJUST', ...quota, minChange: days * DAY_MINUTES, expireAt: Math.max(1, from + days * DAY_MS) };
}

const isSame = (entry: Entry, { days, ...quota }: Adjustment): boolean =>
  entry.charChange === quota.charChange &&
  entry.voiceChange === quota.voiceChange &&
  entry.imageChange === quota.imageChange &&
  entry.minChange === days * DAY_MINUTES;
