import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { deleteTerms, exportTerms, importTerms, listTerms, pairTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { deleteUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { headersOf } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

let api: TestApi;
let main: TestMember;
let sub: TestMember;

beforeAll(async () => {
  api = await startApi({ LIMIT_EXPORTS_PER_MINUTE: '1000' });
});
afterAll(() => api.stop());

const PAIR = { source: 'zh-Hans', target: 'en' };
const CABLE = { ...PAIR, term: '数据线', translation: 'data cable' };

const family = async (): Promise<void> => {
  main = await makeMain(api);
  sub = await makeSub(api, main);
};
const list = (input: object = {}, who = main) => who.client.call(listTerms, input);
const termsOf = async (input: object = {}) =>
  (await list({ pageSize: '100', ...input })).rows.map(({ term, translation }) => `${term}=${translation}`);
const bringIn = (text: string | Buffer, fields: Record<string, string> = {}, who = main) =>
  who.client.upload(importTerms, fields, Buffer.from(text));
const download = async (who = main, query = '', language = 'en'): Promise<string> => {
  const answer = await fetch(`${api.url}${BASE_PATH}${exportTerms.path}${query}`, {
    headers: { ...headersOf(who.session), 'accept-language': language },
  });
  expect(answer.status).toBe(200);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
};

describe('single terms', () => {
  beforeAll(family);

  it('are added, found, edited and deleted, and each change increments the version', async () => {
    expect(await list()).toEqual({ rows: [], total: 0, count: 0, version: 0 });
    const row = await main.client.call(saveTerm, { ...CABLE, source: 'zh-CN', term: '  数据线 ' });
    expect(row).toMatchObject(CABLE);
    expect(row.createDateTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const other = await main.client.call(saveTerm, { source: 'en', target: 'de', term: 'Wi-Fi', translation: 'WLAN' });
    expect(await list()).toEqual({ rows: [other, row], total: 2, count: 2, version: 2 });
    expect(await list({ target: 'EN' })).toMatchObject({ rows: [row], total: 1, count: 2 });
    expect(await list({ keyword: 'wlan' })).toMatchObject({ rows: [other] });
    expect(await list({ keyword: '%' })).toMatchObject({ rows: [], total: 0 });
    const edited = await main.client.call(saveTerm, { ...CABLE, id: row.id, translation: 'cable' });
    expect(edited).toMatchObject({ id: row.id, translation: 'cable' });
    // It is the same already, so nothing changes.
    await main.client.call(saveTerm, { ...CABLE, id: row.id, translation: 'cable' });
    expect((await list()).version).toBe(3);
    expect(await main.client.call(deleteTerms, { ids: [row.id, other.id, row.id] })).toEqual({ count: 2 });
    expect(await list()).toEqual({ rows: [], total: 0, count: 0, version: 4 });
  });

  it('are unique per language pair, by their lookup key', async () => {
    const kept = await main.client.call(saveTerm, { ...CABLE, term: 'Data Cable', source: 'fr' });
    expect(await main.client.send(saveTerm, { ...CABLE, term: 'data cable', source: 'fr' })).toMatchObject({
      status: 409,
      body: { code: 'TERM_EXISTS', data: { id: kept.id } },
    });
    const usb = await main.client.call(saveTerm, { ...CABLE, term: 'USB', source: 'fr' });
    await main.client.call(saveTerm, { ...CABLE, term: 'usb', source: 'fr' });
    await main.client.call(saveTerm, { ...CABLE, term: 'USB', source: 'it' });
    expect(await main.client.send(saveTerm, { ...CABLE, id: usb.id, term: 'USB', source: 'it' })).toMatchObject({
      status: 409,
    });
    const together = await Promise.all(
      Array.from({ length: 8 }, () => main.client.send(saveTerm, { ...CABLE, term: '同时' })),
    );
    expect(together.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  it('are rejected with the name of the invalid field', async () => {
    const wrong = async (fields: object) => {
      const { status, body } = await main.client.send(saveTerm, { ...CABLE, ...fields });
      expect(status).toBe(422);
      return 'errors' in body ? body.errors?.map(({ path, code }) => `${path} ${code}`) : [];
    };
    expect(await wrong({ term: ' ' })).toEqual(['term TERM_REQUIRED']);
    expect(await wrong({ term: '!?' })).toEqual(['term TERM_WITHOUT_LETTERS']);
    expect(await wrong({ term: '好'.repeat(201) })).toEqual(['term TERM_TEXT']);
    expect(await wrong({ translation: '' })).toEqual(['translation TRANSLATION_REQUIRED']);
    expect(await wrong({ translation: 'a\u0000' })).toEqual(['translation TERM_TEXT']);
    expect(await wrong({ source: 'auto' })).toEqual(['source LANGUAGE_UNKNOWN']);
    expect(await wrong({ source: 'xx', target: 'yy' })).toEqual(['source LANGUAGE_UNKNOWN', 'target LANGUAGE_UNKNOWN']);
    expect(await wrong({ target: 'zh-CN' })).toEqual(['target SAME_LANGUAGES']);
    expect((await main.client.send(listTerms, { source: 'xx' })).status).toBe(422);
  });

  it('are readable by sub-accounts, and editable by the main account only', async () => {
    const mine = await list();
    expect(await list({}, sub)).toEqual(mine);
    const [first] = mine.rows;
    expect(await sub.client.send(saveTerm, CABLE)).toMatchObject({ status: 403, body: { code: 'MAIN_ACCOUNT_ONLY' } });
    expect((await sub.client.send(deleteTerms, { ids: [first?.id] })).status).toBe(403);
    expect((await bringIn('source,target,term,translation\n', {}, sub)).status).toBe(403);
    expect(await list()).toEqual(mine);
    const stranger = await makeMain(api);
    expect(await list({}, stranger)).toMatchObject({ total: 0, count: 0, version: 0 });
    expect((await stranger.client.send(deleteTerms, { ids: [first?.id] })).status).toBe(404);
  });

  it('of one pair are listed as a translation uses them', async () => {
    await main.client.call(saveTerm, CABLE);
    const { version, terms } = await sub.client.call(pairTerms, { source: 'zh', target: 'en-US' });
    expect(version).toBe((await list()).version);
    expect(terms).toContainEqual({ term: CABLE.term, translation: CABLE.translation });
    expect((await sub.client.call(pairTerms, { source: 'en', target: 'ja' })).terms).toEqual([]);
  });
});

describe('glossary files', () => {
  beforeAll(family);

  it('are imported completely and exported unchanged', async () => {
    const file = [
      'translation;note;source;target;term',
      'data cable;x;zh-CN;en;数据线',
      '"a ""good"" cable; really";;zh-Hans;en;好线',
      '',
      "'=1+1;;zh-Hans;en;公式",
    ].join('\r\n');
    const { status, body } = await bringIn(`\ufeff${file}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ added: 3, changed: 0, unchanged: 0, removed: 0, version: 1 });
    expect(await termsOf()).toEqual(['公式==1+1', '好线=a "good" cable; really', '数据线=data cable']);
    const out = await download(sub);
    expect(out).toContain("'=1+1");
    expect(out.startsWith('\ufeffsource,target,term,translation\r\n')).toBe(true);
    expect((await download(main, '', 'zh')).startsWith('\ufeff原文语言,译文语言,术语,译文\r\n')).toBe(true);
    expect(await download(main, '?keyword=cable')).not.toContain('公式');
    const earlier = `源语言,目标语言,术语,译文${out.slice(out.indexOf('\r\n'))}`;
    for (const again of [out, await download(main, '', 'zh'), earlier])
      expect((await bringIn(again)).body.data).toEqual({ added: 0, changed: 0, unchanged: 3, removed: 0, version: 1 });
  });

  it.each([
    ['says first what separates its cells', 'sep=;\r\nsource;target;term;translation\r\nzh;xx;a,b,c,d;e\r\n', '3'],
    ['begins with empty lines', '\r\n\r\nsource;target;term;translation\r\nzh;xx;a;b', '4'],
    ['has line ends of its own', 'source\ttarget\tterm\ttranslation\rzh\txx\ta\tb', '2'],
    ['has cells of several lines', 'source,target,term,translation\nzh,en,"好\n看","nice"\nzh,xx,a,b', '4'],
  ])('read a file that %s, and number its lines as an editor does', async (_, file, line) => {
    const { body } = await bringIn(file);
    expect('errors' in body ? body.errors : []).toMatchObject([{ path: `${line}.target`, code: 'LANGUAGE_UNKNOWN' }]);
  });

  it('are merged into the terms, or replace them all', async () => {
    const file = 'source\ttarget\tterm\ttranslation\nzh\ten\t数据线\tcable\nzh\ten\t新\tnew\n';
    expect((await bringIn(file)).body.data).toEqual({ added: 1, changed: 1, unchanged: 0, removed: 0, version: 2 });
    expect(await list()).toMatchObject({ count: 4 });
    expect((await bringIn(file, { mode: 'replace' })).body.data).toEqual({
      added: 0,
      changed: 0,
      unchanged: 2,
      removed: 2,
      version: 3,
    });
    expect(await termsOf()).toEqual(['新=new', '数据线=cable']);
  });

  it('are imported completely or not at all, with a report of invalid lines', async () => {
    const before = await list();
    const file = [
      'source,target,term,translation',
      'zh,en,好,good',
      'zh,xx,坏,bad',
      'zh,en,,nothing',
      'zh,en',
      'zh,en,好,fine',
      'zh,zh-CN,好,好',
      'zh,en,!!,good',
    ].join('\n');
    const { status, body } = await bringIn(file);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'GLOSSARY_FILE_INVALID', data: { lines: 6 } });
    expect('errors' in body ? body.errors?.map(({ path, code }) => `${path} ${code}`) : []).toEqual([
      '3.target LANGUAGE_UNKNOWN',
      '4.term TERM_REQUIRED',
      '5 LINE_BROKEN',
      '6.term TERM_TWICE',
      '7.target SAME_LANGUAGES',
      '8.term TERM_WITHOUT_LETTERS',
    ]);
    expect(await list()).toEqual(before);
  });

  it.each([
    ['nothing', '', '1 HEADINGS_EXPECTED'],
    ['no headings', 'zh,en,好,good', '1 HEADINGS_EXPECTED'],
    ['a heading twice', 'source,target,term,term,translation\n', '1 HEADINGS_EXPECTED'],
    ['headings alone', 'source,target,term,translation\n', '1 FILE_EMPTY'],
    ['an open quote', 'source,target,term,translation\nzh,en,"好,good', '2 LINE_BROKEN'],
    ['GBK', Buffer.from([0xd4, 0xb4, 0xd3, 0xef, 0xd1, 0xd4, 0x2c]), '1 FILE_NOT_UTF8'],
    ['UTF-16', Buffer.from('\ufeffsource,target,term,translation\nzh,en,a,b', 'utf16le'), '1 FILE_NOT_UTF8'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), '1 FILE_NOT_UTF8'],
  ])('are refused: %s', async (_, file, error) => {
    const before = await list();
    const { status, body } = await bringIn(file);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'GLOSSARY_FILE_INVALID' });
    expect('errors' in body ? body.errors?.map(({ path, code }) => `${path} ${code}`) : []).toEqual([error]);
    expect(await list()).toEqual(before);
  });

  it('are limited to a number of terms', async () => {
    const lines = Array.from({ length: 5_001 }, (_, n) => `en,fr,word${n},mot${n}`);
    const file = (count: number) => ['source,target,term,translation', ...lines.slice(0, count)].join('\n');
    expect(await bringIn(file(5_001))).toMatchObject({ status: 422, body: { code: 'GLOSSARY_FULL' } });
    expect(await bringIn(file(4_999))).toMatchObject({ status: 422, body: { code: 'GLOSSARY_FULL' } });
    expect((await bringIn(file(5_000), { mode: 'replace' })).body.data).toMatchObject({ added: 5_000 });
    expect(await main.client.send(saveTerm, CABLE)).toMatchObject({ status: 422, body: { code: 'GLOSSARY_FULL' } });
    expect((await download()).split('\r\n')).toHaveLength(5_002);
    expect(await list()).toMatchObject({ count: 5_000 });
  });
});

it('are erased with the family', async () => {
  await family();
  await main.client.call(saveTerm, CABLE);
  const familyId = main.session.userId;
  const rows = async () =>
    (
      await api.db.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM glossary WHERE family_id = $1)
           + (SELECT count(*) FROM glossary_term WHERE family_id = $1) AS n`,
        [familyId],
      )
    ).rows[0]?.n;
  expect(Number(await rows())).toBe(2);
  const worker = await startWorker(api.env);
  try {
    await main.client.call(deleteUser, { userPassword: main.password });
    expect(Number(await waitUntil(rows, (n) => Number(n) === 0))).toBe(0);
  } finally {
    await worker.stop();
  }
});
