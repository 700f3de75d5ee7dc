import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listTasks, VENDOR_TASKS } from '@yiqiao/contracts/operator/today';
import type { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import type { Clock } from '../../platform/clock.js';

type Task = Answer<typeof listTasks>['tasks'][number];
type Channel = Answer<typeof listVendorAccounts>['channels'][number];
type Account = Channel['accounts'][number];
type Trouble = (typeof VENDOR_TASKS)[number];

/** Accounts that do not serve, or will not before midnight. Who paused one knows it. */
export function vendorTasks(
  channels: readonly Channel[],
  { clock, language }: { clock: Clock; language: Language },
): Task[] {
  const now = clock.now();
  const secondsTo = (at: string): number =>
    Math.max(0, Math.round((clock.fromWire(at).getTime() - now.getTime()) / 1000));
  return channels.flatMap((channel) =>
    channel.accounts.flatMap((account) => {
      const what = troubleOf(account);
      if (what === null) return [];
      const { name, health } = account;
      const ref = `${channel.code}/${name}`;
      const [failure] = what === 'cutOff' ? health.failures : [];
      const since = failure?.at ?? clock.toWire(now);
      const time = health.endsAt?.slice(11, 16) ?? '';
      return [
        {
          kind: 'vendor' as const,
          id: ref,
          what,
          ref,
          title: TITLES[what][language]({ channel: spaced(channel.name), account: name, time }),
          note: failure ? failure.said : usedOf(account, language),
          amount: null,
          since,
          waitedSeconds: Math.max(0, Math.floor((now.getTime() - clock.fromWire(since).getTime()) / 1000)),
          leftSeconds: what === 'capEnds' && health.endsAt !== null ? secondsTo(health.endsAt) : null,
        },
      ];
    }),
  );
}

function troubleOf({ paused, health }: Account): Trouble | null {
  if (paused) return null;
  if (health.breaker === 'open') return 'cutOff';
  if (health.charsLeft === 0) return 'capReached';
  return health.endsAt === null ? null : 'capEnds';
}

const usedOf = ({ health: { charsToday, charsLeft, charsLastHour } }: Account, language: Language): string | null => {
  if (charsLeft === null) return null;
  const [used, cap, lastHour] = [charsToday, charsToday + charsLeft, charsLastHour].map((n) => GROUPED.format(n));
  return language === 'en'
    ? `${used} of ${cap} characters, ${lastHour} in the last hour`
    : `${used} / ${cap} 字符，近一小时 ${lastHour}`;
};

/** Before a Chinese character, Latin letters and digits take a space. */
const spaced = (name: string): string => (/[\w)]$/.test(name) ? `${name} ` : name);

const GROUPED = new Intl.NumberFormat('en-US');

type Said = { channel: string; account: string; time: string };
const TITLES: Record<Trouble, Record<Language, (said: Said) => string>> = {
  cutOff: {
    zh: ({ channel, account }) => `${channel}的 ${account} 熔断`,
    en: ({ channel, account }) => `${account} of ${channel.trim()} is cut off`,
  },
  capReached: {
    zh: ({ channel, account }) => `${channel}的 ${account} 已用尽今日上限`,
    en: ({ channel, account }) => `${account} of ${channel.trim()} has reached its cap of today`,
  },
  capEnds: {
    zh: ({ channel, account, time }) => `${channel}的 ${account} 约 ${time} 用尽今日上限`,
    en: ({ channel, account, time }) => `${account} of ${channel.trim()} reaches its cap at about ${time}`,
  },
};
