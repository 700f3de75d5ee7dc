import { Site } from '../site/site.js';
import { readArguments, requireWords } from './command-line.js';
import type { Work } from './product.js';
import { CommandError } from '../platform/cli-messages.js';

/** `config get <id>`: the document alone, so that it can be edited and set again. */
export function configGet(args: string[]): Work {
  const [id = ''] = requireWords(readArguments(args, {}), ['id']);
  return async ({ app, say }) => {
    const found = await app.get(Site).find(id);
    if (!found) throw new CommandError({ zh: `没有配置 ${id}`, en: `Nothing is configured under ${id}.` });
    say(JSON.stringify(found.valued, null, 2));
  };
}
