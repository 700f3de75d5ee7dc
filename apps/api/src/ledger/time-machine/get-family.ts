import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getFamilyDifference, getFamilyState, getFamilyTimeline } from '@yiqiao/contracts/operator/families';
import { Refusal } from '@yiqiao/domain/errors';
import { FAMILY_LANES_MAX } from '@yiqiao/domain/operators';
import type { Quota } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { archivedUntil, requireInDatabase } from '../rows/archived.js';
import { AccountBlocks } from './account-blocks.js';
import { familyIdOf, standingsAt, type Neighbour, type Place, type Standing } from './family.js';
import { GetDifference, GetDifferenceHandler } from './get-difference.js';
import { evenly, timelineRows } from './get-timeline.js';
import { momentOf } from './read-states.js';

type State = Answer<typeof getFamilyState>;
type Timeline = Answer<typeof getFamilyTimeline>;
type Difference = Answer<typeof getFamilyDifference>;

export class GetFamilyState extends Query<State> {
  constructor(
    readonly request: Input<typeof getFamilyState>,
    readonly language: Language,
  ) {
    super();
  }
}

export class GetFamilyTimeline extends Query<Timeline> {
  constructor(
    readonly request: Input<typeof getFamilyTimeline>,
    readonly language: Language,
  ) {
    super();
  }
}

export class GetFamilyDifference extends Query<Difference> {
  constructor(
    readonly request: Input<typeof getFamilyDifference>,
    readonly language: Language,
  ) {
    super();
  }
}

/** A family after a whole command, and the commands beside it (operators §6). */
@QueryHandler(GetFamilyState)
export class GetFamilyStateHandler implements IQueryHandler<GetFamilyState> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly blocks: AccountBlocks,
  ) {}

  async execute({ request: { userId, at, entry }, language }: GetFamilyState): Promise<State> {
    const em = this.em.fork();
    const familyId = await familyIdOf(em, userId);
    await this.blocks.catchUpFamily(familyId);
    const place = entry === undefined ? null : await endOfCommand(em, entry, familyId);
    const ms = at === undefined ? this.clock.now().getTime() : this.clock.endOfWire(at).getTime();
    await requireInDatabase(em, { whose: { familyId }, at: new Date(place?.ms ?? ms) }, this.clock);
    const standings = await standingsAt(em, familyId, place ?? { ms, id: null }, language);
    const here = latest(standings.map(({ last }) => last));
    const previous = latest(
      standings.map(({ last, before }) => (last !== null && last.cmdId === here?.cmdId ? before : last)),
    );
    const next = standings.flatMap(({ after }) => after ?? []).toSorted(inOrder)[0];
    return {
      entryId: here?.id ?? null,
      moment: here ? momentOf(this.clock, here.ms) : null,
      entries: total(standings, 'seq'),
      entriesTotal: total(standings, 'entries'),
      previous: previous?.id ?? null,
      next: next?.id ?? null,
      sum: sumOf(standings),
      members: standings.slice(0, FAMILY_LANES_MAX).map(({ userId: id, name, seq, charNum, voiceNum, imageNum }) => ({
        userId: id,
        name,
        seq,
        charNum,
        voiceNum,
        imageNum,
      })),
    };
  }
}

/** Moments of a timeline times members at most: each is a look-up of its own. */
const LOOKUPS = 10_000;

@QueryHandler(GetFamilyTimeline)
export class GetFamilyTimelineHandler implements IQueryHandler<GetFamilyTimeline> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly blocks: AccountBlocks,
  ) {}

  async execute({ request: { userId, from, to, points }, language }: GetFamilyTimeline): Promise<Timeline> {
    const em = this.em.fork();
    const familyId = await familyIdOf(em, userId);
    await this.blocks.catchUpFamily(familyId);
    await requireInDatabase(em, { whose: { familyId }, at: this.clock.endOfWire(to) }, this.clock);
    const since = await archivedUntil(em, { familyId });
    const members = await standingsAt(em, familyId, { ms: 0, id: null }, language);
    const most = Math.max(2, Math.min(points, Math.floor(LOOKUPS / members.length)));
    const times = evenly({ from, to, points: most, since }, this.clock);
    const lanes: Timeline['members'] = [];
    for (const { userId: member, name } of members.slice(0, FAMILY_LANES_MAX)) {
      const rows = await timelineRows(em, member, times);
      const lane = rows.map(({ seq, char, voice, image }) => ({
        seq,
        charNum: char,
        voiceNum: voice,
        imageNum: image,
      }));
      lanes.push({ userId: member, name, points: lane });
    }
    const sums: Timeline['points'] = [];
    for (const [i, ms] of times.entries()) {
      const all =
        members.length <= FAMILY_LANES_MAX
          ? lanes.map((lane) => lane.points[i] ?? NOTHING)
          : await standingsAt(em, familyId, { ms, id: null }, language);
      sums.push({ at: this.clock.toWire(new Date(ms)), ...all.reduce<Quota>(plus, NOTHING) });
    }
    return { points: sums, members: lanes };
  }
}

const MOVES: readonly string[] = ['DISTRIBUTION', 'RECOVERY'];

@QueryHandler(GetFamilyDifference)
export class GetFamilyDifferenceHandler implements IQueryHandler<GetFamilyDifference> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly blocks: AccountBlocks,
    private readonly differences: GetDifferenceHandler,
  ) {}

  async execute({ request: { userId, from, to }, language }: GetFamilyDifference): Promise<Difference> {
    const em = this.em.fork();
    const familyId = await familyIdOf(em, userId);
    await this.blocks.catchUpFamily(familyId);
    const at = (time: string): Promise<Standing[]> =>
      standingsAt(em, familyId, { ms: this.clock.endOfWire(time).getTime(), id: null }, language);
    for (const time of [from, to])
      await requireInDatabase(em, { whose: { familyId }, at: this.clock.endOfWire(time) }, this.clock);
    const [before, after] = [await at(from), await at(to)];
    const seqBefore = new Map(before.map((standing) => [standing.userId, standing.seq]));
    const members: Difference['members'] = [];
    for (const { userId: member, name, seq } of after) {
      if (seqBefore.get(member) === seq) continue;
      const { parts } = await this.differences.execute(new GetDifference({ userId: member, from, to }, language));
      const own = parts.filter(({ type }) => !MOVES.includes(type)).reduce<Quota>(plus, NOTHING);
      if (own.charNum !== 0 || own.voiceNum !== 0 || own.imageNum !== 0) members.push({ userId: member, name, ...own });
    }
    return { from: sumOf(before), to: sumOf(after), members };
  }
}

const NOTHING: Quota = { charNum: 0, voiceNum: 0, imageNum: 0 };
const plus = (a: Quota, b: Quota): Quota => ({
  charNum: a.charNum + b.charNum,
  voiceNum: a.voiceNum + b.voiceNum,
  imageNum: a.imageNum + b.imageNum,
});
const sumOf = (standings: readonly Standing[]): Quota => standings.reduce<Quota>(plus, NOTHING);
const total = (standings: readonly Standing[], what: 'seq' | 'entries'): number =>
  standings.reduce((sum, standing) => sum + standing[what], 0);

const inOrder = (a: Place, b: Place): number => a.ms - b.ms || a.id - b.id;
const latest = (places: readonly (Neighbour | null)[]): Neighbour | undefined =>
  places
    .filter((place) => place !== null)
    .toSorted(inOrder)
    .at(-1);

/** The last entry of the command of an entry of the family. Throws NOT_FOUND for entries of others. */
async function endOfCommand(em: EntityManager, entryId: number, familyId: number): Promise<Place> {
  const [row] = await em.execute<Place[]>(END_OF_COMMAND, [entryId, familyId]);
  if (!row) throw new Refusal('NOT_FOUND');
  return { ms: row.ms, id: Number(row.id) };
}

const END_OF_COMMAND = `
SELECT o.id, (date_part('epoch', o.created_at) * 1000)::bigint AS ms
FROM account_log e JOIN account_log o ON o.cmd_id = e.cmd_id AND o.family_id = e.family_id
WHERE e.id = ? AND e.family_id = ? ORDER BY o.created_at DESC, o.id DESC LIMIT 1`;
