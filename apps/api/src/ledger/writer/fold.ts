import { Refusal } from '@yiqiao/domain/errors';
import { priceOf, type Ask, type Movement, type Quota } from '@yiqiao/domain/ledger';
import { HOLD_LIFE_MS } from '@yiqiao/domain/limits';
import { partialCharge } from '@yiqiao/domain/quotes';
import type { LockedAccount } from '../rows/account-rows.js';
import { autoDistribute } from './auto-distribute.js';
import type { Command, Held, Outcome, Released, Settled, Usage } from './commands.js';
import { moveAccount, mustBeFree } from '../rows/move-account.js';
import type { Found, Read, StoredLine } from './read.js';
import { FREE, type FreeLine, LINE_FAILED, LINE_OK, type StoredHold, type Writes } from './writes.js';

/** How each kind of ask is stored, and which entry explains it (decisions §4). */
const KINDS = {
  text: { code: 1, type: 'TRANSLATION_CONSUME' },
  voice: { code: 2, type: 'VOICE_CONSUME' },
  image: { code: 3, type: 'OTHER' },
} as const;
const TYPES = [undefined, KINDS.text.type, KINDS.voice.type, KINDS.image.type];

/** Applies one command to what was read and notes what is to be written. Throws a Refusal and changes nothing. */
export function fold(command: Command, read: Read, writes: Writes): Outcome {
  const account = read.accounts.get(command.userId);
  if (!account || account.familyId !== command.familyId) throw new Refusal('NOT_FOUND');
  const line = read.lines.get(command.id);
  const hold = read.holds.get(command.id);
  if ((line && line.userId !== account.userId) || (hold && hold.userId !== account.userId)) throw reused();
  const found: Found = { account, line, hold, now: read.now };
  switch (command.do) {
    case 'hold':
      return foldHold(command, found, { writes, read });
    case 'settle':
      return foldSettle(command, found, writes);
    case 'release':
      return foldRelease(command, found, writes);
    case 'note':
      foldNote(command, found, writes);
      return null;
  }
}

type Of<D extends Command['do']> = Extract<Command, { do: D }>;

const reused = (): Refusal => new Refusal('IDEMPOTENCY_KEY_REUSED');

const expiryOf = (account: LockedAccount, read: Read): number | null =>
  account.userId === account.familyId ? account.state.expireAt : (read.expiries.get(account.familyId) ?? null);

const NOTHING: Quota = { charNum: 0, voiceNum: 0, imageNum: 0 };

/** Minutes or pictures that are asked for. */
const unitsOf = (ask: Exclude<Ask, { kind: 'text' }>): number => (ask.kind === 'voice' ? ask.minutes : 1);

/** Whether a hold was made for this. What a text costs is not compared: prices and the account's channel change meanwhile. */
function isHoldOf(ask: Ask, { kind, quota, codePoints }: StoredHold): boolean {
  if (kind !== KINDS[ask.kind].code) return false;
  return ask.kind === 'text' ? codePoints === ask.codePoints : quota.voiceNum + quota.imageNum === unitsOf(ask);
}

/** Whether a charged line may have come of this: of a text some part was delivered, and nothing else has code points. */
function isLineOf(ask: Ask, { codePoints, charged }: StoredLine): boolean {
  if (ask.kind === 'text') return codePoints >= 1 && codePoints <= ask.codePoints;
  return codePoints === 0 && charged === unitsOf(ask);
}

function foldHold(command: Of<'hold'>, found: Found, to: { writes: Writes; read: Read }): Held {
  const { account, line, hold, now } = found;
  const { ask } = command;
  if (line) {
    // A failed attempt is over: only a new id may try again. A charged one answers as it ended.
    const { charged, billingMode } = line;
    if (!line.ok || line.entrySeq === null || !isLineOf(ask, line)) throw reused();
    const quota = {
      ...NOTHING,
      [ask.kind === 'text' ? 'charNum' : ask.kind === 'voice' ? 'voiceNum' : 'imageNum']: charged,
    };
    return { state: 'settled', quota, codePoints: line.codePoints, billingMode };
  }
  if (hold) {
    if (!isHoldOf(ask, hold)) throw reused();
    if (!hold.released)
      return { state: 'held', quota: hold.quota, codePoints: hold.codePoints, billingMode: hold.billingMode };
  }
  const { billingMode, tranChannelId } = account.state;
  // Asked of one channel and paid in the characters of another, a translation would cost too little or too much.
  if (tranChannelId !== null && (command.ownChannelId ?? tranChannelId) !== tranChannelId)
    throw new Refusal('CHANNEL_CHANGED');
  const expireAt = expiryOf(account, to.read);
  const price = (): Quota => priceOf(ask, { ...account.state, expireAt }, { held: account.held, now });
  let quota: Quota;
  try {
    quota = price();
  } catch (error) {
    if (!isShort(error, command) || !autoDistribute(command, found, to)) throw error;
    quota = price();
  }
  if (hold) to.writes.drop(hold.id);
  reserve(account, quota, 1);
  const kind = KINDS[ask.kind].code;
  const codePoints = ask.kind === 'text' ? ask.codePoints : 0;
  const { id, userId } = command;
  const stored: StoredHold = { id, userId, kind, quota, codePoints, billingMode, released: false };
  to.writes.hold(account, stored, { at: now, until: now + HOLD_LIFE_MS });
  return { state: 'held', quota, codePoints, billingMode };
}

/** Whether a hold was refused for characters that a main account might share; also voice and images are never shared. */
export const isShort = (error: unknown, command: Command): boolean =>
  error instanceof Refusal &&
  error.code === 'QUOTA_NOT_ENOUGH' &&
  command.do === 'hold' &&
  command.ask.kind === 'text' &&
  command.familyId !== command.userId;

function foldSettle(command: Of<'settle'>, found: Found, writes: Writes): Settled {
  const { account, line, hold } = found;
  if (line) {
    if (line.ok && line.entrySeq !== null) return { charged: line.charged, entrySeq: line.entrySeq };
    throw reused();
  }
  if (!hold) throw new Refusal('NOT_FOUND');
  const charge: Charge = command.delivered ? partialCharge(hold, command.delivered) : hold;
  // Too late, the sweep has given it back: what is delivered is paid, so it is charged anew from what is free, or refused.
  if (hold.released) mustBeFree(account, charge.quota);
  else reserve(account, hold.quota, -1);
  const movement = movementOf(hold.kind, charge, command.usage);
  const { entry, hash } = moveAccount(account, movement, { cmdId: command.id, now: found.now });
  account.usageSeq++;
  writes.drop(hold.id);
  writes.charge(account, entry, { hash, hold, usage: command.usage });
  return { charged: charge.quota.charNum + charge.quota.voiceNum + charge.quota.imageNum, entrySeq: entry.seq };
}

function foldRelease(command: Of<'release'>, found: Found, writes: Writes): Released {
  const { account, line, hold } = found;
  if (hold && !hold.released) {
    reserve(account, hold.quota, -1);
    writes.release(account, hold.id);
  }
  if (line) return { state: line.ok ? 'settled' : 'released' };
  if (!hold) return { state: 'released' };
  if (command.usage) addLine(found, { ...hold, status: LINE_FAILED, free: null, usage: command.usage }, writes);
  return { state: 'released' };
}

function foldNote(command: Of<'note'>, found: Found, writes: Writes): void {
  const { account, line } = found;
  const ok = command.free !== null;
  if (line && (line.codePoints !== command.codePoints || line.entrySeq !== null || line.ok !== ok)) throw reused();
  const { billingMode } = account.state;
  if (line) return;
  const { id, codePoints, usage } = command;
  const told = { kind: KINDS.text.code, status: ok ? LINE_OK : LINE_FAILED, free: command.free && FREE[command.free] };
  addLine(found, { id, codePoints, usage, billingMode, ...told }, writes);
}

type Charge = { quota: Quota; codePoints: number };

function movementOf(kind: number, { quota, codePoints }: Charge, usage: Usage): Movement {
  const type = TYPES[kind];
  if (!type) throw new Error(`a hold of kind ${kind}`);
  return {
    type,
    charChange: 0 - quota.charNum,
    voiceChange: 0 - quota.voiceNum,
    imageChange: 0 - quota.imageNum,
    usedCharNum: codePoints,
    refs: { consumeConfigId: usage.configId ?? null, consumeTranChannelId: usage.tranChannelId },
  };
}

function addLine({ account, now }: Found, line: FreeLine, writes: Writes): void {
  account.usageSeq++;
  account.lastAt = Math.max(now, account.lastAt);
  writes.freeLine(account, line, account.lastAt);
}

function reserve(account: LockedAccount, quota: Quota, sign: 1 | -1): void {
  account.held.charNum += sign * quota.charNum;
  account.held.voiceNum += sign * quota.voiceNum;
  account.held.imageNum += sign * quota.imageNum;
}
