import type { Difference } from '@yiqiao/domain/ledger';
import { LineFold, mustHaveLine } from './audit-lines.js';
import { isSideOf, sideDifference } from './audit-movements.js';
import { ENTRY_COLUMN, LINE_COLUMN, type StoredAccount } from './audit-rows.js';
import type { CopyRows } from './copy-rows.js';
import { differ, differs, EntryFold } from './entry-fold.js';

/** The first thing that does not follow: whose, at which entry (null: the balance row or a free line), and what. */
export type LedgerDifference = Difference & { userId: number; seq: number | null };

/** What belongs to the accounts, in ascending account and number: entries, their lines, and what must confirm them elsewhere. */
export type AccountRows = { entries: CopyRows; lines: CopyRows; sides: CopyRows };

/** Reads all that belongs to one account off the streams and proves it and its row. `count` is called for every entry. */
export async function auditAccount(
  account: StoredAccount,
  { entries, lines, sides }: AccountRows,
  count: () => void,
): Promise<LedgerDifference | null> {
  const { userId } = account;
  const fold = new EntryFold(userId, account.familyId);
  const log = new LineFold(userId);
  const at = (seq: number | null, wrong: Difference): LedgerDifference => ({ userId, seq, ...wrong });
  while (entries.live && entries.int(ENTRY_COLUMN.userId) === userId) {
    const seq = entries.int(ENTRY_COLUMN.seq);
    const wrong = fold.follow(entries);
    if (wrong) return at(seq, wrong);
    // Lines are numbered in the order of their entries, free ones between them.
    while (log.isBefore(lines, seq)) {
      const line = log.followFree(lines);
      if (line) return at(lines.intOrNull(LINE_COLUMN.entrySeq), line);
      if (!lines.next()) await lines.fill();
    }
    if (log.isOf(lines, seq)) {
      const line = log.followCharge(lines, entries);
      if (line) return at(seq, line);
      if (!lines.next()) await lines.fill();
    } else if (mustHaveLine(entries)) return at(seq, differs('line in the translation log', 'a line', 'none'));
    if (isSideOf(sides, userId, seq)) {
      const side = sideDifference(sides);
      if (side) return at(seq, side);
      if (!sides.next()) await sides.fill();
    }
    count();
    if (!entries.next()) await entries.fill();
  }
  for (; log.on(lines); lines.next() || (await lines.fill())) {
    const line = log.followFree(lines);
    if (line) return at(lines.intOrNull(LINE_COLUMN.entrySeq), line);
  }
  const wrong = rowDifference(account, fold, log);
  return wrong && at(null, wrong);
}

/** Compares the balance row with what its entries add up to. */
function rowDifference(account: StoredAccount, fold: EntryFold, log: LineFold): Difference | null {
  const stored = account.state;
  const { state } = fold;
  for (const field of Object.keys(state) as (keyof typeof state)[])
    if (state[field] !== stored[field]) return differs(`balance row: ${field}`, state[field], stored[field]);
  return (
    differ('balance row: type ordinals', fold.typeSeqs.join(), account.typeSeqs.join()) ??
    differ('balance row: head of the chain', fold.head, account.head) ??
    differ('balance row: translations', log.seq, account.usageSeq) ??
    differ('held characters', account.openHolds.charNum, account.held.charNum) ??
    differ('held voice', account.openHolds.voiceNum, account.held.voiceNum) ??
    differ('held images', account.openHolds.imageNum, account.held.imageNum)
  );
}
