import { describe, expect, it } from '@jest/globals';
import { addressOf, limitOf, replayed, startOf, type ReplayAction, type ReplayState } from './replay-store.js';
import { axisOf, lifeOf, percent, wall, windowAround, wire } from './window.js';

const DAY = 86_400_000;
const noon = wall('2026-11-17 12:00:00');
const life = { from: noon - 300 * DAY, to: noon + DAY };
const start = (query = ''): ReplayState => startOf(new URLSearchParams(query));
const after = (state: ReplayState, ...actions: ReplayAction[]): ReplayState => actions.reduce(replayed, state);
const opened = (query = ''): ReplayState =>
  after(
    start(query),
    { do: 'lived', life, entries: 1_000, archived: 0 },
    { do: 'arrived', seq: Number(new URLSearchParams(query).get('seq') ?? 900), moment: noon },
  );

describe('the window', () => {
  it('stands still while the moment is inside of it, and follows when it leaves', () => {
    const state = opened();
    expect(state.window).not.toBeNull();
    const inside = after(state, { do: 'went', seq: 901 }, { do: 'arrived', seq: 901, moment: noon + DAY });
    expect(inside.window).toBe(state.window);
    const outside = after(inside, { do: 'went', seq: 1 }, { do: 'arrived', seq: 1, moment: noon - 200 * DAY });
    expect(outside.window?.to).toBeLessThan(noon);
  });

  it('is the whole life at the widest zoom, and zooms by steps', () => {
    const state = after(opened('zoom=month'), { do: 'zoomedBy', by: 1 });
    expect([state.zoom, state.window]).toEqual(['all', life]);
    expect(after(state, { do: 'zoomedBy', by: 1 }).zoom).toBe('all');
    expect(after(opened('zoom=hour'), { do: 'zoomedBy', by: -1 }).zoom).toBe('hour');
  });

  it('ends with the newest entry: nothing is known of what comes after it', () => {
    const window = windowAround(life.to - 1_000, { zoom: 'week', life, before: null });
    expect(window).toEqual({ from: life.to - 7 * DAY, to: life.to });
  });

  it('begins where the archive ends', () => {
    const state = after(opened(), { do: 'lived', life, entries: 1_000, archived: 512 });
    expect([after(state, { do: 'went', seq: 1 }).seq, after(state, { do: 'went', seq: 600 }).seq]).toEqual([512, 600]);
    expect(after(start('seq=7'), { do: 'lived', life, entries: 1_000, archived: 512 }).seq).toBe(512);
  });

  it('holds more of the past than of the future', () => {
    const window = windowAround(noon, { zoom: 'day', life, before: null });
    expect(percent(noon, window)).toBeGreaterThan(60);
    expect(window.to - window.from).toBe(DAY);
  });
});

describe('steps', () => {
  it('end at the first moment and at the last entry, where playing stops', () => {
    expect(after(opened(), { do: 'stepped', by: 500 }).seq).toBe(1_000);
    expect(after(opened(), { do: 'stepped', by: -5_000 }).seq).toBe(0);
    const playing = after(opened('seq=999'), { do: 'played', playing: true });
    expect(playing.playing).toBe(true);
    expect(after(playing, { do: 'stepped', by: 1 }).playing).toBe(false);
  });

  it('stop before a break, until somebody chose to look beyond it', () => {
    const broken = after(opened(), { do: 'broke', seq: 600 });
    expect([broken.seq, limitOf(broken)]).toEqual([599, 599]);
    expect(after(broken, { do: 'stepped', by: 1 }).seq).toBe(599);
    expect(after(broken, { do: 'lookedBeyond' }, { do: 'stepped', by: 1 }).seq).toBe(600);
  });

  it('ignore an answer for an entry that was left meanwhile', () => {
    const state = after(opened(), { do: 'went', seq: 5 }, { do: 'arrived', seq: 900, moment: noon });
    expect(state.seq).toBe(5);
  });
});

describe('the address', () => {
  it('holds the moment, the zoom and both marks, and opens them again', () => {
    const state = after(opened('seq=7&zoom=day'), { do: 'marked', which: 'a', at: '2026-11-17 12:00:00' });
    const query = addressOf(state);
    expect(Object.fromEntries(query)).toEqual({ seq: '7', zoom: 'day', a: '2026-11-17 12:00:00' });
    expect(startOf(query)).toMatchObject({ seq: 7, zoom: 'day', a: '2026-11-17 12:00:00' });
    expect(start('seq=x&zoom=year')).toMatchObject({ seq: null, zoom: 'week' });
  });
});

describe('an axis', () => {
  it('has round times, from seconds to years', () => {
    const labels = (from: string, to: string): string[] =>
      axisOf({ from: wall(from), to: wall(to) }).map(({ label }) => label);
    expect(labels('2026-11-12 12:00:00', '2026-11-15 12:00:00')).toContain('11-13');
    expect(labels('2026-11-12 12:00:00', '2026-11-12 13:00:00')).toContain('12:30');
    expect(labels('2025-03-18 00:00:00', '2026-11-20 00:00:00')).toContain('2026-01');
    expect(labels('2026-11-12 12:00:00', '2026-11-12 12:00:20')).toEqual([
      '12:00:00',
      '12:00:05',
      '12:00:10',
      '12:00:15',
      '12:00:20',
    ]);
  });

  it('reads and writes the times of the wire', () => {
    expect(wire(wall('2026-11-17 21:17:04.962'))).toBe('2026-11-17 21:17:04');
    const { from, to } = lifeOf('2026-11-17 21:17:04.962', '2026-11-17 21:17:04.962');
    expect(to - from).toBeGreaterThanOrEqual(60_000);
  });
});
