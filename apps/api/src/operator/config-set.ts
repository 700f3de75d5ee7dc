import { readFileSync } from 'node:fs';
import { configId } from '@yiqiao/contracts/site';
import { Config } from '../platform/config.js';
import { checkDocument, isAlwaysPrivate } from '../site/known-documents.js';
import { Site } from '../site/site.js';
import { readArguments, requireWords } from './command-line.js';
import { authorOf } from './managers.js';
import type { Work } from './product.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';

/** A document larger than this is no configuration. */
const BYTES_MOST = 256 * 1024;
const PRIVATE = '--private';

/** `config set <id> <json|@file> [--private] [--reason "…"] [--by name]`: the whole document anew. Without `--private` everybody may read it. */
export function configSet(args: string[]): Work {
  const typed = readArguments(
    args.filter((arg) => arg !== PRIVATE),
    { options: ['reason', 'by'] },
  );
  const [id = '', given = ''] = requireWords(typed, ['id', 'json|@file']);
  if (!configId.safeParse(id).success)
    throw new UsageError({
      zh: `编号为 1–64 位字母、数字或下划线，而不是 ${id}`,
      en: `An id has 1–64 letters, digits or _, not ${id}`,
    });
  const isPrivate = args.includes(PRIVATE) || isAlwaysPrivate(id);
  const document = parse(given.startsWith('@') ? read(given.slice(1)) : given);
  const author = authorOf(typed);
  return async ({ app, language, say }) => {
    const site = app.get(Site);
    const checked = checkDocument(id, document, app.get(Config));
    if ('wrong' in checked) throw new CommandError(checked.wrong);
    const before = await site.set({ id, valued: checked.valued, public: !isPrivate }, author);
    const access = isPrivate ? { zh: '私有', en: 'private' } : { zh: '公开', en: 'public' };
    say(`${id} (${access[language]})`);
    say(`  ${before ? JSON.stringify(before.valued) : '–'} → ${JSON.stringify(checked.valued)}`);
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError({ zh: `无法读取文件 ${file}`, en: `The file ${file} cannot be read.` });
  }
}

function parse(text: string): unknown {
  if (Buffer.byteLength(text) > BYTES_MOST)
    throw new UsageError({ zh: '内容超过 256 KiB', en: 'The document is larger than 256 KiB.' });
  try {
    const document: unknown = JSON.parse(text);
    if (!JSON.stringify(document).includes('\\u0000')) return document;
  } catch {
    // Said below.
  }
  throw new UsageError({
    zh: '内容不是有效的 JSON，例如 \'{"enabled":true,"url":"https://…"}\'，或用 @文件名',
    en: 'The document is not valid JSON such as \'{"enabled":true,"url":"https://…"}\'; @name reads a file.',
  });
}
