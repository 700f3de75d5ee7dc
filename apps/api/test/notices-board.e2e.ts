/** Notices: written by operators, shown at once on every open page, on any process (decisions §6, §9). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listNotices, type ShownNotice } from '@yiqiao/contracts/notices';
import { noticeList, noticeChange, noticePublish, noticeWithdraw } from '../src/operator/notices.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import { Clock } from '../src/platform/clock.js';
import { CommandError, UsageError } from '../src/platform/cli-messages.js';
import type { TestApi } from './support/api.js';
import { listManagers } from './support/operator.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import type { EventReader } from './support/event-reader.js';
import { closeReaders, freshId, open, ready, startSecond, type Process } from './support/notices.js';
import { waitUntil } from './support/wait-until.js';
import { startApiWithWorker } from './support/worker.js';

let api: TestApi;
let second: Process;
let folder: string;
let files = 0;

beforeAll(async () => {
  api = await startApiWithWorker();
  await listManagers(api.db, 'Wang');
  second = await startSecond(api.env);
  folder = mkdtempSync(path.join(tmpdir(), 'yiqiao-notices-'));
});
afterEach(closeReaders);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await second.app.close();
  await api.stop();
});

const says = async (work: OperatorTask): Promise<string> => {
  const lines: string[] = [];
  await work({ app: await api.commandLine(), language: 'en', print: (line) => void lines.push(line) });
  return lines.join('\n');
};
const texts = (word: string, content: string) => ({ name: word, title: `${word} title`, subTitle: '', content });
const file = (zh: object, en: object = zh): string => {
  const name = path.join(folder, `${++files}.json`);
  writeFileSync(name, JSON.stringify({ zh, en }));
  return `@${name}`;
};
const publish = async (zh: object, en: object, options: string[] = []): Promise<number> =>
  Number.parseInt(await says(noticePublish([file(zh, en), '--by', 'Wang', ...options])), 10);
const withdraw = (id: number): Promise<string> => says(noticeWithdraw([String(id)]));
const shown = (language: 'zh' | 'en' = 'zh'): Promise<ShownNotice[]> =>
  new TestClient(api.url, null, { 'accept-language': language === 'zh' ? 'zh-CN' : 'en-US' }).call(listNotices, {});
const inSeconds = (seconds: number): string =>
  api.app.get(Clock).toWire(new Date(Math.ceil(Date.now() / 1_000) * 1_000 + seconds * 1_000));
/** The events of this notice that `reader` received. */
const told = async (reader: EventReader, event: string, data: object): Promise<void> => {
  await waitUntil(
    () => Promise.resolve(reader.heard.map((heard) => JSON.stringify(heard))),
    (all) => all.includes(JSON.stringify({ event, data })),
  );
};
/** A notice with a unique name. */
const isThere = async (id: number): Promise<boolean> => (await shown()).some((notice) => notice.id === id);

describe('a notice', () => {
  it('is added to and removed from every open page in its language, on every process', async () => {
    const member = await makeMain(api);
    const readers = [
      await ready(api.url),
      await ready(api.url, member),
      await ready(second.url),
      await open(second.url, freshId(), { 'accept-language': 'en-US,en' }),
    ];
    await readers[3]?.event('ready');
    const id = await publish(texts('维护', '<p>今晚</p>'), texts('Upkeep', '<p>tonight</p>'));
    const zh = { id, name: '维护', title: '维护 title', subTitle: '', content: '<p>今晚</p>' };
    const en = { id, name: 'Upkeep', title: 'Upkeep title', subTitle: '', content: '<p>tonight</p>' };
    const heard = await Promise.all(readers.map((reader) => reader.event('notice')));
    expect(heard.map(({ data }) => data)).toEqual([zh, zh, zh, en]);
    // Reads are cached for half a second.
    await waitUntil(() => isThere(id), Boolean);
    expect([await shown(), await shown('en')]).toEqual([[zh], [en]]);
    await withdraw(id);
    const gone = await Promise.all(readers.map((reader) => reader.event('notice-removed')));
    expect(gone.map(({ data }) => data)).toEqual(readers.map(() => ({ id })));
    await waitUntil(
      () => isThere(id),
      (there) => !there,
    );
    // Once each, however often they were polled.
    for (const reader of readers)
      expect(reader.heard.filter(({ event }) => event.startsWith('notice'))).toHaveLength(2);
  });

  it('is sent again when it changes', async () => {
    const id = await publish(texts('一', '<p>1</p>'), texts('one', '<p>1</p>'));
    const reader = await ready(second.url);
    await says(noticeChange([String(id), file(texts('二', '<p>2</p>'))]));
    await told(reader, 'notice', { id, ...texts('二', '<p>2</p>') });
    await withdraw(id);
    await told(reader, 'notice-removed', { id });
    const { rows } = await api.db.query<{ before: object; after: object }>(
      `SELECT before, after FROM manager_action WHERE target_kind = 'notice' AND target_id = $1 ORDER BY done_at`,
      [String(id)],
    );
    expect(rows).toMatchObject([
      { before: null, after: { zh: { title: '一 title' }, endsAt: null } },
      { before: { zh: { title: '一 title' } }, after: { zh: { title: '二 title' } } },
      { before: { withdrawn: false }, after: { withdrawn: true } },
    ]);
    await expect(says(noticePublish([file(texts('x', '<p>x</p>')), '--by', 'nobody']))).rejects.toThrow(CommandError);
  });

  it('starts and ends on schedule', async () => {
    const reader = await ready(api.url);
    const startsAt = inSeconds(6);
    const both = [texts('稍后', '<p>x</p>'), texts('later', '<p>x</p>')] as const;
    const id = await publish(...both, ['--from', startsAt]);
    expect(await isThere(id)).toBe(false);
    expect(await says(noticeList([]))).toMatch(new RegExp(`^${id}\\s+planned`, 'm'));
    await told(reader, 'notice', { id, ...texts('稍后', '<p>x</p>') });
    // Only now: a slow machine would show it after its end, which is never.
    await says(noticeChange([String(id), file(...both), '--from', startsAt, '--to', inSeconds(4)]));
    await told(reader, 'notice-removed', { id });
    await waitUntil(
      () => isThere(id),
      (there) => !there,
    );
    expect(await says(noticeList([]))).toMatch(new RegExp(`^${id}\\s+ended`, 'm'));
  });

  it('is sanitised before it is stored', async () => {
    const hostile =
      '<p onclick="x()">a<script>alert(1)</script></p><a href="javascript:x()">b</a><img src=x onerror=y>';
    const id = await publish(texts('脏', hostile), texts('dirty', hostile));
    const notice = await waitUntil(
      async () => (await shown()).find((each) => each.id === id),
      (found) => found !== undefined,
    );
    expect(notice?.content).toBe('<p>a</p><a>b</a>');
    await withdraw(id);
  });

  it('is withdrawn once and for good', async () => {
    const id = await publish(texts('完', '<p>x</p>'), texts('over', '<p>x</p>'));
    expect(await withdraw(id)).toBe(`Notice ${id} was withdrawn.`);
    await expect(withdraw(id)).rejects.toThrow(CommandError);
    await expect(says(noticeChange([String(id), file(texts('a', '<p>x</p>'))]))).rejects.toThrow(CommandError);
    await expect(withdraw(987_654_321)).rejects.toThrow(CommandError);
  });
});

describe('invalid notices', () => {
  it.each([
    ['no file', []],
    ['a file that is not there', ['@/no/such/file.json']],
    ['no @', ['{}']],
    ['an ill time', ['@x', '--from', 'tomorrow']],
  ])('are not published: %s', (_, args) => expect(() => noticePublish(args)).toThrow(UsageError));

  it.each([
    ['one language only', { name: 'a', title: 'b', content: '<p>c</p>' }, undefined],
    ['no word', texts('a', '<p> </p><script>alert(1)</script>'), texts('a', '<p>x</p>')],
    ['HTML in a title', { ...texts('a', '<p>x</p>'), title: '<b>x</b>' }, texts('a', '<p>x</p>')],
    ['too long a name', { ...texts('a', '<p>x</p>'), name: 'x'.repeat(21) }, texts('a', '<p>x</p>')],
    ['a field that nobody knows', { ...texts('a', '<p>x</p>'), more: 1 }, texts('a', '<p>x</p>')],
  ])('are not published: %s', (_, zh, en) => {
    const name = path.join(folder, `${++files}.json`);
    writeFileSync(name, JSON.stringify({ zh, en }));
    expect(() => noticePublish([`@${name}`])).toThrow(UsageError);
  });

  it('include an end before the start', async () => {
    const args = [file(texts('a', '<p>x</p>')), '--from', inSeconds(60), '--to', inSeconds(30)];
    await expect(says(noticePublish(args))).rejects.toThrow(UsageError);
  });
});
