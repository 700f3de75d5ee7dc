import { Refusal } from '@yiqiao/domain/errors';
import { charsOf, priceOf, type Ask, type Movement, type Quota } from '@yiqiao/domain/ledger';
import { HOLD_LIFE_MS } from '@yiqiao/domain/limits';
import { autoDistribution, autoShare } from '@yiqiao/domain/movements';
import { partialCharge } from '@yiqiao/domain/quotes';
import { commandIdOf } from '../../platform/command-id.js';
import { CommandEnded } from '../../platform/idempotency.js';
import type { LockedAccount } from '../rows/account-rows.js';
import { moveAccount, mustBeFree, mustBeWritable } from '../rows/move-account.js';
import { BatchWrites, FREE, type FreeLine, LINE_FAILED, LINE_OK, type StoredHold } from './batch-writes.js';
import { countUse, mustStayUnderCaps } from './caps.js';
import { countKeyUse, mustStayUnderKeyCaps } from './key-caps.js';
import type { Command, Held, Outcome, Released, Settled, Usage } from './commands.js';
import type { BatchState, CommandState, StoredLine } from './read-batch.js';

/** The stored code of each kind of request, and the type of its entry (decisions §4). */
const KINDS = {
  text: { code: 1, type: 'TRANSLATION_CONSUME' },
  voice: { code: 2, type: 'VOICE_CONSUME' },
  image: { code: 3, type: 'OTHER' },
} as const;
const TYPES = [undefined, KINDS.text.type, KINDS.voice.type, KINDS.image.type];

/** The result of a command: its outcome, the refusal that concerns it alone, or the command to try instead. */
export type CommandResult = { outcome: Outcome } | { refusal: Refusal } | { retry: Command };

/** `short`: the sub-accounts whose holds are to be retried with their main account. */
export type Applied = { results: CommandResult[]; writes: BatchWrites; short: number[] };

/** Applies the commands in order to the state of their batch, in memory. */
export function applyCommands(commands: Command[], state: BatchState): Applied {
  const sizes = { charges: 0, holds: 0, lines: 0 };
  for (const command of commands)
    sizes[command.do === 'settle' ? 'charges' : command.do === 'hold' ? 'holds' : 'lines']++;
  const writes = new BatchWrites(sizes);
  const results = commands.map((command) => tryCommand(command, state, writes));
  const short = results.flatMap((result) => ('retry' in result ? [result.retry.userId] : []));
  return { results, writes, short };
}

function tryCommand(command: Command, state: BatchState, writes: BatchWrites): CommandResult {
  try {
    return { outcome: applyCommand(command, state, writes) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (command.do === 'hold' && !command.withMain && isShort(error, command))
      return { retry: { ...command, withMain: true } };
    return { refusal: error };
  }
}

/** No key has this id. */
const NO_KEY = 0;

/** Applies one command to the state of its batch and adds its writes. If it throws a Refusal, nothing has changed. */
function applyCommand(command: Command, state: BatchState, writes: BatchWrites): Outcome {
  const account = state.accounts.get(command.userId);
  if (!account || account.familyId !== command.familyId) throw new Refusal('NOT_FOUND');
  const line = state.lines.get(command.id);
  const hold = state.holds.get(command.id);
  if ((line && line.userId !== account.userId) || (hold && hold.userId !== account.userId)) throw reused();
  const apiKeyId = command.do === 'hold' ? command.apiKeyId : hold?.apiKeyId;
  const key = state.keys.get(apiKeyId ?? NO_KEY);
  const found: CommandState = { account, line, hold, caps: state.caps.get(account.userId), key, now: state.now };
  switch (command.do) {
    case 'hold':
      return applyHold(command, found, { writes, state });
    case 'settle':
      return applySettle(command, found, writes);
    case 'release':
      return applyRelease(command, found, writes);
    case 'note':
      applyNote(command, found, writes);
      return null;
  }
}

type Of<D extends Command['do']> = Extract<Command, { do: D }>;

const reused = (): Refusal => new Refusal('IDEMPOTENCY_KEY_REUSED');

const expiryOf = (account: LockedAccount, state: BatchState): number | null =>
  account.userId === account.familyId ? account.state.expireAt : (state.expiries.get(account.familyId) ?? null);

const NOTHING: Quota = { charNum: 0, voiceNum: 0, imageNum: 0 };

/** Requested minutes or pictures. */
const unitsOf = (ask: Exclude<Ask, { kind: 'text' }>): number => (ask.kind === 'voice' ? ask.minutes : 1);

/** What a sub-account pays, which always bills by character. */
const quotaOf = (ask: Ask): Quota => ({
  charNum: ask.kind === 'text' ? charsOf(ask) : 0,
  voiceNum: ask.kind === 'voice' ? ask.minutes : 0,
  imageNum: ask.kind === 'image' ? 1 : 0,
});

/** Whether the hold was made for this request. The cost of a text is not compared: prices and the account's channel may have changed. */
function isHoldOf(ask: Ask, { kind, quota, codePoints }: StoredHold): boolean {
  if (kind !== KINDS[ask.kind].code) return false;
  return ask.kind === 'text' ? codePoints === ask.codePoints : quota.voiceNum + quota.imageNum === unitsOf(ask);
}

/** Whether a charged line can result from this request: a part of its text was delivered, and only texts have code points. */
function isLineOf(ask: Ask, { codePoints, charged }: StoredLine): boolean {
  if (ask.kind === 'text') return codePoints >= 1 && codePoints <= ask.codePoints;
  return codePoints === 0 && charged === unitsOf(ask);
}

function applyHold(command: Of<'hold'>, found: CommandState, to: { writes: BatchWrites; state: BatchState }): Held {
  const { account, line, hold, now } = found;
  const { ask } = command;
  if (line) {
    // A failed attempt is final, a retry needs a new id. A charged one returns its charge.
    const { charged, billingMode } = line;
    if (!line.ok || line.entrySeq === null) throw new CommandEnded();
    if (!isLineOf(ask, line)) throw reused();
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
  mustBeWritable(account);
  const { billingMode, tranChannelId } = account.state;
  // The caller priced the translation on another channel: it would cost too little or too much.
  if (tranChannelId !== null && (command.ownChannelId ?? tranChannelId) !== tranChannelId)
    throw new Refusal('CHANNEL_CHANGED');
  const expireAt = expiryOf(account, to.state);
  const underCaps = (chars: number): void => {
    mustStayUnderCaps(account, found.caps, quotaOf(ask));
    mustStayUnderKeyCaps(found.key, chars);
  };
  const price = (): Quota => priceOf(ask, { ...account.state, expireAt }, { held: account.held, now });
  let quota: Quota;
  try {
    quota = price();
  } catch (error) {
    if (!isShort(error, command)) throw error;
    underCaps(quotaOf(ask).charNum);
    if (!autoDistribute(command, found, to)) throw error;
    quota = price();
  }
  underCaps(quota.charNum);
  if (hold) to.writes.drop(hold.id);
  reserve(account, quota, 1);
  if (found.key) found.key.held += quota.charNum;
  const kind = KINDS[ask.kind].code;
  const codePoints = ask.kind === 'text' ? ask.codePoints : 0;
  const { id, userId, apiKeyId = null } = command;
  const stored: StoredHold = { id, userId, kind, quota, codePoints, billingMode, released: false, apiKeyId };
  to.writes.hold(account, stored, { at: now, until: now + HOLD_LIFE_MS });
  return { state: 'held', quota, codePoints, billingMode };
}

/** Whether a hold was refused for lack of characters that a main account could share. Voice and images are never shared. */
const isShort = (error: unknown, command: Command): boolean =>
  error instanceof Refusal &&
  error.code === 'QUOTA_NOT_ENOUGH' &&
  command.do === 'hold' &&
  command.ask.kind === 'text' &&
  command.familyId !== command.userId;

function applySettle(command: Of<'settle'>, found: CommandState, writes: BatchWrites): Settled {
  const { account, line, hold } = found;
  if (line) {
    if (line.ok && line.entrySeq !== null) return { charged: line.charged, entrySeq: line.entrySeq };
    throw reused();
  }
  if (!hold) throw new Refusal('NOT_FOUND');
  mustBeWritable(account);
  const charge: Charge = command.delivered ? partialCharge(hold, command.delivered) : hold;
  // The hold expired and was released: charge from the free balance, or refuse.
  if (hold.released) {
    mustBeFree(account, charge.quota);
    mustStayUnderCaps(account, found.caps, charge.quota);
    mustStayUnderKeyCaps(found.key, charge.quota.charNum);
  } else {
    reserve(account, hold.quota, -1);
    if (found.key) found.key.held -= hold.quota.charNum;
  }
  const movement = movementOf(hold, charge, command.usage);
  const { entry, hash } = moveAccount(account, movement, { cmdId: command.id, now: found.now });
  account.usageSeq++;
  writes.drop(hold.id);
  writes.charge(account, entry, { hash, hold, usage: command.usage });
  if (account.capped) writes.capUse.add(account.userId, charge.quota, entry.createdAt);
  countUse(found.caps, charge.quota);
  if (found.key) countKeyUse(found.key, charge.quota.charNum);
  return { charged: charge.quota.charNum + charge.quota.voiceNum + charge.quota.imageNum, entrySeq: entry.seq };
}

function applyRelease(command: Of<'release'>, found: CommandState, writes: BatchWrites): Released {
  const { account, line, hold } = found;
  if (hold && !hold.released) {
    reserve(account, hold.quota, -1);
    if (found.key) found.key.held -= hold.quota.charNum;
    writes.release(account, hold.id);
  }
  if (line) return { state: line.ok ? 'settled' : 'released' };
  if (!hold) return { state: 'released' };
  if (command.usage) addLine(found, { ...hold, status: LINE_FAILED, free: null, usage: command.usage }, writes);
  return { state: 'released' };
}

function applyNote(command: Of<'note'>, found: CommandState, writes: BatchWrites): void {
  const { account, line } = found;
  const ok = command.free !== null;
  if (line && (line.codePoints !== command.codePoints || line.entrySeq !== null || line.ok !== ok)) throw reused();
  const { billingMode } = account.state;
  if (line) return;
  const { id, codePoints, usage } = command;
  const text = { kind: KINDS.text.code, status: ok ? LINE_OK : LINE_FAILED, free: command.free && FREE[command.free] };
  addLine(found, { id, codePoints, usage, billingMode, ...text }, writes);
}

type Charge = { quota: Quota; codePoints: number };

function movementOf({ kind, apiKeyId }: StoredHold, { quota, codePoints }: Charge, usage: Usage): Movement {
  const type = TYPES[kind];
  if (!type) throw new Error(`a hold of kind ${kind}`);
  return {
    type,
    charChange: 0 - quota.charNum,
    voiceChange: 0 - quota.voiceNum,
    imageChange: 0 - quota.imageNum,
    usedCharNum: codePoints,
    refs: { consumeConfigId: usage.configId ?? null, consumeTranChannelId: usage.tranChannelId, apiKeyId },
  };
}

function addLine({ account, now }: CommandState, line: FreeLine, writes: BatchWrites): void {
  account.usageSeq++;
  account.lastAt = Math.max(now, account.lastAt);
  writes.freeLine(account, line, account.lastAt);
}

function reserve(account: LockedAccount, quota: Quota, sign: 1 | -1): void {
  account.held.charNum += sign * quota.charNum;
  account.held.voiceNum += sign * quota.voiceNum;
  account.held.imageNum += sign * quota.imageNum;
}

/**
 * Moves the missing characters from the main account to a sub-account whose hold lacks them (decisions §4), in the transaction of the
 * hold. Returns false and changes nothing if the sub-account may not share or the main account has too little.
 */
function autoDistribute(
  command: Of<'hold'>,
  { account, now }: CommandState,
  { state, writes }: { state: BatchState; writes: BatchWrites },
): boolean {
  const main = state.accounts.get(account.familyId);
  if (!command.withMain || command.ask.kind !== 'text' || !main || !state.sharing.has(account.userId)) return false;
  mustBeWritable(main);
  const lacking = charsOf(command.ask) - (account.state.charNum - account.held.charNum);
  const share = autoShare(lacking, main.state.charNum - main.held.charNum);
  if (share === null) return false;
  // Hold and distribution commit together, so an open hold never distributes twice. A released hold that is made again under its id may
  // distribute again: the entry's number tells the two apart.
  const at = { cmdId: commandIdOf(`auto-distribution:${command.id}:${account.state.seq + 1}`), now };
  // The first distribution sets the sub-account's channel, as one by hand does.
  const tranChannelId = account.state.tranChannelId ?? main.state.tranChannelId;
  const [ofMain, ofSub] = autoDistribution({ mainId: main.userId, childId: account.userId }, share, tranChannelId);
  // The sub-account first: only it can refuse, if it would hold too much.
  const received = moveAccount(account, { ...ofSub.movement, tranChannelId }, at);
  const given = moveAccount(main, ofMain.movement, at);
  writes.distribute([given, received], [main, account]);
  return true;
}
