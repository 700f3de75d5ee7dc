import { describe, expect, it } from '@jest/globals';
import { creating, deleting, editing, listing, showing, type Call } from './resources.js';

const LISTS = ['accountLogs', 'translationLogs', 'loginLogs', 'childUsers', 'orders', 'apiKeys', 'terms'];

/** As it goes over the wire: a GET has texts only, and nothing that is empty. */
const sent = ({ endpoint, input }: Call): Record<string, unknown> =>
  endpoint.method === 'GET'
    ? Object.fromEntries(Object.entries(input).map(([key, value]) => [key, String(value)]))
    : input;
/** What the server is asked, once its contract has read it; throws where the contract refuses. */
const read = (call: Call): [string, unknown] => [
  `${call.endpoint.method} ${call.endpoint.path}`,
  call.endpoint.request.parse(sent(call)),
];

describe('what Refine asks of the API', () => {
  it.each(LISTS)('pages the list of %s as its contract takes it', (resource) => {
    expect(read(listing(resource, { pageNum: 3, pageSize: 20, filters: [] }))[1]).toEqual({ pageNum: 3, pageSize: 20 });
  });

  it('sends a filter as a parameter, and leaves out what means all', () => {
    const filters = [
      { field: 'loginIp', operator: 'eq', value: '10.0.0.1' },
      { field: 'clientType', operator: 'eq', value: -1 },
      { field: 'loginDateTimeBegin', operator: 'eq', value: '' },
    ] as const;
    const { input } = listing('loginLogs', { pageNum: 1, pageSize: 10, filters });
    expect(input).toEqual({ pageNum: 1, pageSize: 10, loginIp: '10.0.0.1' });
  });

  it('maps every action on a sub-account', () => {
    const child = { account: 'zhang3', password: 'secret-1', nickname: '', enabled: 1 };
    expect([
      read(showing('childUsers', 7)),
      read(creating('childUsers', child)),
      read(editing('childUsers', '7', { nickname: '小张' })),
      read(deleting('childUsers', ['7', 8])),
    ]).toEqual([
      ['GET /user/getChildInfo', { userId: 7 }],
      ['POST /user/saveChildUser', { account: 'zhang3', password: 'secret-1', enabled: 1 }],
      ['POST /user/saveChildUser', { userId: 7, nickname: '小张' }],
      ['POST /user/delChild', { childrenIds: [7, 8] }],
    ]);
  });

  it('maps every action on a term', () => {
    const term = { source: 'zh', target: 'en', term: '译桥', translation: 'Yiqiao' };
    expect([read(creating('terms', term)), read(editing('terms', 3, term)), read(deleting('terms', [3]))]).toEqual([
      ['POST /glossary/save', term],
      ['POST /glossary/save', { id: 3, ...term }],
      ['POST /glossary/delete', { ids: [3] }],
    ]);
  });

  it('maps every action on a key', () => {
    const key = { name: 'Shop', scopes: ['text'] };
    const whole = {
      ...key,
      tranChannelId: null,
      dayCap: 0,
      monthCap: 0,
      requestsPerSecond: 0,
      allowedIps: [],
      expireDateTime: null,
    };
    expect([
      read(showing('apiKeys', '4')),
      read(creating('apiKeys', key)),
      read(editing('apiKeys', '4', key)),
      read(deleting('apiKeys', ['4', 5])),
    ]).toEqual([
      ['GET /apiKey/get', { id: 4 }],
      ['POST /apiKey/create', { kind: 'secret', ...whole }],
      ['POST /apiKey/update', { id: 4, ...whole }],
      ['POST /apiKey/revoke', { ids: [4, 5] }],
    ]);
  });

  it('shows one login', () => {
    expect(read(showing('loginLogs', 5))).toEqual(['GET /loginLog/get', { id: 5 }]);
  });

  it.each([
    ['orders', () => deleting('orders', [1])],
    ['accountLogs', () => creating('accountLogs', {})],
    ['nothing', () => listing('nothing', { pageNum: 1, pageSize: 10, filters: [] })],
  ])('has no call for what %s cannot do', (resource, ask) => {
    expect(ask).toThrow(`${resource} has no`);
  });
});
