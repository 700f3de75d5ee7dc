import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DayCap, type DayStore } from './day-cap.js';

/** What all processes have taken, by day. */
class Store implements DayStore {
  readonly chars = new Map<string, number>();
  isAway = false;
  asked = 0;

  take(day: string, chars: number, cap: number): Promise<number | null> {
    this.asked++;
    if (this.isAway) return Promise.reject(new Error('no database'));
    const sum = (this.chars.get(day) ?? 0) + chars;
    if (sum > cap) return Promise.resolve(null);
    this.chars.set(day, sum);
    return Promise.resolve(cap - sum);
  }

  add(day: string, chars: number): Promise<void> {
    if (this.isAway) return Promise.reject(new Error('no database'));
    this.chars.set(day, Math.max(0, (this.chars.get(day) ?? 0) + chars));
    return Promise.resolve();
  }
}

function world(cap: number) {
  const store = new Store();
  const clock = { today: 'monday', now: 0 };
  const open = (units = cap): DayCap =>
    new DayCap(units, { today: () => clock.today, now: () => clock.now, store: () => store });
  return { store, clock, open };
}

describe("a day's cap", () => {
  it('is never exceeded by any process, in any order, and all of it can be used', async () => {
    const step = fc.record({
      by: fc.nat(2),
      do: fc.constantFrom('use', 'use', 'use', 'beat', 'kill'),
      n: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 120, size: 'max' }), async (steps) => {
        const cap = 1_000;
        const { store, clock, open } = world(cap);
        const processes = [open(), open(), open()];
        let used = 0;
        let killed = 0;
        for (const { by, do: what, n } of steps) {
          clock.now += 100;
          const each = processes[by] as DayCap;
          if (what === 'beat') await each.beat();
          else if (what === 'kill') {
            killed++;
            processes[by] = open();
          } else if (await each.take(n)) used += n;
          expect(used).toBeLessThanOrEqual(store.chars.get('monday') ?? 0);
          expect(store.chars.get('monday') ?? 0).toBeLessThanOrEqual(cap);
        }
        // Idle processes give back what they took ahead.
        for (const each of processes) for (let n = 0; n < 3; n++) await each.beat();
        clock.now += 5_000;
        const left = cap - (store.chars.get('monday') ?? 0);
        if (killed === 0) expect(left).toBe(cap - used);
        expect(left).toBeGreaterThanOrEqual(cap - used - Math.ceil((killed * cap) / 16));
        expect(await (processes[0] as DayCap).take(left + 1)).toBe(false);
        clock.now += 5_000;
        if (left > 0) expect(await (processes[0] as DayCap).take(left)).toBe(true);
      }),
    );
  });

  it('survives a restart of every process', async () => {
    const { open } = world(100);
    expect(await open().take(70)).toBe(true);
    expect(await open().take(31)).toBe(false);
    const last = open();
    expect(await last.take(30)).toBe(true);
    expect(last.left).toBe(0);
  });

  it('asks the store once for many requests of a busy process', async () => {
    const { store, open } = world(1_000_000);
    const day = open();
    for (let second = 0; second < 10; second++) {
      for (let n = 0; n < 50; n++) expect(await day.take(40)).toBe(true);
      await day.beat();
    }
    expect(store.asked).toBeLessThan(80);
  });

  it('begins anew the next day, and keeps nothing of the last', async () => {
    const { store, clock, open } = world(100);
    const day = open();
    expect(await day.take(100)).toBe(true);
    expect(day.fits(1)).toBe(true);
    expect(await day.take(1)).toBe(false);
    expect(day.fits(1)).toBe(false);
    clock.today = 'tuesday';
    expect(day.left).toBe(100);
    expect(await day.take(60)).toBe(true);
    expect(store.chars).toEqual(
      new Map([
        ['monday', 100],
        ['tuesday', 60],
      ]),
    );
  });

  it('counts what was used before there was a cap, once there is one', async () => {
    const { store, open } = world(100);
    const day = open(Number.POSITIVE_INFINITY);
    expect(day.takeNow(80)).toBe(true);
    expect([day.left, store.asked]).toEqual([null, 0]);
    day.change(100);
    expect(await day.take(21)).toBe(false);
    expect(store.chars.get('monday')).toBe(80);
    expect(await day.take(20)).toBe(true);
  });

  it('lets nothing through without the database, and goes on when it is back', async () => {
    const { store, clock, open } = world(100);
    const day = open();
    store.isAway = true;
    expect(await day.take(1)).toBe(false);
    store.isAway = false;
    clock.now += 1_000;
    expect(await day.take(1)).toBe(true);
  });
});
