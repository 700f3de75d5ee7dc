/** The notice stream (decisions §9): its events, their recipients, and its end. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { logout } from '@yiqiao/contracts/login';
import { closeNotices } from '@yiqiao/contracts/notices';
import { changeEnabled, deleteChildUsers } from '@yiqiao/contracts/sub-accounts';
import { changePassword } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { until } from './support/event-reader.js';
import { makeMain, makeSub } from './support/family.js';
import {
  closeReaders,
  freshId,
  held,
  json,
  open,
  path,
  ready,
  signed,
  startSecond,
  tell,
  type Process,
} from './support/notices.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
/** Another process on the same stores. */
let second: Process;
let main: TestMember;
let sub: TestMember;
let stranger: TestMember;

beforeAll(async () => {
  api = await startApi({ STREAM_HEARTBEAT_SECONDS: '2', LIMIT_STREAMS_PER_IP: '12' });
  second = await startSecond(api.env);
  main = await makeMain(api);
  sub = await makeSub(api, main);
  stranger = await makeMain(api);
});
afterEach(async () => {
  await closeReaders();
  expect(await until(() => (held(api.app) + held(second.app) === 0 ? true : undefined), 5_000)).toBe(true);
});
afterAll(async () => {
  await second.app.close();
  await api.stop();
});

const say = (who: TestMember, event: object): Promise<void> => tell(api.app, who, event);

describe('an open stream', () => {
  it('is sent as it happens: not cached, compressed or buffered, with the headers of every response', async () => {
    const reader = await open(api.url, 'a_Client-0123456789', { 'Accept-Encoding': 'gzip, br' });
    const { status, headers } = reader.response;
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    await reader.event('ready');
    expect(reader.text).toBe(
      'retry: 1000\n\nevent: ready\ndata: {"clientId":"a_Client-0123456789","accountVersion":null}\n\n',
    );
  });

  it('gets a comment line repeatedly while nothing happens', async () => {
    const reader = await ready(api.url);
    await until(() => (reader.text.includes(':\n\n:\n\n') ? true : undefined), 6_000);
    expect(reader.text).toMatch(/\n\n:\n\n:\n\n$/);
    expect(reader.heard).toHaveLength(1);
  });

  it('gets events of its own family, from every process, and of no other', async () => {
    const [here, there, child] = [
      await ready(api.url, main),
      await ready(second.url, main),
      await ready(second.url, sub),
    ];
    const [foreign, visitor] = [await ready(api.url, stranger), await ready(second.url)];
    await say(main, { event: 'order', data: { id: 7, payStatus: 'P' } });
    await say(main, { event: 'account', data: {} });
    for (const reader of [here, there]) {
      expect(await reader.event('order')).toEqual({ event: 'order', data: { id: 7, payStatus: 'P' } });
      expect(await reader.event('account')).toEqual({ event: 'account', data: {} });
    }
    // A sub-account sees no orders, but its balance may have changed.
    expect(await child.event('account')).toEqual({ event: 'account', data: {} });
    expect(child.heard.map(({ event }) => event)).toEqual(['ready', 'account']);
    for (const reader of [foreign, visitor]) expect(reader.heard.map(({ event }) => event)).toEqual(['ready']);
  });

  it('gets exactly the fields of the contract', async () => {
    const reader = await ready(api.url, main);
    await say(main, { event: 'secrets', data: {} });
    await say(main, { event: 'order', data: { id: 8, payStatus: 'T', amount: 9900, userId: 1 } });
    expect(await reader.event('order')).toEqual({ event: 'order', data: { id: 8, payStatus: 'T' } });
    await say(main, { event: 'order', data: { id: 'not a number', payStatus: 'X' } });
    await say(main, { event: 'account', data: {} });
    await reader.event('account');
    expect(reader.heard.map(({ event }) => event)).toEqual(['ready', 'order', 'account']);
  });
});

describe('closing', () => {
  const close = (who: TestClient, clientId: string) => who.call(closeNotices, { clientId });

  it('ends the client’s own stream, also on another process', async () => {
    const [visitors, mains, elsewhere] = [freshId(), freshId(), freshId()];
    const [one, two] = [await ready(api.url, undefined, visitors), await ready(api.url, main, mains)];
    const three = await ready(second.url, main, elsewhere);
    expect(await close(new TestClient(api.url), visitors)).toBe(true);
    expect(await close(main.client, mains)).toBe(true);
    expect(await close(main.client, elsewhere)).toBe(true);
    for (const reader of [one, two, three]) expect(await reader.endsWithin(3_000)).toBe(true);
  });

  it('ends the stream that the same client opened before it signed in', async () => {
    const clientId = freshId();
    const reader = await ready(api.url, undefined, clientId);
    await close(main.client, clientId);
    expect(await reader.endsWithin(3_000)).toBe(true);
  });

  it('returns true for an unknown or foreign stream, and closes nothing', async () => {
    const clientId = freshId();
    const reader = await ready(api.url, main, clientId);
    for (const who of [new TestClient(api.url), stranger.client, sub.client, main.client])
      expect(await close(who, who === main.client ? freshId() : clientId)).toBe(true);
    await say(main, { event: 'account', data: {} });
    await reader.event('account');
    expect(reader.over).toBe(false);
  });

  it('does not mix up two clients with the same id', async () => {
    const clientId = freshId();
    const [mine, theirs] = [await ready(api.url, main, clientId), await ready(api.url, stranger, clientId)];
    await close(stranger.client, clientId);
    expect(await theirs.endsWithin(3_000)).toBe(true);
    expect(mine.over).toBe(false);
  });

  it('replaces the older stream when a client opens its id again, on any process', async () => {
    const clientId = freshId();
    const first = await ready(second.url, main, clientId);
    const again = await ready(api.url, main, clientId);
    expect(await first.endsWithin(3_000)).toBe(true);
    const third = await ready(api.url, main, clientId);
    expect(await again.endsWithin(3_000)).toBe(true);
    expect(third.over).toBe(false);
  });
});

describe('the end of a session', () => {
  it('ends its streams within a second on every process, and no others', async () => {
    const person = await makeMain(api);
    const [here, there] = [await ready(api.url, person), await ready(second.url, person)];
    const [kept, visitor] = [await ready(api.url, main), await ready(api.url)];
    await person.client.call(logout, {});
    expect(await Promise.all([here.endsWithin(1_000), there.endsWithin(1_000)])).toEqual([true, true]);
    const after = await fetch(`${api.url}${path(`/openSse/${freshId()}`)}`, { headers: signed(person) });
    expect([after.status, await json(after)]).toEqual([
      401,
      expect.objectContaining({ status: 702, code: 'SESSION_ENDED' }),
    ]);
    expect([kept.over, visitor.over]).toEqual([false, false]);
  });

  it('follows a password change too', async () => {
    const person = await makeMain(api);
    const reader = await ready(api.url, person);
    await person.client.call(changePassword, { oldPassword: person.password, password: 'another-secret' });
    expect(await reader.endsWithin(1_000)).toBe(true);
  });

  it('follows when its sub-account is disabled or deleted, on another process', async () => {
    for (const end of ['disable', 'delete']) {
      const sub = await makeSub(api, main);
      const reader = await ready(second.url, sub);
      const childId = sub.session.userId;
      if (end === 'disable') await main.client.call(changeEnabled, { userId: childId, enabled: 0 });
      else await main.client.call(deleteChildUsers, { userId: childId });
      expect([end, await reader.endsWithin(1_000)]).toEqual([end, true]);
    }
  });

  it('follows its expiry, even with an open stream', async () => {
    const person = await makeMain(api);
    const reader = await ready(api.url, person);
    await api.db.query("UPDATE session SET last_used_at = now() - interval '8 days' WHERE user_id = $1", [
      person.session.userId,
    ]);
    expect(await reader.endsWithin(4_000)).toBe(true);
  });
});
