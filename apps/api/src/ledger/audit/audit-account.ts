import { ENTRY_TYPES, type Difference } from '@yiqiao/domain/ledger';
import { CapReplay } from './audit-caps.js';
import { isSideOf, otherChannelBefore, sideDifference } from './audit-movements.js';
import { type PriceHistory, TariffReplay } from './audit-prices.js';
import type { Gift, ReplayState } from './anchors.js';
import { ENTRY_COLUMN as C, entryFrom, LINE_COLUMN, type StoredAccount, LINE_COLUMN as L } from './audit-rows.js';
import { UsageReplay, type UsageRows } from './audit-usage.js';
import type { CopyRows } from './copy-rows.js';
import { differ, differs, EntryReplay, iso, withoutZeros } from './entry-replay.js';
import { about, type Findings, type LedgerDifference } from './findings.js';

/** The rows of the accounts, by ascending account and number: entries, log lines, and the rows that confirm the entries. */
export type AccountRows = {
  entries: CopyRows;
  lines: CopyRows;
  sides: CopyRows;
  usage: UsageRows;
  prices: PriceHistory;
};

/** Missing entries of one gap that are linked to their consequences. */
const GAP_MAX = 1_000;

/** `count` is called for every entry. */
type How = { findings: Findings; count: () => void; keep?: Keep | undefined };
/** Takes the states after entries, by account, where a later replay can begin there. */
export type Keep = { after: ReadonlyMap<number, number>; take: (userId: number, state: ReplayState) => void };

/**
 * Reads the rows of one account off the streams and proves them and its balance row, its anchor and its leaf in the newest close. Returns
 * the state at that leaf for a new anchor; null if it has one there, or cannot have one.
 */
export async function auditAccount(
  account: StoredAccount,
  rows: AccountRows,
  { findings, count, keep }: How,
): Promise<ReplayState | null> {
  const { entries, lines, sides } = rows;
  const { userId, anchor, leaf } = account;
  const start = account.start ?? undefined;
  const replay = new EntryReplay(userId, account.familyId, start?.entries);
  const log = new LineReplay(userId, start?.lines);
  const usage = new UsageReplay(account, rows.usage, start?.usage);
  const caps = new CapReplay(account.counters, rows.usage.calendar, start?.entries.at);
  const gifts = new GiftReplay(account, start?.gifts);
  const tariffs = new TariffReplay(account, rows.prices, start?.tariffs);
  const stateNow = (): ReplayState => ({
    familyId: account.familyId,
    entries: replay.carried,
    lines: { seq: log.seq, at: log.at },
    usage: usage.carried,
    gifts: gifts.carried,
    tariffs: tariffs.carried,
  });
  let toAnchor: ReplayState | null = null;
  const at = (seq: number | null, wrong: Difference): LedgerDifference => ({ userId, seq, ...wrong });
  const followFree = async (): Promise<void> => {
    const seq = lines.intOrNull(LINE_COLUMN.entrySeq);
    const wrong = log.followFree(lines);
    const topics = seq === null ? [] : [about.entry(userId, seq)];
    if (wrong) findings.add(at(seq, wrong), [...topics, about.lines(userId)], [about.missing(userId)]);
    if (!lines.next()) await lines.fill();
  };
  const reached = (mark: Mark, found: string | null): void => {
    const wrong = differ(`${mark.what}: hash of its entry`, mark.head, found ?? 'none');
    if (wrong)
      findings.add(at(mark.seq, wrong), [about.entry(userId, mark.seq)], [about.broken(userId), about.missing(userId)]);
  };
  const leafMark = leaf && { ...leaf, what: 'newest close' };
  const startMark = start && markOf(start === anchor ? 'anchor' : 'archive', start);
  // One before the start of an archive was made before it; the replay does not pass it.
  const anchorMark = anchor && anchor.entries.account.seq > (startMark?.seq ?? 0) ? markOf('anchor', anchor) : null;
  if (start && startMark) {
    const isThere = entries.live && entries.int(C.userId) === userId && entries.int(C.seq) === startMark.seq;
    const found = isThere ? entries.hex(C.hash) : null;
    reached(startMark, found);
    if (leafMark?.seq === startMark.seq) reached(leafMark, found);
    if (isThere && !entries.next()) await entries.fill();
    const family = differ(`${startMark.what}: familyId`, start.familyId, account.familyId);
    if (family) findings.add(at(null, family), [about.broken(userId)]);
  }
  while (entries.live && entries.int(C.userId) === userId) {
    const seq = entries.int(C.seq);
    const before = replay.state.seq;
    const wrong = replay.follow(entries);
    if (wrong) {
      const own = about.entry(userId, seq);
      const gap = Array.from({ length: Math.min(GAP_MAX, Math.max(0, seq - before - 1)) }, (_, i) => before + 1 + i);
      const topics = [own, ...gap.map((missing) => about.entry(userId, missing))];
      if (gap.length > 0) topics.push(about.missing(userId));
      // The entry after an altered one no longer starts where that one ends.
      const causes = [about.entry(userId, seq - 1)];
      if (wrong.field === 'typeSeq' || gap.length > 0) causes.push(about.missing(userId));
      findings.add(at(seq, wrong), topics, causes);
      findings.link(about.broken(userId), own);
      findings.link(about.usage(account.familyId), own);
    }
    // Lines are numbered in the order of their entries, with free lines in between.
    while (log.isBefore(lines, seq)) await followFree();
    if (log.isOf(lines, seq)) {
      const line = log.followCharge(lines, entries);
      if (line) findings.add(at(seq, line), [about.entry(userId, seq)], [about.lines(userId)]);
      if (!lines.next()) await lines.fill();
    } else if (replay.rule?.witness === 'translation')
      findings.add(at(seq, differs('line in the translation log', 'a line', 'none')), [
        about.entry(userId, seq),
        about.lines(userId),
      ]);
    let mainChannel: number | null = null;
    if (isSideOf(sides, userId, seq)) {
      mainChannel = otherChannelBefore(sides);
      const side = sideDifference(sides);
      if (side) findings.add(at(seq, side.difference), [about.entry(userId, seq), ...side.topics]);
      if (!sides.next()) await sides.fill();
    }
    const witness = replay.rule?.witness;
    if (tariffs.waits || TariffReplay.isConcerned(witness))
      for (const wrong of tariffs.follow(entryFrom(entries), witness, mainChannel))
        findings.add(at(wrong.seq, wrong), [about.entry(userId, wrong.seq)], [about.broken(userId)]);
    if (witness === 'gift') gifts.follow(entries);
    usage.follow(entries, seq, replay.at);
    caps.follow(entries, replay.at);
    if (seq === anchorMark?.seq) {
      reached(anchorMark, replay.head);
      const wrong = anchor && stateDifference(anchor, stateNow(), seq <= account.rolledSeq);
      if (wrong) findings.add(at(seq, wrong), [`anchor ${userId}`], [about.entry(userId, seq), about.broken(userId)]);
    }
    if (seq === leafMark?.seq) {
      reached(leafMark, replay.head);
      if (seq !== anchorMark?.seq && seq <= account.rolledSeq && !tariffs.waits) toAnchor = stateNow();
    }
    if (keep && seq === keep.after.get(userId) && seq <= account.rolledSeq && !tariffs.waits)
      keep.take(userId, stateNow());
    count();
    if (!entries.next()) await entries.fill();
  }
  for (const mark of [anchorMark, leafMark]) if (mark && mark.seq > replay.state.seq) reached(mark, null);
  while (log.on(lines)) await followFree();
  for (const wrong of tariffs.end())
    findings.add(at(wrong.seq, wrong), [about.entry(userId, wrong.seq)], [about.broken(userId)]);
  const causes = [about.broken(userId)];
  for (const wrong of gifts.differences()) findings.add(at(wrong.seq, wrong), [`gifts ${userId}`], causes);
  for (const wrong of rowDifferences(account, replay, log))
    findings.add(at(null, wrong), [`row ${userId}`], [...causes, about.lines(userId)]);
  for (const wrong of caps.differences()) findings.add(at(null, wrong), [`${userId} ${wrong.field}`], causes);
  for (const wrong of await usage.differences())
    findings.add(at(null, wrong), [`usage ${userId}`, about.usage(account.familyId)], [...causes, `row ${userId}`]);
  return toAnchor;
}

/** An entry whose hash was signed. */
type Mark = { what: string; seq: number; head: string };
const markOf = (what: string, { entries: { account, head } }: ReplayState): Mark => ({ what, seq: account.seq, head });

/** The first part of an anchor that differs from the replay up to it. `isCounted`: so are its usage's sums. */
function stateDifference(anchor: ReplayState, replayed: ReplayState, isCounted: boolean): Difference | null {
  for (const part of Object.keys(replayed) as (keyof ReplayState)[]) {
    if (part === 'usage' && !isCounted) continue;
    const wrong = differ(`anchor: ${part}`, JSON.stringify(replayed[part]), JSON.stringify(anchor[part]));
    if (wrong) return wrong;
  }
  return null;
}

/** Compares the balance row with the sum of the entries. */
function rowDifferences(account: StoredAccount, replay: EntryReplay, log: LineReplay): Difference[] {
  const stored = account.state;
  const { state } = replay;
  const fields = Object.keys(state) as (keyof typeof state)[];
  return [
    ...fields.map((field) => differ(`balance row: ${field}`, state[field], stored[field])),
    differ('balance row: type ordinals', withoutZeros(replay.typeSeqs).join(), withoutZeros(account.typeSeqs).join()),
    differ('balance row: head of the chain', replay.head, account.head),
    differ('balance row: translations', log.seq, account.usageSeq),
    differ('held characters', account.openHolds.charNum, account.held.charNum),
    differ('held voice', account.openHolds.voiceNum, account.held.voiceNum),
    differ('held images', account.openHolds.imageNum, account.held.imageNum),
  ].filter((wrong) => wrong !== null);
}

/** Compares the once-only gifts of a mailbox with the entries that credited them (decisions §3). */
class GiftReplay {
  #opening: Gift | null;
  readonly #rewards: Gift[];

  constructor(
    private readonly account: StoredAccount,
    start?: ReplayState['gifts'],
  ) {
    this.#opening = start?.opening ?? null;
    this.#rewards = [...(start?.rewards ?? [])];
  }

  get carried(): ReplayState['gifts'] {
    return { opening: this.#opening, rewards: [...this.#rewards] };
  }

  /** An entry that credits a gift. */
  follow(entries: CopyRows): void {
    const given = {
      seq: entries.int(C.seq),
      charNum: entries.int(C.charChange),
      voiceNum: entries.int(C.voiceChange),
      imageNum: entries.int(C.imageChange),
    };
    if (entries.int(C.type) === ENTRY_TYPES.INVITE_REWARD.code) this.#rewards.push(given);
    else if (given.charNum + given.voiceNum + given.imageNum > 0) this.#opening ??= given;
  }

  differences(): (Difference & { seq: number | null })[] {
    const all = this.account.gifts;
    const [reward, ...more] = this.#rewards;
    return [
      ...this.#one('trial', this.#opening ?? null, all.filter(({ gift }) => gift === 'trial')[0]),
      ...this.#one('invite', reward ?? null, all.filter(({ gift }) => gift === 'invite')[0]),
      ...more.map(({ seq }) => ({ seq, field: 'invite reward', expected: 'one, once', found: 'another' })),
    ];
  }

  #one(
    gift: string,
    entry: Gift | null,
    row: StoredAccount['gifts'][number] | undefined,
  ): (Difference & { seq: number | null })[] {
    const seq = entry?.seq ?? null;
    if (entry && !row) return [{ seq, ...differs(`gift of the mailbox (${gift})`, 'a row', 'none') }];
    if (!row || (!entry && row.charNum + row.voiceNum + row.imageNum === 0)) return [];
    if (!entry) return [{ seq, ...differs(`entry of the gift (${gift})`, 'an entry', 'none') }];
    return (['charNum', 'voiceNum', 'imageNum'] as const)
      .map((field) => differ(`gift of the mailbox (${gift}): ${field}`, row[field], entry[field]))
      .filter((wrong) => wrong !== null)
      .map((wrong) => ({ seq, ...wrong }));
  }
}

const LINE_OK = 1;

/** Checks the translation log of one account: numbered without gaps, in order of time, and one line per charge. */
class LineReplay {
  /** The number of the last line, and its time in ms. */
  seq: number;
  at: number;

  constructor(
    private readonly userId: number,
    start?: ReplayState['lines'],
  ) {
    this.seq = start?.seq ?? 0;
    this.at = start?.at ?? 0;
  }

  /** Whether `lines` is on a line of this account. */
  on(lines: CopyRows): boolean {
    return lines.live && lines.int(L.userId) === this.userId;
  }

  /** Whether the line comes before that of entry `seq`: a free line, or the line of an earlier entry. */
  isBefore(lines: CopyRows, seq: number): boolean {
    return this.on(lines) && (lines.isNull(L.entrySeq) || lines.int(L.entrySeq) < seq);
  }

  isOf(lines: CopyRows, seq: number): boolean {
    return this.on(lines) && lines.int(L.entrySeq) === seq;
  }

  /** A line without an entry must not have charged anything. */
  followFree(lines: CopyRows): Difference | null {
    const misplaced = this.#follow(lines);
    if (!lines.isNull(L.entrySeq))
      return differs('entry of a translation', 'one entry', 'none, or another line has it');
    return misplaced ?? differ('charge of a translation without entry', 0, lines.int(L.charged));
  }

  /** The line of the current entry must agree with it. */
  followCharge(lines: CopyRows, entries: CopyRows): Difference | null {
    const misplaced = this.#follow(lines);
    const charge = 0 - entries.int(C.charChange) - entries.int(C.voiceChange) - entries.int(C.imageChange);
    if (!isSameCommand(lines, entries))
      return differs('command of the translation', entries.uuid(C.cmdId), lines.uuid(L.cmdId));
    return (
      differ('charge of the translation', charge, lines.int(L.charged)) ??
      differ('words of the translation', entries.int(C.usedCharNum), lines.int(L.words)) ??
      differ('status of the translation', LINE_OK, lines.int(L.status)) ??
      differ('channel of the translation', entries.intOrNull(C.consumeTranChannelId), lines.int(L.tranChannelId)) ??
      differ('time of the translation', entries.time(C.createdAt), lines.time(L.at)) ??
      misplaced
    );
  }

  #follow(lines: CopyRows): Difference | null {
    const at = lines.time(L.at);
    const [before, expected, found] = [this.at, this.seq + 1, lines.int(L.usageSeq)];
    this.at = at;
    this.seq = found;
    if (at < before) return differs('time of a translation', `≥ ${iso(before)}`, iso(at));
    return differ('usageSeq', expected, found);
  }
}

function isSameCommand(lines: CopyRows, entries: CopyRows): boolean {
  const [a, b] = [lines.at[L.cmdId] ?? 0, entries.at[C.cmdId] ?? 0];
  for (let i = 0; i < 16; i += 4) if (lines.view.getInt32(a + i) !== entries.view.getInt32(b + i)) return false;
  return true;
}
