/** Who may change what members pay for, and the record of every change (docs/decisions/0044). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountAdjust } from '../src/operator/account-adjust.js';
import { channelSet } from '../src/operator/channels.js';
import { managerAdd, managerList, managerRemove, tokenIssue } from '../src/operator/managers.js';
import { planGrant } from '../src/operator/plan-grant.js';
import { planSet } from '../src/operator/plans.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { listManagers, runOperator, runTask, type Ran } from './support/operator.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await listManagers(api.db, 'ops');
});
afterAll(() => api.stop());

const inside = (read: () => OperatorTask): Promise<Ran> => runTask(api.env, read);

/** The required options of a change. */
const why = ['--reason', '调价', '--by', 'ops'];

describe('manager', () => {
  it('commands are accepted from listed names, the first of which adds itself', async () => {
    const other = await startApi();
    try {
      await other.db.query('DELETE FROM manager');
      const run = (task: OperatorTask): Promise<Ran> => runTask(other.env, () => task);
      const change = (by: string): OperatorTask => planSet(['2', 'position=98', '--reason', 'x', '--by', by]);
      expect(await run(change('Zoë'))).toMatchObject({
        code: 1,
        err: expect.stringMatching(/no managers yet\. .*manager add Zoë$/m),
      });
      // As a process of its own, as a manager runs it.
      expect(await runOperator(other.env, ['manager', 'add', 'Zoë'])).toMatchObject({ code: 0, err: '' });
      expect(await run(change('Zoë'))).toMatchObject({ code: 0, err: '' });
      expect(await run(change('Mallory'))).toMatchObject({
        code: 1,
        err: expect.stringMatching(/Mallory is not a manager.*Zoë/),
      });
      expect(await run(managerAdd(['Mallory', '--by', 'Mallory']))).toMatchObject({ code: 1 });
      expect(await run(managerRemove(['Zoë', '--by', 'Zoë']))).toMatchObject({
        code: 1,
        err: expect.stringContaining('last manager'),
      });
      expect(await run(managerAdd(['李 静', '--by', 'Zoë']))).toMatchObject({ code: 0 });
      expect(await run(managerAdd(['李 静', '--by', 'Zoë']))).toMatchObject({ code: 1 });
      expect(await run(managerRemove(['Zoë', '--by', '李 静', '--reason', 'left']))).toMatchObject({ code: 0 });
      expect(await run(change('Zoë'))).toMatchObject({ code: 1 });
      expect((await run(tokenIssue(['--by', 'Zoë']))).code).toBe(1);
      expect((await run(managerList([]))).out).toMatch(/^李 静\s+yes .*\nZoë\s+no /m);
      const { rows } = await other.db.query(
        `SELECT m.name, target_id, before, after, reason FROM manager_action JOIN manager m ON m.id = manager_id
         WHERE target_kind = 'manager' ORDER BY done_at, target_id`,
      );
      expect(rows).toEqual([
        { name: 'Zoë', target_id: 'Zoë', before: { listed: false }, after: { listed: true }, reason: null },
        { name: 'Zoë', target_id: '李 静', before: { listed: false }, after: { listed: true }, reason: null },
        { name: '李 静', target_id: 'Zoë', before: { listed: true }, after: { listed: false }, reason: 'left' },
      ]);
    } finally {
      await other.stop();
    }
  });

  it('commands keep one of two managers who remove each other at once', async () => {
    const other = await startApi();
    try {
      await other.db.query('DELETE FROM manager');
      await listManagers(other.db, 'a', 'b');
      await other.db.query("DELETE FROM manager WHERE name NOT IN ('a', 'b')");
      const app = await other.commandLine();
      const remove = (name: string, by: string) =>
        managerRemove([name, '--by', by])({ app, language: 'en', print: () => undefined });
      const ends = await Promise.allSettled([remove('a', 'b'), remove('b', 'a')]);
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await other.db.query('SELECT 1 FROM manager WHERE listed')).rows).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });
});

describe('the change log', () => {
  const actions = async (kind: string) =>
    (
      await api.db.query<Record<string, unknown>>(
        `SELECT m.name, target_id, before, after, reason FROM manager_action JOIN manager m ON m.id = manager_id
         WHERE target_kind = $1 ORDER BY done_at`,
        [kind],
      )
    ).rows;

  it('records who, when, why, and the old values of the changed fields', async () => {
    const since = (await actions('plan')).length;
    await inside(() => planSet(['4', 'position=41', 'createChildUser=true', ...why]));
    await inside(() => planSet(['4', 'position=41', ...why]));
    expect((await actions('plan')).slice(since)).toEqual([
      expect.objectContaining({
        name: 'ops',
        target_id: '4',
        after: expect.objectContaining({ position: 41 }),
        reason: '调价',
      }),
    ]);
    const channels = (await actions('channel')).length;
    await inside(() => channelSet(['deepl', 'name=DL', ...why]));
    await inside(() => channelSet(['deepl', 'name=DeepL', ...why]));
    expect((await actions('channel')).slice(channels)).toEqual([
      { name: 'ops', target_id: '6', before: { name: 'DeepL' }, after: { name: 'DL' }, reason: '调价' },
      { name: 'ops', target_id: '6', before: { name: 'DL' }, after: { name: 'DeepL' }, reason: '调价' },
    ]);
  });

  it('cannot be changed by someone who is not on the list', async () => {
    const main = await makeMain(api);
    const before = await api.db.query('SELECT * FROM tran_channel ORDER BY id');
    const ran = await inside(() => channelSet(['deepl', 'price=7', '--reason', 'x', '--by', 'nobody']));
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('manager add nobody') });
    expect((await api.db.query('SELECT * FROM tran_channel ORDER BY id')).rows).toEqual(before.rows);
    const who = ['--reason', 'x', '--by', 'nobody'];
    expect((await inside(() => accountAdjust([main.account, '--chars', '5', ...who]))).code).toBe(1);
    expect((await inside(() => planGrant([main.account, '3', '1', ...who]))).code).toBe(1);
  });
});
