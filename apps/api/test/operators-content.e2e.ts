/** Notices and documents of the site in the operators' console (operators §3, §5, §10). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer as AnswerOf } from '@yiqiao/contracts/endpoint';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { listNotices as shownNotices, type ShownNotice } from '@yiqiao/contracts/notices';
import type { getDocument } from '@yiqiao/contracts/operator/documents';
import type { getNotice, listNotices } from '@yiqiao/contracts/operator/notices';
import { getDataConfig, listCustomerService, saveDataConfig } from '@yiqiao/contracts/site';
import { tokenIssue } from '../src/operator/managers.js';
import { noticeChange } from '../src/operator/notices.js';
import { Clock } from '../src/platform/clock.js';
import type { TextChannel, TextRequest } from '../src/translation/channels/channel.js';
import { TextChannels } from '../src/translation/text-channels.js';
import type { TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { EventReader } from './support/event-reader.js';
import { closeReaders, ready } from './support/notices.js';
import { listManagers } from './support/operator.js';
import { type Answer, type OperatorBrowser, TestOperators } from './support/operators.js';
import { waitUntil } from './support/wait-until.js';
import { startApiWithWorker } from './support/worker.js';

type Notice = AnswerOf<typeof getNotice>;
type Document = AnswerOf<typeof getDocument>;

const REASON = 'a test of the console';

let api: TestApi;
let operators: TestOperators;
let support: OperatorBrowser;
let owner: OperatorBrowser;
let visitor: TestClient;

beforeAll(async () => {
  api = await startApiWithWorker();
  operators = await TestOperators.start(api);
  support = await operators.signIn(await operators.enrol('support-1', 'support'));
  owner = await operators.signIn(await operators.enrol('owner-1', 'owner'));
  visitor = new TestClient(api.url);
});
afterEach(closeReaders);
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const texts = (word: string, content = `<p>${word}</p>`) => ({
  name: word,
  title: `${word} title`,
  subTitle: '',
  content,
});
const NO_TIMES = { startsAt: null, endsAt: null };
const draft = (word: string, times: object = NO_TIMES) => ({ zh: texts(`${word} 中`), en: texts(word), ...times });

async function post<T>(path: string, body: object, by = support): Promise<T> {
  const { status, body: answer } = await by.post(path, body);
  expect([path, status, answer.msg]).toEqual([path, 200, expect.any(String)]);
  return answer.data;
}
const codeOf = ({ status, body }: Answer) => [status, body.code];
const read = async (id: number): Promise<Notice> => (await support.get(`/notices/${id}`)).body.data;
const add = (word: string, times?: object) => post<{ id: number; version: number }>('/notices', draft(word, times));
const publish = async (word: string, times?: object): Promise<number> => {
  const { id, version } = await add(word, times);
  await post(`/notices/${id}/publish`, { version, ...draft(word, times) });
  return id;
};
const shown = async (): Promise<ShownNotice[]> => visitor.call(shownNotices, {});
/** Until an open page has heard of it. */
const told = (reader: EventReader, event: string, data: object): Promise<unknown> =>
  waitUntil(
    () => Promise.resolve(reader.heard),
    (heard) => heard.some((each) => each.event === event && isPart(data, each.data)),
  );
const isPart = (part: object, whole: unknown): boolean =>
  Object.entries(part).every(([name, value]) => (whole as Record<string, unknown>)[name] === value);
const inSeconds = (seconds: number): string =>
  api.app.get(Clock).toWire(new Date(Math.ceil(Date.now() / 1_000) * 1_000 + seconds * 1_000));
const actionsOf = async (kind: string, target: string) => {
  const { rows } = await api.db.query<{ body: string }>(
    'SELECT body FROM operator_action WHERE target_kind = $1 AND target_id = $2 ORDER BY n',
    [kind, target],
  );
  return rows.map(({ body }) => JSON.parse(body) as object);
};

describe('roles', () => {
  it.each([
    ['viewer', 403],
    ['finance', 403],
    ['support', 200],
    ['owner', 200],
  ] as const)('a %s reads everything; writing is %i', async (role, wanted) => {
    const browser = await operators.signIn(await operators.enrol(`role-${role}`, role));
    const { id, version } = await add('roles');
    for (const path of ['/notices', `/notices/${id}`, '/documents', '/documents/SITE_INFO'])
      expect((await browser.get(path)).status).toBe(200);
    const { version: of }: Document = (await browser.get('/documents/SITE_INFO')).body.data;
    const valued = JSON.stringify(site(role));
    for (const [path, body] of [
      ['/notices', draft('by role')],
      [`/notices/${id}`, { version, ...draft('by role') }],
      ['/documents/SITE_INFO/check', { valued }],
      ['/documents/SITE_INFO', { valued, version: of, reason: REASON }],
      [`/notices/${id}/withdraw`, { reason: REASON }],
    ] as const)
      expect((await browser.post(path, body)).status).toBe(wanted);
  });
});

describe('a notice', () => {
  it('is a draft that no member sees, changes as one, and appears on open pages when it is published', async () => {
    const reader = await ready(api.url);
    const operatorsPage = await EventReader.at(`${operators.url}/operator-api/stream`, { Cookie: owner.cookie });
    await operatorsPage.event('ready');
    const { id, version } = await add('Upkeep');
    expect(await read(id)).toMatchObject({ state: 'draft', changedBy: 'support-1', version, startsAt: null });
    await operatorsPage.event('content');
    const saved = await post<{ version: number }>(`/notices/${id}`, {
      version,
      zh: texts('维护', '<p onclick="x()">今晚<script>alert(1)</script></p>'),
      en: { name: '', title: '', subTitle: '', content: '' },
      ...NO_TIMES,
    });
    expect((await read(id)).zh.content).toBe('<p>今晚</p>');
    expect((await shown()).map(({ id: one }) => one)).not.toContain(id);
    expect(reader.heard.map(({ event }) => event)).toEqual(['ready']);
    await post(`/notices/${id}/publish`, { version: saved.version, ...draft('Upkeep') });
    await told(reader, 'notice', { id, title: 'Upkeep 中 title' });
    expect((await read(id)).state).toBe('shown');
    expect(await actionsOf('notice', String(id))).toMatchObject([
      { actor: 'support-1', action: 'notice.change', before: null, after: { published: false } },
      { actor: 'support-1', before: { zh: { title: 'Upkeep 中 title' } }, after: { zh: { title: '维护 title' } } },
      { actor: 'support-1', before: { published: false }, after: { published: true } },
    ]);
    await operatorsPage.close();
  });

  it('cannot be kept as a draft once it is public; a change is published at once', async () => {
    const reader = await ready(api.url);
    const id = await publish('Sale');
    await told(reader, 'notice', { id });
    const { version } = await read(id);
    expect(codeOf(await support.post(`/notices/${id}`, { version, ...draft('Sale') }))).toEqual([404, 'NOT_FOUND']);
    await post(`/notices/${id}/publish`, { version, ...draft('Sale today') });
    await told(reader, 'notice', { id, title: 'Sale today 中 title' });
  });

  it('starts and ends on schedule', async () => {
    const reader = await ready(api.url);
    const startsAt = inSeconds(4);
    const id = await publish('Later', { startsAt, endsAt: null });
    expect((await read(id)).state).toBe('scheduled');
    expect((await shown()).map(({ id: one }) => one)).not.toContain(id);
    await told(reader, 'notice', { id });
    // Only now: a slow machine would show it after its end, which is never.
    const { version } = await read(id);
    await post(`/notices/${id}/publish`, { version, ...draft('Later', { startsAt, endsAt: inSeconds(2) }) });
    await told(reader, 'notice-removed', { id });
    expect((await read(id)).state).toBe('ended');
  });

  it('is withdrawn for good, from open pages at once', async () => {
    const reader = await ready(api.url);
    const id = await publish('Wrong');
    await told(reader, 'notice', { id });
    await post(`/notices/${id}/withdraw`, { reason: 'a wrong date' });
    await told(reader, 'notice-removed', { id });
    const { state, version } = await read(id);
    expect(state).toBe('withdrawn');
    for (const [path, body] of [
      ['publish', { version, ...draft('Wrong') }],
      ['withdraw', { reason: REASON }],
    ] as const)
      expect(codeOf(await support.post(`/notices/${id}/${path}`, body))).toEqual([409, 'NOTICE_ENDED']);
    expect((await actionsOf('notice', String(id))).at(-1)).toMatchObject({
      after: { withdrawn: true },
      reason: 'a wrong date',
    });
  });

  it('that was thrown away as a draft is gone', async () => {
    const { id } = await add('Nothing');
    await post(`/notices/${id}/withdraw`, { reason: REASON });
    expect((await support.get(`/notices/${id}`)).status).toBe(404);
    const { rows }: AnswerOf<typeof listNotices> = (await support.get('/notices?pageSize=100')).body.data;
    expect(rows.map((row) => row.id)).not.toContain(id);
  });

  it.each([
    ['no English title', { en: { ...texts('x'), title: '' } }, 'en.title'],
    ['no Chinese words', { zh: texts('x', '<p> <br></p>') }, 'zh.content'],
    ['HTML in a title', { zh: { ...texts('x'), title: 'a <b>b</b>' } }, 'zh.title'],
    ['a long tab', { en: { ...texts('x'), name: 'n'.repeat(21) } }, 'en.name'],
    ['an end in the past', { endsAt: '2026-01-01 00:00:00' }, 'endsAt'],
  ])('is not published with %s, and stays as it was', async (_, wrong, path) => {
    const { id, version } = await add('Whole');
    const answer = await support.post(`/notices/${id}/publish`, { version, ...draft('Whole'), ...wrong });
    expect(codeOf(answer)).toEqual([422, 'VALIDATION_FAILED']);
    const { errors } = answer.body as unknown as { errors: { path: string }[] };
    expect(errors.map((error) => error.path)).toEqual([path]);
    expect(await read(id)).toMatchObject({ state: 'draft', version });
  });

  it('that somebody else has changed is not overwritten', async () => {
    const { id, version } = await add('Together');
    await post(`/notices/${id}`, { version, ...draft('Together by owner') }, owner);
    const refused = await support.call(
      'POST',
      `/notices/${id}`,
      { version, ...draft('Mine') },
      { 'Accept-Language': 'en' },
    );
    expect(codeOf(refused)).toEqual([409, 'EDITED_MEANWHILE']);
    expect(refused.body.msg).toMatch(/^owner-1 saved a newer version at \d{4}-/);
    const theirs = await read(id);
    expect(theirs).toMatchObject({ changedBy: 'owner-1', en: { title: 'Together by owner title' } });
    await post(`/notices/${id}`, { version: theirs.version, ...draft('Mine') });
    expect((await read(id)).en.title).toBe('Mine title');
  });

  it('is listed with drafts first, for the command line too', async () => {
    const { id, version } = await add('First');
    const {
      rows,
      total,
      shown: now,
    }: AnswerOf<typeof listNotices> = (await support.get('/notices?pageSize=5')).body.data;
    expect(rows).toHaveLength(5);
    expect(total).toBeGreaterThan(5);
    expect(now).toBe((await shown()).length);
    expect(rows[0]).toMatchObject({ id, state: 'draft', version });
    expect(() => noticeChange(['not a number', '@x'])).toThrow();
  });

  it('is drafted in the other language by a channel, with its paragraphs and links, and nobody pays', async () => {
    const asked: TextRequest[] = [];
    const channel = {
      supports: () => Promise.resolve('translation'),
      availability: () => Promise.resolve({ available: true, reason: null }),
      translate: (request: TextRequest) => {
        asked.push(request);
        const said = (text: string) => text.replaceAll('升级', 'upgrade').replaceAll('维护', 'Upkeep');
        return Promise.resolve(
          request.texts.map((text) => ({
            translated: said(text),
            quality: 'translation',
            warning: null,
            detected: null,
          })),
        );
      },
      close: () => Promise.resolve(),
    };
    const channels = operators.app.get(TextChannels, { strict: false });
    await channels.open('offline', channel as unknown as TextChannel);
    const content = '<p>今晚<b>升级</b></p><ul><li>升级 <a href="/price">维护</a></li></ul>';
    const { texts: english } = await post<{ texts: object }>('/notices/translate', {
      from: 'zh',
      texts: { name: '维护', title: '今晚维护', subTitle: '', content },
    });
    expect(english).toEqual({
      name: 'Upkeep',
      title: '今晚Upkeep',
      subTitle: '',
      content: '<p>今晚<b>upgrade</b></p><ul><li>upgrade <a href="/price">Upkeep</a></li></ul>',
    });
    expect(asked.map(({ source, target, texts: pieces }) => [source, target, pieces.length])).toEqual([
      ['zh-Hans', 'en', 4],
    ]);
    const { rows } = await api.db.query('SELECT 1 FROM translation_log');
    expect(rows).toEqual([]);
  });
});

const documentOf = async (id: string, by = support): Promise<Document> => (await by.get(`/documents/${id}`)).body.data;
const site = (brand: string) => ({
  brand: { zh: brand, en: brand },
  company: { zh: '公司', en: 'Company' },
  copyright: { zh: '版权', en: 'Copyright' },
  record: null,
  logo: '',
});
const save = async (id: string, value: unknown, given: object = {}, by = support): Promise<Answer> => {
  const { version } = await documentOf(id);
  return by.post(`/documents/${id}`, { valued: JSON.stringify(value), version, reason: REASON, ...given });
};
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a document', () => {
  it('is changed, seen by visitors, and recorded with what it was', async () => {
    expect((await save('SITE_INFO', site('前'))).status).toBe(200);
    expect((await save('SITE_INFO', site('后'), { reason: 'a new name' })).status).toBe(200);
    const { valued } = await visitor.call(getDataConfig, { id: 'SITE_INFO' });
    expect(JSON.parse(valued)).toEqual(site('后'));
    expect((await actionsOf('config', 'SITE_INFO')).at(-1)).toMatchObject({
      actor: 'support-1',
      action: 'config.change',
      before: { valued: { brand: { zh: '前' } } },
      after: { valued: { brand: { zh: '后' } } },
      reason: 'a new name',
    });
    expect(await documentOf('SITE_INFO')).toMatchObject({ changedBy: 'support-1', public: true, hidden: false });
  });

  it('that somebody else has changed is not overwritten, in either language', async () => {
    const { version } = await documentOf('SITE_INFO');
    expect((await save('SITE_INFO', site('别人的'), {}, owner)).status).toBe(200);
    for (const [language, said] of [
      ['zh', /^owner-1 已在 .* 保存了更新的版本/],
      ['en', /^owner-1 saved a newer version/],
    ] as const) {
      const body = { valued: JSON.stringify(site('我的')), version, reason: REASON };
      const headers = { 'Accept-Language': language };
      const refused = await support.call('POST', '/documents/SITE_INFO', body, headers);
      expect(codeOf(refused)).toEqual([409, 'EDITED_MEANWHILE']);
      expect(refused.body.msg).toMatch(said);
    }
    expect(JSON.parse((await documentOf('SITE_INFO')).valued ?? '')).toEqual(site('别人的'));
  });

  it.each([
    ['SITE_INFO', { brand: 'x' }, 'brand'],
    ['USDT_PAY_INFO', { enabled: 'yes', url: '' }, 'enabled'],
    ['SOFT_DOWNLOAD_CONFIG', [{ id: 1, label: '', enLabel: 'x', children: [] }], '0.label'],
    [
      'CUSTOMER_SERVICE',
      [{ platform: 'X', accountList: [{ accountType: 1, account: '' }] }],
      '0.accountList.0.account',
    ],
    [
      'CUSTOMER_SERVICE',
      [{ platform: 'X', accountList: [{ accountType: 1, account: 'a', qr: 'data:image/png;base64,AAAA' }] }],
      null,
    ],
    [
      'CUSTOMER_SERVICE',
      [{ platform: 'X', accountList: [{ accountType: 1, account: 'a', referUrl: 'javascript:alert(1)' }] }],
      null,
    ],
  ])('%s %j is refused in both languages, and the check says the same beforehand', async (id, value, at) => {
    const before = await documentOf(id);
    for (const language of ['zh', 'en'] as const) {
      const headers = { 'Accept-Language': language };
      const valued = JSON.stringify(value);
      const checked = await support.call('POST', `/documents/${id}/check`, { valued }, headers);
      const { wrong } = checked.body.data as { wrong: string };
      expect(checked.body.data).toMatchObject({ valued: null, at });
      expect(/\p{Script=Han}/u.test(wrong)).toBe(language === 'zh');
      const body = { valued, version: before.version, reason: REASON };
      const refused = await support.call('POST', `/documents/${id}`, body, headers);
      expect(codeOf(refused)).toEqual([422, 'VALIDATION_FAILED']);
      expect(refused.body.data).toEqual({ why: wrong, at });
    }
    expect(await documentOf(id)).toEqual(before);
  });

  it('that is no JSON, has no reason or an unknown name is refused', async () => {
    expect((await support.post('/documents/SITE_INFO/check', { valued: '{' })).status).toBe(422);
    expect((await save('SITE_INFO', site('x'), { reason: ' ' })).status).toBe(422);
    expect((await save('SITE_INFO', site('x'), { valued: '{' })).status).toBe(422);
    expect((await support.get('/documents/NEW_ONE')).status).toBe(404);
    const fresh = { valued: '1', version: 0, reason: REASON };
    expect(codeOf(await support.post('/documents/NEW_ONE', fresh))).toEqual([404, 'NOT_FOUND']);
  });

  it('that is private and unknown to the product is read by those who may change it only', async () => {
    await api.db.query(`INSERT INTO data_config (id, valued, public) VALUES ('SECRETS', '"s3cret"', false)`);
    const finance = await operators.signIn(await operators.enrol('finance-1', 'finance'));
    expect(await documentOf('SECRETS', finance)).toMatchObject({ valued: null, hidden: true });
    expect(await documentOf('SECRETS')).toMatchObject({ valued: '"s3cret"', hidden: false });
    expect((await save('SECRETS', 'another')).status).toBe(200);
    expect(JSON.stringify(await actionsOf('config', 'SECRETS'))).not.toMatch(/s3cret|another/);
    expect(await documentOf('SECRETS')).toMatchObject({ public: false });
  });
});

describe('customer service', () => {
  it('has accounts with pictures; a check finds those that are not shown, too', async () => {
    const account = { accountType: 1, account: '@Yiqiao_Care', referUrl: '', qr: PNG, listed: true };
    const hidden = { ...account, accountType: 0, account: '+1 202 555 0167', qr: '', listed: false };
    const accounts = [
      { platform: 'Telegram', accountList: [account] },
      { platform: 'WhatsApp', accountList: [hidden] },
    ];
    expect((await save('CUSTOMER_SERVICE', accounts)).status).toBe(200);
    const listed = await visitor.call(listCustomerService, { width: '200', height: '200' });
    expect(listed.map(({ platform }) => platform)).toEqual(['Telegram']);
    expect((await fetch(api.url + (listed[0]?.accountList[0]?.qrCode ?? ''))).headers.get('content-type')).toBe(
      'image/png',
    );
    const tried = async (given: string): Promise<unknown> =>
      (await support.get(`/service-accounts/try?${new URLSearchParams({ account: given }).toString()}`)).body.data;
    expect(await tried('@Yiqiao_Care')).toEqual([{ platform: 'Telegram', accountType: 1, listed: true }]);
    expect(await tried(' +1 202 555 0167 ')).toEqual([{ platform: 'WhatsApp', accountType: 0, listed: false }]);
    expect(await tried('@Yiqiao_Care1')).toEqual([]);
  });
});

describe('a document saved with an operator’s token', () => {
  it('is in the action log as well, chained with the rest', async () => {
    await listManagers(api.db, '小王');
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    await tokenIssue(['--by', '小王'])({ app: await api.commandLine(), language: 'zh', print });
    const response = await fetch(`${api.url}${BASE_PATH}${saveDataConfig.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${lines.join()}` },
      body: JSON.stringify({ id: 'TITLES', valued: '{"zh":"甲"}' }),
    });
    expect(response.status).toBe(200);
    expect(await actionsOf('config', 'TITLES')).toMatchObject([
      { actor: 'token:小王', action: 'config.change', before: null, after: { public: true, valued: { zh: '甲' } } },
    ]);
    expect((await save('TITLES', { zh: '乙' })).status).toBe(200);
    expect((await owner.get('/actions/proof')).body.data).toMatchObject({ whole: true, firstBreak: null });
  });

  it('is all that the members’ process can append to the action log', async () => {
    const append = async (said: object): Promise<unknown> => {
      const connection = await api.db.connect();
      try {
        await connection.query('SET ROLE yiqiao_app');
        return await connection.query('SELECT append_document_action($1)', [JSON.stringify(said)]);
      } finally {
        await connection.query('RESET ROLE');
        connection.release();
      }
    };
    const good = { actor: 'token:x', action: 'config.change', target: { kind: 'config', id: 'X' }, at: 0 };
    for (const wrong of [
      { actor: 'owner-1' },
      { action: 'payment.refund' },
      { target: { kind: 'member', id: '1' } },
      { actor: null },
    ])
      await expect(append({ ...good, ...wrong })).rejects.toThrow('only changes of documents');
  });
});
