import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock, settled } from '../../../test/support/fake-clock.js';
import { accountAt } from '../../../test/support/vendor-accounts.js';
import { VendorFailure, type VendorFailureKind } from '../channels/vendor-failure.js';
import { MediaUpstreams } from './media-upstreams.js';

/** What an account does with a request: fail, respond, or hang until it is aborted. */
type Deed = VendorFailureKind | VendorFailure | 'ok' | 'hang';
type Client = { readonly name: string; readonly asked: number[]; deeds: Deed[]; always: Deed };

const RULES = { name: 'hearing', inFlight: 2, requestMs: 20_000 };

let clock: FakeClock;
Logger.overrideLogger(false);
beforeEach(() => {
  clock = new FakeClock();
});

const client = (name: string, always: Deed = 'ok', ...deeds: Deed[]): Client => ({ name, asked: [], deeds, always });

const callsTo = (...clients: readonly Client[]): MediaUpstreams<Client> =>
  new MediaUpstreams(
    clients.map((each) => ({
      account: accountAt('chatgpt', { name: each.name, baseUrl: 'http://127.0.0.1:1' }),
      client: each,
    })),
    RULES,
    { time: clock },
  );

async function work(one: Client, signal: AbortSignal): Promise<string> {
  one.asked.push(clock.now());
  const deed = one.deeds.shift() ?? one.always;
  if (deed === 'hang')
    await new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new VendorFailure('timeout', 'given up'))),
    );
  if (deed instanceof VendorFailure) throw deed;
  if (deed !== 'ok' && deed !== 'hang') throw new VendorFailure(deed, 'scripted');
  return one.name;
}

const kindOf = (error: unknown): string => (error instanceof VendorFailure ? error.kind : 'another error');

/** The outcome of a request with this much time; runs the clock until it ends. */
async function asked(
  calls: MediaUpstreams<Client>,
  ms = 45_000,
  signal = new AbortController().signal,
): Promise<string> {
  let said: string | null = null;
  const over = calls
    .ask({ family: 1, signal, deadline: clock.now() + ms, work })
    .then(({ value }) => value)
    .catch(kindOf)
    .then((what) => (said = what));
  await settled();
  for (let step = 0; said === null && step < 1_000; step++) await clock.pass(100);
  return over;
}

describe('an account', () => {
  it('is retried after a transient failure, twice at most', async () => {
    const one = client('one', 'ok', 'transient', 'timeout');
    expect(await asked(callsTo(one))).toBe('one');
    expect(one.asked).toHaveLength(3);
    const other = client('other', 'transient');
    expect(await asked(callsTo(other))).toBe('transient');
    expect(other.asked).toHaveLength(3);
  });

  it.each(['auth', 'quota', 'bad-answer', 'bad-request'] as const)('is not retried: %s', async (kind) => {
    const one = client('one', kind);
    expect(await asked(callsTo(one))).toBe(kind);
    expect(one.asked).toHaveLength(1);
  });

  it('gets the pause it asks for, if there is time', async () => {
    const wait = new VendorFailure('rate', 'slower', 4_000);
    const patient = client('one', 'ok', wait);
    expect(await asked(callsTo(patient))).toBe('one');
    expect((patient.asked[1] ?? 0) - (patient.asked[0] ?? 0)).toBeGreaterThanOrEqual(4_000);
    const hurried = client('two', 'ok', wait);
    expect(await asked(callsTo(hurried), 4_000)).toBe('rate');
    expect(hurried.asked).toHaveLength(1);
  });

  it('fails over when it hangs, within the time of one request', async () => {
    const [one, two] = [client('one', 'hang'), client('two')];
    const calls = callsTo(one, two);
    const began = clock.now();
    const first = await asked(calls);
    const second = await asked(calls);
    expect([first, second]).toEqual(['two', 'two']);
    expect(one.asked.length).toBeGreaterThan(0);
    expect(clock.now() - began).toBeLessThanOrEqual(2 * RULES.requestMs + 1_000);
  });

  it('is not called when no time is left', async () => {
    const one = client('one');
    expect(await asked(callsTo(one), 400)).toBe('rate');
    expect(one.asked).toEqual([]);
  });

  it('handles a limited number of calls at once, and queues the others', async () => {
    const one = client('one', 'hang');
    const calls = callsTo(one);
    const given = Array.from({ length: 3 }, () => new AbortController());
    const all = given.map(({ signal }) => asked(calls, 15_000, signal));
    await settled();
    expect(one.asked).toHaveLength(RULES.inFlight);
    one.always = 'ok';
    given[0]?.abort();
    await Promise.all(all.slice(0, 1));
    expect(await all[2]).toBe('one');
    given[1]?.abort();
    await all[1];
  });
});

describe('several accounts', () => {
  it('share the load, and fail over to each other', async () => {
    const [one, two] = [client('one'), client('two')];
    const calls = callsTo(one, two);
    for (let n = 0; n < 10; n++) await asked(calls);
    expect([one.asked.length, two.asked.length]).toEqual([5, 5]);
    one.always = 'auth';
    for (let n = 0; n < 6; n++) expect(await asked(calls)).toBe('two');
    // A failure of the account itself opens its breaker, so that not every request meets it.
    expect(one.asked.length).toBeLessThan(5 + 6);
  });

  it.each(['blocked', 'too-long'] as const)('are not tried after a final error: %s', async (kind) => {
    const [one, two] = [client('one', kind), client('two', kind)];
    expect(await asked(callsTo(one, two))).toBe(kind);
    expect(one.asked.length + two.asked.length).toBe(1);
  });

  it('report the first failure, unless that was only a missing capability', async () => {
    expect(await asked(callsTo(client('one', 'quota'), client('two', 'auth')))).toMatch(/^(quota|auth)$/);
    expect(await asked(callsTo(client('one', 'unsupported'), client('two', 'quota')))).toBe('quota');
  });
});

describe('a missing capability', () => {
  it('is not requested for ten minutes, and then tried again', async () => {
    const one = client('one', 'ok', 'unsupported');
    const calls = callsTo(one);
    expect(calls.isOffered).toBe(true);
    expect(await asked(calls)).toBe('unsupported');
    expect(calls.isOffered).toBe(false);
    expect(await asked(calls)).toBe('unsupported');
    expect(one.asked).toHaveLength(1);
    await clock.pass(10 * 60_000);
    expect(calls.isOffered).toBe(true);
    expect(await asked(calls)).toBe('one');
  });

  it('may exist on another account', async () => {
    const [one, two] = [client('one', 'unsupported'), client('two')];
    const calls = callsTo(one, two);
    for (let n = 0; n < 4; n++) expect(await asked(calls)).toBe('two');
    expect(one.asked.length).toBeLessThanOrEqual(1);
    expect(calls.isOffered).toBe(true);
  });

  it('is reported without any account', async () => {
    const calls = callsTo();
    expect(calls.isOffered).toBe(false);
    expect(await asked(calls)).toBe('unsupported');
  });
});

it('cancels requests without callers, at no cost to the account', async () => {
  const one = client('one', 'ok', 'hang', 'hang', 'hang', 'hang', 'hang', 'hang');
  const calls = callsTo(one);
  for (let n = 0; n < 6; n++) {
    const leaving = new AbortController();
    const outcome = asked(calls, 45_000, leaving.signal);
    await settled();
    leaving.abort();
    expect(await outcome).toBe('timeout');
  }
  expect(await asked(calls)).toBe('one');
  expect(clock.set).toBe(0);
});

it('fails a late request at its deadline, and gives its slot to the next', async () => {
  const slow = client('a', 'ok', 'hang', 'hang');
  const calls = callsTo(slow);
  // Both slots are taken by requests with five of twenty seconds left.
  const late = [1, 2].map(() =>
    calls.ask({ family: 1, signal: new AbortController().signal, deadline: clock.now() + 5_000, work }).catch(kindOf),
  );
  await settled();
  await clock.pass(5_000);
  expect(await Promise.all(late)).toEqual(['timeout', 'timeout']);
  expect(await asked(calls, 1_000)).toBe('a');
});

it('reports unexpected errors as transient failures', async () => {
  const calls = callsTo(client('one'));
  const broken = (): Promise<string> => Promise.reject(new TypeError('of ours'));
  const call = { family: 1, signal: new AbortController().signal, deadline: clock.now() + 600, work: broken };
  await expect(calls.ask(call)).rejects.toMatchObject({ name: 'VendorFailure', kind: 'transient' });
});
