import { connect } from 'node:tls';
import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { backupValues } from '../../backup/settings.js';
import { NightlyTasks } from '../../operators/today/nightly-tasks.js';
import type { Text } from '../../platform/cli-messages.js';
import { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config.js';
import { diskSpaces, diskStateOf } from '../../platform/disk-space.js';
import { Health } from '../../platform/health.js';
import { atMost, type Finding, look, reasonOf, right, unneeded, wrong } from './finding.js';

const DISK: Text = { zh: '磁盘', en: 'Disk' };
const PROXY: Text = { zh: '代理', en: 'Proxy' };
const WORKER: Text = { zh: '后台进程', en: 'Worker' };
const GIB = 2 ** 30;

export async function checkDisk(config: Config): Promise<Finding[]> {
  return (await diskSpaces(config)).map((space) => {
    const state = diskStateOf(space);
    const free = `${(space.freeBytes / GIB).toFixed(1)} GiB`;
    const percent = `${Math.floor(space.freeShare * 100)} %`;
    const said: Text = {
      zh: `${space.path} 剩余 ${free}（${percent}）`,
      en: `${space.path} has ${free} left (${percent})`,
    };
    if (state === 'ok') return right(DISK, said);
    const advice: Text = { zh: `${said.zh}：清理或扩容`, en: `${said.en}: make room` };
    return state === 'low' ? look(DISK, advice) : wrong(DISK, advice);
  });
}

/** The worker's heartbeat, and what waits for it. `app`: null while the database is away. */
export async function checkWorker(config: Config, app: INestApplicationContext | null): Promise<Finding[]> {
  if (!app) return [];
  const { worker, outbox, queue } = (await app.get(Health, { strict: false }).report()).parts;
  if (worker.state === 'unknown')
    return [look(WORKER, { zh: 'Redis 不可用，看不到后台进程', en: 'cannot be seen without Redis' })];
  const start: Text = {
    zh: '没有在运行的 worker：邮件、付款查询和夜间任务都停着；启动一个，或查看它的日志',
    en: 'no worker is running, so mail, payment checks and nightly tasks wait: start one, or read its log',
  };
  if (worker.running === 0) return [config.production ? wrong(WORKER, start) : look(WORKER, start)];
  const oldest = Math.max(outbox.oldestSeconds ?? 0, queue.oldestSeconds ?? 0);
  const isLate = [outbox.state, queue.state].some((state) => state === 'failed' || state === 'degraded');
  if (isLate)
    return [
      wrong(WORKER, {
        zh: `有任务已等待 ${oldest} 秒：worker 卡住或不够用，查看日志或再启动一个`,
        en: `something has waited for ${oldest} s: a worker is stuck or they are too few; read the log or start another`,
      }),
    ];
  return [right(WORKER, { zh: `${worker.running} 个在运行`, en: `${worker.running} running` })];
}

const TASKS: Readonly<Record<string, Text>> = {
  audit: { zh: '夜间审计', en: 'Nightly audit' },
  fullAudit: { zh: '完整核对', en: 'Full audit' },
  close: { zh: '每日结账', en: 'Daily close' },
  backup: { zh: '备份', en: 'Backup' },
  drill: { zh: '恢复演练', en: 'Restore drill' },
};
const HOUR_SECONDS = 3_600;

/** When audit, close, backup and drill were done last. Outside of production none is needed. */
export async function checkNightly(config: Config, app: INestApplicationContext | null): Promise<Finding[]> {
  if (!app) return [];
  const em = app.get(EntityManager, { strict: false }).fork();
  const tasks = await new NightlyTasks(app.get(Clock, { strict: false }), config).read(em);
  const elsewhere = backupValues(config) === null && (await isCloudNativePg(em)) ? BY_CLOUDNATIVEPG : {};
  return tasks.flatMap(({ name, state, at, ageSeconds, failedAt }) => {
    const about = TASKS[name];
    if (!about) return [];
    const other = elsewhere[name];
    if (other && state === 'unknown') return [look(about, other)];
    const hours = Math.floor((ageSeconds ?? 0) / HOUR_SECONDS);
    const when: Text =
      at === null ? { zh: '从未', en: 'never' } : { zh: `${at}（${hours} 小时前）`, en: `${at} (${hours} h ago)` };
    if (state === 'ok' || state === 'running')
      return [right(about, { zh: `上次：${when.zh}`, en: `last: ${when.en}` })];
    const mend = failedAt === null ? (MENDS[name] ?? when) : failedSince(failedAt);
    const says: Text = { zh: `上次：${when.zh}；${mend.zh}`, en: `last: ${when.en}; ${mend.en}` };
    if (state === 'differs' || state === 'failed') return [wrong(about, says)];
    return [config.production ? wrong(about, says) : unneeded(about, says)];
  });
}

const failedSince = (at: string): Text => ({
  zh: `${at} 起备份失败：看 operator backup stream 的日志，或运行 operator backup 看它报什么错`,
  en: `it has failed since ${at}: read the log of operator backup stream, or run operator backup to see the error`,
});

/** It archives the log by a program of its own, and nothing else does so by that path. */
async function isCloudNativePg(em: EntityManager): Promise<boolean> {
  const sql = `SELECT current_setting('archive_command') LIKE '/controller/manager %' AS "isIt"`;
  return (await em.execute<{ isIt: boolean }[]>(sql))[0]?.isIt === true;
}

const BY_CLOUDNATIVEPG: Readonly<Record<string, Text>> = {
  backup: {
    zh: '由 CloudNativePG 完成，不经过本程序：看 kubectl get scheduledbackup,backup，并接上警报 CnpgBackupLate 与 CnpgArchivingFails',
    en: 'CloudNativePG makes it, not this program: see kubectl get scheduledbackup,backup, and load the alerts CnpgBackupLate and CnpgArchivingFails',
  },
  drill: {
    zh: 'CloudNativePG 的备份不由本程序恢复：按 docs/operations.md 的 With CloudNativePG 一节演练',
    en: 'this program restores no backup of CloudNativePG: hold it as docs/operations.md says under With CloudNativePG',
  },
};

const MENDS: Readonly<Record<string, Text>> = {
  audit: {
    zh: '设置 AUDIT_AT 并保持 worker 运行，或运行 operator ledger audit',
    en: 'set AUDIT_AT and keep a worker running, or run operator ledger audit',
  },
  fullAudit: {
    zh: '检查 AUDIT_FULL_DAYS 与 worker，或运行 operator ledger audit',
    en: 'look at AUDIT_FULL_DAYS and the worker, or run operator ledger audit',
  },
  close: {
    zh: '为 worker 设置 CLOSE_SIGNING_KEY，或运行 operator ledger close',
    en: 'give the worker CLOSE_SIGNING_KEY, or run operator ledger close',
  },
  backup: {
    zh: '运行 operator backup stream；用别的方法备份的，用 operator backup record <文件> 记下来',
    en: 'run operator backup stream, or note what you back up by other means with operator backup record <file>',
  },
  drill: {
    zh: '给 worker 设置 BACKUP_URL、BACKUP_KEY 与 BACKUP_DRILL_AT，或运行 operator drill',
    en: 'give the worker BACKUP_URL, BACKUP_KEY and BACKUP_DRILL_AT, or run operator drill',
  },
};

const REQUEST_MS = 8_000;
const CERTIFICATE_DAYS = 14;
const DAY_MS = 86_400_000;

/** The way of a member: PUBLIC_URL through the proxy to the api. */
export async function checkProxy(config: Config): Promise<Finding[]> {
  const { publicUrl, production, env } = config;
  const url = new URL(publicUrl);
  if (!production && url.protocol === 'http:')
    return [unneeded(PROXY, { zh: '开发环境不需要', en: 'none is needed in development' })];
  const findings: Finding[] = [];
  if (url.protocol === 'https:' && env.TRUSTED_PROXIES.length === 0)
    findings.push(
      wrong(PROXY, {
        zh: 'TRUSTED_PROXIES 为空：所有会员看起来都来自代理的地址，共用一份限流；填上代理的地址',
        en: 'TRUSTED_PROXIES is empty, so every member seems to come from the proxy and shares its rate limits: set the proxy’s address',
      }),
    );
  return [...findings, ...(await checkPublicUrl(url))];
}

async function checkPublicUrl(url: URL): Promise<Finding[]> {
  try {
    const signal = AbortSignal.timeout(REQUEST_MS);
    const answer = await fetch(new URL('/robots.txt', url), { signal, redirect: 'manual' });
    await answer.body?.cancel();
    if (!answer.headers.has('x-request-id'))
      return [
        wrong(PROXY, {
          zh: `${url.origin} 的回答（${answer.status}）不是本产品的：检查代理转发到哪里`,
          en: `what answers at ${url.origin} (${answer.status}) is not this product: check where the proxy leads`,
        }),
      ];
    return [...(await checkCertificate(url)), await checkStreams(url)];
  } catch (error) {
    const why = reasonOf(error);
    return [
      wrong(PROXY, {
        zh: `${url.origin} 打不开（${why}）：检查域名解析、证书和代理`,
        en: `${url.origin} cannot be opened (${why}): check the name, the certificate and the proxy`,
      }),
    ];
  }
}

async function checkCertificate({ protocol, hostname, port }: URL): Promise<Finding[]> {
  if (protocol !== 'https:') return [];
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
  try {
    const ready = Promise.withResolvers<void>();
    socket.once('secureConnect', ready.resolve).once('error', ready.reject);
    await atMost(REQUEST_MS, ready.promise);
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    if (days >= CERTIFICATE_DAYS)
      return [right(PROXY, { zh: `证书还有 ${days} 天`, en: `the certificate is good for ${days} days` })];
    return [
      wrong(PROXY, {
        zh: `证书只剩 ${days} 天：续期`,
        en: `the certificate ends in ${days} days: renew it`,
      }),
    ];
  } finally {
    socket.destroy();
  }
}

const STREAM_MS = 3_000;

/** A proxy that buffers delays live updates until the stream ends. */
async function checkStreams(url: URL): Promise<Finding> {
  const ending = new AbortController();
  try {
    const stream = new URL(`${BASE_PATH}/notice/openSse/doctor-${Date.now()}`, url);
    const read = async (): Promise<void> => {
      const answer = await fetch(stream, { headers: { Accept: 'text/event-stream' }, signal: ending.signal });
      await answer.body?.getReader().read();
    };
    await atMost(STREAM_MS, read());
    return right(PROXY, {
      zh: `${url.origin} 通向本产品，事件流即时到达`,
      en: `${url.origin} leads to this product, and events arrive at once`,
    });
  } catch {
    return wrong(PROXY, {
      zh: '事件流被代理缓冲：关闭缓冲（nginx：proxy_buffering off）',
      en: 'the proxy holds back live events: turn its buffering off (nginx: proxy_buffering off)',
    });
  } finally {
    ending.abort();
  }
}
