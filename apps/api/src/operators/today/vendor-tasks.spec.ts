import { describe, expect, it } from '@jest/globals';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { Clock } from '../../platform/clock.js';
import { loadConfig } from '../../platform/config.js';
import { vendorTasks } from './vendor-tasks.js';

type Channel = Answer<typeof listVendorAccounts>['channels'][number];
type Account = Channel['accounts'][number];
type Health = Account['health'];

const clock = new Clock(
  loadConfig({
    DATABASE_URL: 'postgresql://none',
    REDIS_URL: 'redis://none',
    SMTP_URL: 'smtp://none',
    APP_SECRET: '0'.repeat(64),
  }),
);
const at = (seconds: number): string => clock.toWire(new Date(clock.now().getTime() + seconds * 1_000));

const well: Health = {
  breaker: 'closed',
  openIn: 0,
  processes: 1,
  openKind: null,
  openUntil: null,
  requests: 10,
  successShare: 1,
  medianMs: 5,
  p95Ms: 9,
  requestShare: 1,
  charsToday: 0,
  charsLeft: null,
  charsLastHour: 0,
  endsAt: null,
  failures: [],
};
const account = (health: Partial<Health>, paused = false): Account => ({
  id: 1,
  name: 'pro 2',
  origin: 'console',
  baseUrl: '',
  region: null,
  model: null,
  keyEnd: null,
  keySetAt: null,
  sandbox: false,
  paused,
  weight: 1,
  requestsPerSecond: null,
  charsPerMinute: null,
  charsPerDay: null,
  charCost: 0,
  voiceCost: 0,
  imageCost: 0,
  health: { ...well, ...health },
});
const tasksOf = (...accounts: Account[]) => {
  const channel = { id: 3, code: 'deepl', name: 'DeepL', price: 1, available: true, requests: 0 } as const;
  const figures = { successShare: null, medianMs: null, p95Ms: null };
  return vendorTasks([{ ...channel, ...figures, accounts }], { clock, language: 'zh' });
};

describe('tasks of vendor accounts', () => {
  it('are none while the accounts serve, or are paused', () => {
    expect(tasksOf(account({}), account({ charsLeft: 5 }), account({ breaker: 'open' }, true))).toEqual([]);
  });

  it('say that one is cut off, since when and what the vendor said', () => {
    const failures = [{ at: at(-90), kind: 'quota', said: 'out of quota' }];
    const [task] = tasksOf(account({ breaker: 'open', failures }));
    expect(task).toMatchObject({
      what: 'cutOff',
      ref: 'deepl/pro 2',
      title: 'DeepL 的 pro 2 熔断',
      note: 'out of quota',
    });
    expect(task?.leftSeconds).toBeNull();
    expect(Math.abs((task?.waitedSeconds ?? 0) - 90)).toBeLessThanOrEqual(2);
  });

  it('have the end of a cap as their deadline, and what is used of it', () => {
    const [task] = tasksOf(account({ charsToday: 7_500, charsLeft: 500, charsLastHour: 480, endsAt: at(3_600) }));
    expect(task).toMatchObject({ what: 'capEnds', note: '7,500 / 8,000 字符，近一小时 480' });
    expect(Math.abs((task?.leftSeconds ?? 0) - 3_600)).toBeLessThanOrEqual(2);
    expect(tasksOf(account({ charsToday: 8_000, charsLeft: 0 }))[0]).toMatchObject({
      what: 'capReached',
      leftSeconds: null,
    });
  });
});
