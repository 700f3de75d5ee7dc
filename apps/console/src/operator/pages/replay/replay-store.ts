/** The one store of the time machine: overview, lanes, slider and events all show its moment and its window. */
import { usualZoom, windowAround, type Span, type Zoom, ZOOMS } from './window.js';

export type Scope = 'account' | 'family';
export const SPEEDS = ['entry', 'minute', 'hour'] as const;
export type Speed = (typeof SPEEDS)[number];

export type ReplayState = {
  /** The entry that is shown; null until the first answer. */
  seq: number | null;
  /** Its time; null before the first entry. */
  moment: number | null;
  scope: Scope;
  /** Null until one is chosen: a week, or the whole life of a young account. */
  chosen: Zoom | null;
  zoom: Zoom;
  window: Span | null;
  life: Span | null;
  /** The oldest entry that may be shown, the last one of the archive; 0: the moment before the first. */
  begin: number;
  /** The last entry that may be shown: the newest, or the one before a broken link. */
  last: number;
  brokenAt: number | null;
  /** Whether the operator chose to see what lies after a broken link. */
  beyond: boolean;
  playing: boolean;
  speed: Speed;
  a: string | null;
  b: string | null;
};

export type ReplayAction =
  | { do: 'arrived'; seq: number; moment: number | null }
  | { do: 'went'; seq: number }
  | { do: 'stepped'; by: number }
  | { do: 'lived'; life: Span; entries: number; archived: number }
  | { do: 'zoomed'; zoom: Zoom }
  | { do: 'zoomedBy'; by: 1 | -1 }
  | { do: 'broke'; seq: number }
  | { do: 'lookedBeyond' }
  | { do: 'played'; playing: boolean }
  | { do: 'paced'; speed: Speed }
  | { do: 'marked'; which: 'a' | 'b'; at: string };

export const startOf = (query: URLSearchParams): ReplayState => {
  const chosen = ZOOMS.find((each) => each === query.get('zoom')) ?? null;
  const seq = /^\d{1,15}$/.test(query.get('seq') ?? '') ? Number(query.get('seq')) : null;
  return {
    seq,
    moment: null,
    scope: query.get('scope') === 'family' ? 'family' : 'account',
    chosen,
    zoom: chosen ?? 'week',
    window: null,
    life: null,
    begin: 0,
    last: Number.MAX_SAFE_INTEGER,
    brokenAt: null,
    beyond: false,
    playing: false,
    speed: 'entry',
    a: query.get('a'),
    b: query.get('b'),
  };
};

/** The newest entry that may be shown. */
export const limitOf = ({ last, brokenAt, beyond }: ReplayState): number =>
  brokenAt === null || beyond ? last : Math.min(last, brokenAt - 1);

const within = (state: ReplayState, seq: number): number => Math.max(state.begin, Math.min(seq, limitOf(state)));

const windowOf = (state: ReplayState): Span | null =>
  state.life &&
  windowAround(state.moment ?? state.life.from, { zoom: state.zoom, life: state.life, before: state.window });

export function replayed(state: ReplayState, action: ReplayAction): ReplayState {
  switch (action.do) {
    case 'arrived': {
      // An answer for an entry that has been left meanwhile says nothing about the one that is shown.
      if (state.seq !== null && action.seq !== state.seq) return state;
      if (action.seq > limitOf(state)) return { ...state, seq: limitOf(state) };
      const next = { ...state, seq: action.seq, moment: action.moment };
      return { ...next, window: windowOf(next) };
    }
    case 'went': {
      const seq = within(state, action.seq);
      return { ...state, seq, playing: state.playing && seq < limitOf(state) };
    }
    case 'stepped':
      return state.seq === null ? state : replayed(state, { do: 'went', seq: state.seq + action.by });
    case 'lived': {
      const zoom = state.chosen ?? usualZoom(action.life);
      const next = { ...state, life: action.life, last: action.entries, begin: action.archived, zoom };
      const seq = next.seq === null ? null : within(next, next.seq);
      return { ...next, seq, window: windowOf(next) };
    }
    case 'zoomed': {
      const next = { ...state, chosen: action.zoom, zoom: action.zoom, window: null };
      return { ...next, window: windowOf(next) };
    }
    case 'zoomedBy': {
      const zoom = ZOOMS[ZOOMS.indexOf(state.zoom) + action.by];
      return zoom ? replayed(state, { do: 'zoomed', zoom }) : state;
    }
    case 'broke': {
      const next = { ...state, brokenAt: action.seq };
      return { ...next, seq: next.seq === null ? null : within(next, next.seq), playing: false };
    }
    case 'lookedBeyond':
      return { ...state, beyond: true };
    case 'played':
      return { ...state, playing: action.playing && state.seq !== null && state.seq < limitOf(state) };
    case 'paced':
      return { ...state, speed: action.speed };
    case 'marked':
      return { ...state, [action.which]: action.at };
  }
}

/** What the address holds: a link to a moment is an argument. */
export function addressOf({ seq, scope, chosen, a, b }: ReplayState): URLSearchParams {
  const query = new URLSearchParams();
  if (seq !== null) query.set('seq', String(seq));
  if (scope === 'family') query.set('scope', scope);
  if (chosen !== null) query.set('zoom', chosen);
  if (a !== null) query.set('a', a);
  if (b !== null) query.set('b', b);
  return query;
}
