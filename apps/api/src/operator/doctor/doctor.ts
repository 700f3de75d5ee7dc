import { MikroORM } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { backupSettings } from '../../backup/settings.js';
import { signingSettings } from '../../ledger/closes/close-keys.js';
import { type Language, type Text, terminalLanguage, UsageError } from '../../platform/cli-messages.js';
import { type Config, loadConfig } from '../../platform/config.js';
import { ConfigurationError } from '../../platform/configuration-error.js';
import { vendorSettings } from '../../translation/channels/vendors.js';
import { readArguments, requireWords } from '../command-line.js';
import { openApp } from '../operator-app.js';
import { checkArchive } from './check-archive.js';
import { checkDisk, checkNightly, checkProxy, checkWorker } from './check-installation.js';
import { checkGateways, checkMail, checkVendors } from './check-partners.js';
import { checkClock, checkDatabase, checkRedis } from './check-stores.js';
import { type Finding, type FindingState, look, reasonOf, right, wrong } from './finding.js';
import { inLanguages } from './settings-messages.js';

const SETTINGS: Text = { zh: '配置', en: 'Settings' };
const MARKS: Record<FindingState, string> = { right: '✓', look: '!', wrong: '✗', unneeded: '–' };

/**
 * `doctor`: walks through the installation with the environment of the operator's commands and prints a line for each thing: right, or how
 * to mend it. Vendors are asked to translate a sentence, gateways for an order that does not exist; nothing is changed. Returns 1 when
 * something is wrong, 2 for wrong usage.
 */
export async function doctor(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<number> {
  const language = terminalLanguage(env);
  const print = (text: Text): void => void process.stdout.write(`${text[language]}\n`);
  try {
    requireWords(readArguments(args, {}), []);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.text[language]}\n`);
    return 2;
  }
  let count = 0;
  const show = (findings: readonly Finding[]): void => {
    for (const finding of findings) {
      if (finding.state === 'wrong') count++;
      print(lineOf(finding));
    }
  };
  const config = readSettings(env, show);
  if (config) await examine(config, show);
  if (count === 0) print({ zh: '没有问题', en: 'Nothing is wrong.' });
  else print({ zh: `${count} 处有问题`, en: count === 1 ? '1 thing is wrong.' : `${count} things are wrong.` });
  return count === 0 ? 0 : 1;
}

const lineOf = ({ about, state, says }: Finding): Text => {
  const line = (language: Language): string =>
    `${MARKS[state]} ${about[language]}${SEPARATOR[language]}${says[language]}`;
  return { zh: line('zh'), en: line('en') };
};
const SEPARATOR: Text = { zh: '：', en: ': ' };

type Show = (findings: readonly Finding[]) => void;

/** Null when the settings do not suffice to look further. */
function readSettings(env: NodeJS.ProcessEnv, show: Show): Config | null {
  try {
    // Lines of the log would come between the findings.
    const config = loadConfig({ ...env, LOG_LEVEL: 'silent' }, [...vendorSettings, signingSettings, backupSettings]);
    show(config.warnings.map((warning) => look(SETTINGS, inLanguages(warning))));
    const kind = config.env.NODE_ENV;
    show([right(SETTINGS, { zh: `完整（${kind}）`, en: `complete (${kind})` })]);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    show(error.problems.map((problem) => wrong(SETTINGS, inLanguages(problem))));
    return null;
  }
}

type Named = readonly [about: Text, check: (config: Config, app: INestApplicationContext | null) => Promise<Finding[]>];

const CHECKS: readonly Named[] = [
  [{ zh: '数据库', en: 'Database' }, checkDatabase],
  [{ zh: 'Redis', en: 'Redis' }, checkRedis],
  [{ zh: '时钟', en: 'Clock' }, checkClock],
  [{ zh: '邮件', en: 'Mail' }, checkMail],
  [{ zh: '支付网关', en: 'Payment gateways' }, checkGateways],
  [{ zh: '翻译供应商', en: 'Translation vendors' }, checkVendors],
  [{ zh: '磁盘', en: 'Disk' }, checkDisk],
  [{ zh: '后台进程', en: 'Worker' }, checkWorker],
  [{ zh: '夜间任务', en: 'Nightly tasks' }, checkNightly],
  [{ zh: '日志归档', en: 'Archive of the log' }, checkArchive],
  [{ zh: '代理', en: 'Proxy' }, checkProxy],
];

/** One check that fails unexpectedly hides none of the others. */
async function examine(config: Config, show: Show): Promise<void> {
  const app = await openWithDatabase(config);
  try {
    for (const [about, check] of CHECKS)
      show(await check(config, app).catch((error: unknown) => [wrong(about, unchecked(error))]));
  } finally {
    await app?.close();
  }
}

/** Null without the database; why is what its check says. */
async function openWithDatabase(config: Config): Promise<INestApplicationContext | null> {
  const app = await openApp(config).catch(() => null);
  const isThere = await app
    ?.get(MikroORM, { strict: false })
    .isConnected()
    .catch(() => false);
  if (isThere === true) return app;
  await app?.close();
  return null;
}

const unchecked = (error: unknown): Text => ({
  zh: `无法检查（${reasonOf(error)}）`,
  en: `cannot be checked (${reasonOf(error)})`,
});
