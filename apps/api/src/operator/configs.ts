import { readFileSync } from 'node:fs';
import { configId } from '@yiqiao/contracts/site';
import { Clock } from '../platform/clock.js';
import { Site } from '../site/site.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { Config } from '../platform/config.js';
import { checkDocument, isAlwaysPrivate } from '../site/known-documents.js';
import { readArguments, requireWords } from './command-line.js';
import type { OperatorTask } from './operator-app.js';
import { table } from './table.js';
import { authorOf } from './managers.js';

const SHOWN_MOST = 80;

const HEAD = {
  zh: ['编号', '公开', '修改时间', '内容'],
  en: ['id', 'public', 'changed', 'content'],
} as const;

/** `config list`: every document of the data config, shortened. */
export function configList(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const clock = app.get(Clock);
    const yes = { zh: ['否', '是'], en: ['no', 'yes'] }[language];
    const rows = (await app.get(Site).all()).map((each) => [
      each.id,
      yes[each.public ? 1 : 0] ?? '',
      clock.toWire(each.changedAt),
      shortened(JSON.stringify(each.valued)),
    ]);
    print(rows.length > 0 ? table(HEAD[language], rows) : { zh: '没有配置', en: 'Nothing is configured.' }[language]);
  };
}

const shortened = (text: string): string => (text.length > SHOWN_MOST ? `${text.slice(0, SHOWN_MOST - 1)}…` : text);

/** `config get <id>`: prints only the document, so that it can be edited and set again. */
export function configGet(args: string[]): OperatorTask {
  const [id = ''] = requireWords(readArguments(args, {}), ['id']);
  return async ({ app, print }) => {
    const found = await app.get(Site).find(id);
    if (!found) throw new CommandError({ zh: `没有配置 ${id}`, en: `Nothing is configured for ${id}.` });
    print(JSON.stringify(found.valued, null, 2));
  };
}

/** The maximum size of a document. */
const BYTES_MOST = 256 * 1024;
const PRIVATE = '--private';

/** `config set <id> <json|@file> [--private] [--reason "…"] [--by name]`: replaces the document. It is public without `--private`. */
export function configSet(args: string[]): OperatorTask {
  const parsed = readArguments(
    args.filter((arg) => arg !== PRIVATE),
    { options: ['reason', 'by'] },
  );
  const [id = '', given = ''] = requireWords(parsed, ['id', 'json|@file']);
  if (!configId.safeParse(id).success)
    throw new UsageError({
      zh: `编号为 1–64 位字母、数字或下划线，而不是 ${id}`,
      en: `An id must have 1–64 letters, digits or _, not ${id}`,
    });
  const isPrivate = args.includes(PRIVATE) || isAlwaysPrivate(id);
  const document = parse(given.startsWith('@') ? read(given.slice(1)) : given);
  const author = authorOf(parsed);
  return async ({ app, language, print }) => {
    const site = app.get(Site);
    const checked = checkDocument(id, document, app.get(Config));
    if ('wrong' in checked) throw new CommandError(checked.wrong);
    const { before } = await site.set({ id, valued: checked.valued, public: !isPrivate }, author({ app }));
    const access = isPrivate ? { zh: '私有', en: 'private' } : { zh: '公开', en: 'public' };
    print(`${id} (${access[language]})`);
    print(`  ${before ? JSON.stringify(before.valued) : '–'} → ${JSON.stringify(checked.valued)}`);
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError({ zh: `无法读取文件 ${file}`, en: `Cannot read the file ${file}.` });
  }
}

function parse(text: string): unknown {
  if (Buffer.byteLength(text) > BYTES_MOST)
    throw new UsageError({ zh: '内容超过 256 KiB', en: 'The document is larger than 256 KiB.' });
  try {
    const document: unknown = JSON.parse(text);
    if (!JSON.stringify(document).includes('\\u0000')) return document;
  } catch {
    // Reported below.
  }
  throw new UsageError({
    zh: '内容不是有效的 JSON，例如 \'{"enabled":true,"url":"https://…"}\'，或用 @文件名',
    en: 'The document is not valid JSON, such as \'{"enabled":true,"url":"https://…"}\'; @name reads a file.',
  });
}
