/** What the time machine of one account shows: its store, and the answers for the moment and the window of the store. */
import { getAccountState, getTimeline, listEntries } from '@yiqiao/contracts/operator/accounts';
import type { Response } from '@yiqiao/contracts/endpoint';
import { createContext, useContext, useEffect, useMemo, useReducer, useState, type Dispatch } from 'react';
import { useSearchParams } from 'react-router';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { useRestingAddress } from '../../shared/resting-address.js';
import { addressOf, replayed, startOf, type ReplayAction, type ReplayState } from './replay-store.js';
import { changesOfEntries, changesOfPoints, type Change } from './changes.js';
import { useProofs, type Account, type Proven } from './proofs.js';
import { seqAtTime, type EntryRow, type Sample } from './steps.js';
import { lifeOf, wall, wire, type Span } from './window.js';

export type AccountAt = Response<typeof getAccountState>;
type Points = Response<typeof getTimeline>['points'];

/** Entries that are drawn one by one; more are drawn as a timeline. */
const SINGLE_MOST = 500;
const POINTS = 300;
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

export type Tick = { at: number; change: number; kind: 'use' | 'recharge' | 'move' | 'hand'; seq: number };
type Lane = Record<'charNum' | 'voiceNum' | 'imageNum', Sample[]>;
export type Picture = { exact: boolean; lanes: Lane; ticks: Tick[]; rows: EntryRow[]; changes: Change[] };

export type Replay = {
  account: Account;
  state: ReplayState;
  dispatch: Dispatch<ReplayAction>;
  /** The account at the moment; while the next answer is on its way, the one before. */
  now: AccountAt | undefined;
  failed: { error: unknown; again: () => void } | null;
  lifePoints: Sample[];
  /** What raised a quantity, oldest first: recharges, and expiries for the times without one. */
  rises: EntryRow[];
  hands: EntryRow[];
  picture: Picture | undefined;
  proof: Proven | undefined;
};

export const ReplayContext = createContext<Replay | null>(null);

export function useReplay(): Replay {
  const replay = useContext(ReplayContext);
  if (!replay) throw new Error('no time machine around');
  return replay;
}

/** The last answer there was: the picture must not blink while the next one is on its way. */
export function useKept<T>(value: T | undefined): T | undefined {
  const [kept, keep] = useState(value);
  if (value !== undefined && value !== kept) keep(value);
  return value ?? kept;
}

export function useReplayOf(account: Account): Replay {
  const [query, setQuery] = useSearchParams();
  const [state, dispatch] = useReducer(replayed, query, startOf);
  const userId = String(account.userId);
  const asked = state.seq === null && query.get('at') ? { userId, at: query.get('at') ?? '' } : { userId };
  const current = useEndpoint(
    getAccountState,
    state.seq === null ? asked : { userId, seq: String(state.seq) },
    state.seq === null ? {} : FOREVER,
  );
  const now = useKept(current.data);
  const { first, last, entries, archived } = account;
  useEffect(() => {
    if (first !== null && last !== null) dispatch({ do: 'lived', life: lifeOf(first, last), entries, archived });
  }, [first, last, entries, archived]);
  const answer = current.data;
  useEffect(() => {
    if (answer)
      dispatch({ do: 'arrived', seq: answer.seq, moment: answer.moment === null ? null : wall(answer.moment) });
  }, [answer]);

  const proofs = useProofs(useMemo(() => [account], [account]));
  const proof = proofs?.[0];
  const brokenAt = proof?.firstBreak?.seq;
  useEffect(() => {
    if (brokenAt !== undefined) dispatch({ do: 'broke', seq: brokenAt });
  }, [brokenAt]);

  // A link to a moment is an argument, and stepping is not a journey.
  useRestingAddress(state.seq === null || state.playing ? null : String(addressOf(state)), setQuery);
  const life = usePoints(userId, state.life);
  const rises = useEndpoint(listEntries, { userId, only: 'in', limit: '500' }).data?.rows;
  const hands = useEndpoint(listEntries, { userId, only: 'operator', limit: '200' }).data?.rows;
  return {
    account,
    state,
    dispatch,
    now,
    failed: current.isError ? { error: current.error, again: () => void current.refetch() } : null,
    lifePoints: useMemo(() => samplesOf(life, state.life).charNum, [life, state.life]),
    rises: useMemo(() => (rises ?? []).toReversed(), [rises]),
    hands: useMemo(() => (hands ?? []).toReversed(), [hands]),
    picture: usePicture(userId, state.window),
    proof,
  };
}

function usePoints(userId: string, span: Span | null): Points | undefined {
  const request = { userId, from: wire(span?.from ?? 0), to: wire(span?.to ?? 0), points: String(POINTS) };
  return useEndpoint(getTimeline, request, { ...FOREVER, enabled: span !== null }).data?.points;
}

function usePicture(userId: string, window: Span | null): Picture | undefined {
  const points = usePoints(userId, window);
  const from = points?.[0]?.seq ?? 0;
  const to = points?.at(-1)?.seq ?? 0;
  const few = points !== undefined && to > from && to - from <= SINGLE_MOST;
  const request = { userId, fromSeq: String(from + 1), toSeq: String(to), limit: String(SINGLE_MOST) };
  const rows = useEndpoint(listEntries, request, { ...FOREVER, enabled: few }).data?.rows;
  const picture = useMemo(() => {
    if (!points || !window) return undefined;
    const coarse = samplesOf(points, window);
    if (to === from) return { exact: true, lanes: coarse, ticks: [], rows: [], changes: [] };
    if (!few || !rows)
      return {
        exact: false,
        lanes: coarse,
        ticks: coarseTicks(points, coarse.charNum),
        rows: [],
        changes: changesOfPoints(points, coarse.charNum),
      };
    const oldest = rows.toReversed();
    const lane = (what: keyof Lane, last: 'lastCharNum' | 'lastVoiceNum' | 'lastImageNum'): Sample[] => [
      ...coarse[what].slice(0, 1).map((sample) => ({ at: window.from, seq: sample.seq, value: sample.value })),
      ...oldest.map((row) => ({ at: wall(row.moment), seq: row.seq, value: row[last] })),
    ];
    const lanes = {
      charNum: lane('charNum', 'lastCharNum'),
      voiceNum: lane('voiceNum', 'lastVoiceNum'),
      imageNum: lane('imageNum', 'lastImageNum'),
    };
    return { exact: true, lanes, ticks: oldest.map(tickOf), rows: oldest, changes: changesOfEntries(oldest, window) };
  }, [points, window, few, rows, from, to]);
  return useKept(picture);
}

/** The times at which the server reads a timeline. */
const timeOf = (i: number, { from, to }: Span): number => from + 999 + Math.round(((to - from) * i) / (POINTS - 1));

const samplesOf = (points: Points | undefined, span: Span | null): Lane => {
  const of = (what: keyof Lane): Sample[] =>
    !points || !span
      ? []
      : points.map((point, i) => ({
          at: timeOf(i, span),
          seq: point.seq,
          value: point[what],
          min: point.min[what],
          max: point.max[what],
        }));
  return { charNum: of('charNum'), voiceNum: of('voiceNum'), imageNum: of('imageNum') };
};

const isMove = (type: string): boolean => type === 'DISTRIBUTION' || type === 'RECOVERY';

const tickOf = (row: EntryRow): Tick => ({
  at: wall(row.moment),
  change: row.charChangeNum || row.voiceChangeNum || row.imageChangeNum,
  kind:
    row.hand === 'operator'
      ? 'hand'
      : row.logType === 'RECHARGE_ORDER_BY_MEMBER_GROUP'
        ? 'recharge'
        : isMove(row.logType)
          ? 'move'
          : 'use',
  seq: row.seq,
});

const coarseTicks = (points: Points, samples: readonly Sample[]): Tick[] =>
  points.flatMap((point, i): Tick[] => {
    const types = Object.keys(point.entries);
    const [sample, before] = [samples[i], samples[i - 1]];
    if (!sample || !before || types.length === 0) return [];
    const kind = types.includes('RECHARGE_ORDER_BY_MEMBER_GROUP') ? 'recharge' : types.some(isMove) ? 'move' : 'use';
    return [{ at: sample.at, change: sample.value - before.value, kind, seq: point.seq }];
  });

/** The entry at a time of the window. */
export const entryAt = (picture: Picture | undefined, at: number): number | null =>
  picture ? seqAtTime(picture.lanes.charNum, at) : null;
