/** The figures of the public status page: half hours of real requests, copied from Redis to the database. */
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listChannelHistory } from '@yiqiao/contracts/channel-traffic';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { CHANNEL_HISTORY_DAYS, CHANNEL_INCIDENTS, DAY_MS } from '@yiqiao/domain/limits';
import { Clock } from '../src/platform/clock.js';
import { RecordTraffic } from '../src/translation/channel-history.js';
import { Traffic } from '../src/translation/routing/traffic.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';

const OFFLINE = CHANNELS.offline.id;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** In place of the current time, once a test has set it. */
let now: number | null = null;

/** The day after tomorrow: Redis shows none of the real requests then. */
const laterAt = (time: string): number => {
  const clock = api.app.get(Clock);
  return clock.fromWire(`${clock.day(new Date(Date.now() + 2 * DAY_MS))} ${time}`).getTime();
};
const setTime = (time: number): void => {
  now = time;
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => new Date(now ?? Date.now()));
};
const MINUTE_MS = 60_000;

const today = (): string => api.app.get(Clock).day(new Date(now ?? Date.now()));
const traffic = (): Traffic => api.app.get(Traffic, { strict: false });
const record = async (): Promise<void> => {
  await traffic().flush();
  await api.app.get(CommandBus).execute(new RecordTraffic());
};
const note = async (answered: number, failed: number): Promise<void> => {
  for (let n = 0; n < answered; n++) traffic().note(OFFLINE, { ok: true, ms: 40 });
  for (let n = 0; n < failed; n++) traffic().note(OFFLINE, { ok: false, ms: 40 });
  await record();
};
/** What a visitor is shown a minute later. */
const offline = async () => {
  setTime((now ?? Date.now()) + MINUTE_MS);
  const { updateDateTime, channels } = await new TestClient(api.url).call(listChannelHistory, {});
  expect(updateDateTime).toBe(api.app.get(Clock).toWire(new Date(now ?? 0)));
  // The only channel that needs no vendor; unavailable ones are not listed.
  expect(channels.map(({ id }) => id)).toEqual([OFFLINE]);
  return channels[0]!;
};

it('counts the requests of members', async () => {
  const main = await makeMain(api);
  await main.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发', channelId: OFFLINE });
  await record();
  const { rows } = await api.db.query('SELECT tran_channel_id, requests, failed FROM channel_traffic');
  expect(rows).toEqual([{ tran_channel_id: OFFLINE, requests: 1, failed: 0 }]);
  expect(await offline()).toMatchObject({ requests: 1, successShare: null, medianMs: null, incidents: [] });
  await api.db.query('DELETE FROM channel_traffic');
});

it('has an entry for each day before there is any traffic', async () => {
  setTime(laterAt('12:00:00'));
  await record();
  const channel = await offline();
  expect(channel).toMatchObject({ requests: 0, successShare: null, medianMs: null, p95Ms: null, incidents: [] });
  expect(channel.days).toHaveLength(CHANNEL_HISTORY_DAYS);
  expect(channel.days.at(-1)).toEqual({ date: today(), requests: 0, successShare: null });
});

it('counts a request once however often it is recorded, and reads no more than once a minute', async () => {
  await note(19, 1);
  await record();
  const good = await offline();
  expect(good).toMatchObject({ requests: 20, successShare: 0.95, incidents: [] });
  expect(good.days.at(-1)).toMatchObject({ requests: 20, successShare: 0.95 });
  expect(good.medianMs).toBeGreaterThan(20);
  expect(good.p95Ms).toBeGreaterThanOrEqual(good.medianMs ?? 0);
  await note(80, 0);
  const read = api.app.get(Clock).toWire(new Date(now ?? 0));
  setTime((now ?? 0) + MINUTE_MS / 2);
  const same = await new TestClient(api.url).call(listChannelHistory, {});
  expect(same.channels[0]?.requests).toBe(20);
  expect(same.updateDateTime).toBe(read);
  expect((await offline()).requests).toBe(100);
});

it('keeps what Redis loses', async () => {
  const { rows } = await api.db.query(`SELECT requests FROM channel_traffic`);
  expect(rows).toEqual([{ requests: 100 }]);
  jest.spyOn(traffic(), 'halfHours').mockResolvedValueOnce([
    {
      channelId: OFFLINE,
      beginsAt: new Date(laterAt('12:00:00')),
      counts: { failed: 3, classes: [] },
    },
    // Redis may know a channel that this database does not.
    { channelId: 9_999, beginsAt: new Date(laterAt('12:00:00')), counts: { failed: 3, classes: [] } },
  ]);
  await record();
  expect((await offline()).requests).toBe(100);
});

it('joins bad half hours that follow one another into one incident', async () => {
  setTime(laterAt('14:00:00'));
  await note(17, 3);
  setTime(laterAt('14:30:00'));
  await note(3, 17);
  setTime(laterAt('15:00:00'));
  await note(9, 1); // exactly 90 %
  setTime(laterAt('16:00:00'));
  await note(0, 4); // too few
  setTime(laterAt('17:00:00'));
  await note(4, 4);
  setTime(laterAt('17:09:00'));
  const { incidents } = await offline();
  expect(incidents).toEqual([
    { beginDateTime: `${today()} 17:00:00`, minutes: 10, successShare: 0.5 },
    { beginDateTime: `${today()} 14:00:00`, minutes: 60, successShare: 0.5 },
  ]);
});

it('answers with the newest incidents only', async () => {
  await api.db.query(
    `INSERT INTO channel_traffic (tran_channel_id, begins_at, requests, failed, answered)
     SELECT $1::int, now() - n * interval '1 day' - hours * interval '1 hour', 10, 10, '{}'::int[]
     FROM generate_series(2, 80) AS n, generate_series(0, 2, 2) AS hours`,
    [OFFLINE],
  );
  const { incidents, requests } = await offline();
  expect(incidents).toHaveLength(CHANNEL_INCIDENTS);
  expect(incidents.map(({ beginDateTime }) => beginDateTime)).toEqual(
    incidents
      .map(({ beginDateTime }) => beginDateTime)
      .toSorted()
      .toReversed(),
  );
  expect(requests).toBe(100 + 62 + 1_580);
});

it('deletes what is older than 90 days', async () => {
  await api.db.query(
    `INSERT INTO channel_traffic (tran_channel_id, begins_at, requests, failed, answered)
     VALUES ($1, now() - interval '91 days', 9, 9, '{}')`,
    [OFFLINE],
  );
  await record();
  const { rows } = await api.db.query(`SELECT 1 FROM channel_traffic WHERE begins_at < now() - interval '90.5 days'`);
  expect(rows).toEqual([]);
});
