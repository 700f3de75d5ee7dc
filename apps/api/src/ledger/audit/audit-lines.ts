import type { Difference } from '@yiqiao/domain/ledger';
import { ENTRY_COLUMN as C, LINE_COLUMN as L } from './audit-rows.js';
import type { CopyRows } from './copy-rows.js';
import { differ, differs, iso } from './entry-replay.js';

const LINE_OK = 1;

/** Checks the translation log of one account: numbered without gaps, in order of time, and one line per charge. */
export class LineReplay {
  /** The number of the last line. */
  seq = 0;
  #at = 0;

  constructor(private readonly userId: number) {}

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
    const [before, expected, found] = [this.#at, this.seq + 1, lines.int(L.usageSeq)];
    this.#at = at;
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
