import { CommandError } from '../platform/cli-messages.js';
import { historyName, parseLsn, segmentName, segmentStart } from './lsn.js';
import type { Copy, Reach, Repository } from './repository.js';
import { forkOf, PARTIAL } from './wal-archive.js';

/** What a restore will do. `at`: the state of that moment; null: the newest. `reach`: how far the log goes; null: it ends with the copy. */
export type RestorePlan = { copy: Copy; timeline: number; at: Date | null; reach: Reach | null };

/** Says moments for people. */
type Moment = (date: Date) => string;

/** Throws CommandError if nothing can be restored, not to that moment, or the log lacks something. */
export async function planRestore(repository: Repository, at: Date | null, moment: Moment): Promise<RestorePlan> {
  const copies = await repository.copies();
  const newest = copies.at(-1);
  const [first] = copies;
  if (!newest || !first)
    throw new CommandError({ zh: '还没有可以恢复的全量备份', en: 'There is no full copy to restore.' });
  const [reaches, timelines] = [await repository.reaches(), await repository.timelines()];
  const timeline =
    at === null
      ? Math.max(newest.stopTimeline, ...reaches.map((reach) => reach.timeline))
      : Math.max(first.timeline, ...timelines.filter((t) => new Date(t.beganAt) <= at).map((t) => t.timeline));
  const history = timeline === first.timeline ? null : await repository.readWal(historyName(timeline));
  const copy = copies.findLast(
    (one) => (at === null || new Date(one.stoppedAt) <= at) && leadsTo(one, timeline, history),
  );
  if (!copy) throw tooEarly(moment(new Date(first.stoppedAt)));
  const reach = await repository.reach(timeline);
  const goesOn = reach !== null && new Date(reach.at) > new Date(copy.stoppedAt) ? reach : null;
  const end = new Date(goesOn?.at ?? copy.stoppedAt);
  if (at !== null && at > end) throw tooLate(moment(end));
  if (goesOn) await requireWholeLog(repository, { copy, reach: goesOn, history });
  return { copy, timeline, at, reach: goesOn };
}

/** Whether the timeline continues what the copy has. */
function leadsTo(copy: Copy, timeline: number, history: Buffer | null): boolean {
  if (copy.stopTimeline === timeline) return true;
  const fork = history && forkOf(history, copy.stopTimeline);
  return fork !== null && fork >= parseLsn(copy.stopLsn);
}

const tooEarly = (first: string): CommandError =>
  new CommandError({
    zh: `只能恢复到 ${first} 或以后：那是最早一份全量备份完成的时间`,
    en: `The earliest moment that can be restored is ${first}, when the oldest full copy was complete.`,
  });

const tooLate = (last: string): CommandError =>
  new CommandError({
    zh: `备份只到 ${last}：不写 --to 就恢复到最新`,
    en: `The backup reaches to ${last}. Leave --to out to restore the newest state.`,
  });

/** Every segment from the copy's end to the archive's. */
async function requireWholeLog(
  repository: Repository,
  { copy, reach, history }: { copy: Copy; reach: Reach; history: Buffer | null },
): Promise<void> {
  const { segmentBytes } = copy;
  const stored = new Set((await repository.wal()).map(({ name }) => name));
  const end = parseLsn(reach.lsn);
  const fork = copy.stopTimeline === reach.timeline || !history ? null : forkOf(history, copy.stopTimeline);
  // The copy itself has the segment that it ends in.
  let at = segmentStart(parseLsn(copy.stopLsn), segmentBytes) + BigInt(segmentBytes);
  for (; at < end; at += BigInt(segmentBytes)) {
    const timeline = fork !== null && at + BigInt(segmentBytes) <= fork ? copy.stopTimeline : reach.timeline;
    const name = segmentName(timeline, at, segmentBytes);
    if (stored.has(name) || stored.has(name + PARTIAL)) continue;
    // Between the copy's timeline and the last there may be others.
    if (fork !== null && timeline !== copy.stopTimeline && hasOther(stored, name)) continue;
    throw new CommandError({
      zh: `备份的日志不连续：缺少 ${name}。恢复到它之前的时刻请用 --to`,
      en: `The log of the backup has a gap: ${name} is missing. Use --to with a moment before it.`,
    });
  }
}

const hasOther = (stored: ReadonlySet<string>, name: string): boolean =>
  [...stored].some((other) => other.slice(8, 24) === name.slice(8, 24));
