import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { bytesBehind, readArchive } from '../../backup/archive-state.js';
import { backupValues } from '../../backup/settings.js';
import type { Text } from '../../platform/cli-messages.js';
import type { Config } from '../../platform/config.js';
import { type Finding, look, right, unneeded, wrong } from './finding.js';

const ARCHIVE: Text = { zh: '日志归档', en: 'Archive of the log' };
const MEBIBYTE = 2 ** 20;
/** Four segments: more than a stream that keeps up has before it. */
const MUCH = 64 * MEBIBYTE;

/** Whether `operator backup stream` reads the log, and how far what it has stored is behind. Nothing where it has never run and is not meant to. */
export async function checkArchive(config: Config, app: INestApplicationContext | null): Promise<Finding[]> {
  if (!app) return [];
  const state = await readArchive(app.get(EntityManager, { strict: false }).fork());
  if (!state)
    return backupValues(config) === null ? [] : [config.production ? look(ARCHIVE, NEVER) : unneeded(ARCHIVE, NEVER)];
  const bytes = bytesBehind(state);
  const mebibytes = ((bytes ?? 0) / MEBIBYTE).toFixed(1);
  if (!state.isConnected) {
    const lag: Text =
      bytes === null
        ? { zh: '数据库已删掉它要的日志', en: 'PostgreSQL has removed what it needs next' }
        : { zh: `落后 ${mebibytes} MiB`, en: `${mebibytes} MiB behind` };
    const says: Text = {
      zh: `未连接，${lag.zh}：启动 operator backup stream，或查看它的日志；不再备份的，删掉复制槽 yiqiao_backup`,
      en: `not connected, ${lag.en}: start operator backup stream or read its log; if you have given up backups, drop the slot yiqiao_backup`,
    };
    return [config.production ? wrong(ARCHIVE, says) : look(ARCHIVE, says)];
  }
  const says: Text = { zh: `已连接，落后 ${mebibytes} MiB`, en: `connected, ${mebibytes} MiB behind` };
  if (bytes !== null && bytes <= MUCH) return [right(ARCHIVE, says)];
  return [
    look(ARCHIVE, {
      zh: `${says.zh}：存储太慢或拒绝写入，查看 operator backup stream 的日志`,
      en: `${says.en}: the storage is slow or refuses, read the log of operator backup stream`,
    }),
  ];
}

const NEVER: Text = {
  zh: '从未运行：全量备份之后写入的数据不在备份中；运行 operator backup stream',
  en: 'has never run, so what is written after a full copy is in no backup: run operator backup stream',
};
