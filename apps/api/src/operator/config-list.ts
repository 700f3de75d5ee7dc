import { Clock } from '../platform/clock.js';
import { Site } from '../site/site.js';
import { readArguments, requireWords } from './command-line.js';
import type { Work } from './product.js';
import { table } from './table.js';

const SHOWN_MOST = 80;

const HEAD = {
  zh: ['编号', '公开', '修改时间', '内容'],
  en: ['id', 'public', 'changed', 'content'],
} as const;

/** `config list`: every document of the data config, shortened. */
export function configList(args: string[]): Work {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, say }) => {
    const clock = app.get(Clock);
    const yes = { zh: ['否', '是'], en: ['no', 'yes'] }[language];
    const rows = (await app.get(Site).all()).map((each) => [
      ...[each.id, yes[each.public ? 1 : 0] ?? '', clock.toWire(each.changedAt)],
      shortened(JSON.stringify(each.valued)),
    ]);
    say(rows.length > 0 ? table(HEAD[language], rows) : { zh: '没有配置', en: 'Nothing is configured.' }[language]);
  };
}

const shortened = (text: string): string => (text.length > SHOWN_MOST ? `${text.slice(0, SHOWN_MOST - 1)}…` : text);
