import { stat } from 'node:fs/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { BACKUP_ACTION } from '../operators/action-log.js';
import { CommandError } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import { logOf } from './managers.js';
import type { OperatorTask } from './operator-app.js';

/** `backup record <file>`: after a backup, so that the console shows its age and its size. It must be a file with content. */
export function backupRecord(args: string[]): OperatorTask {
  const [file = ''] = requireWords(readArguments(args, {}), ['file']);
  return async ({ app, language, print }) => {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile() || found.size === 0)
      throw new CommandError({ zh: `${file} 不是有内容的文件`, en: `${file} is no file with content.` });
    const bytes = found.size;
    const log = logOf({ app });
    await app
      .get(EntityManager, { strict: false })
      .fork()
      .transactional((em) => log(em, { action: BACKUP_ACTION, after: { bytes } }));
    print({ zh: `已记下备份，${bytes} 字节`, en: `Recorded a backup of ${bytes} bytes.` }[language]);
  };
}
