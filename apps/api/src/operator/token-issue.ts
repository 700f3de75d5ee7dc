import { EntityManager } from '@mikro-orm/postgresql';
import { Clock } from '../platform/clock.js';
import { OperatorTokens } from '../platform/operator-token.js';
import { readArguments, requireWords } from './command-line.js';
import { managerIdOf, operatorName } from './managers.js';
import type { Work } from './product.js';

/** `token [--by name]`: an hour's leave to write over HTTP. The token alone goes to standard output. */
export function tokenIssue(args: string[]): Work {
  const typed = readArguments(args, { options: ['by'] });
  requireWords(typed, []);
  const name = operatorName(typed);
  return async ({ app, language, say }) => {
    await managerIdOf(app.get(EntityManager).fork(), name);
    const { token, until } = app.get(OperatorTokens).issue(name);
    const time = app.get(Clock).toWire(until);
    const note = { zh: `${name}，有效期至 ${time}`, en: `${name}, good until ${time}` }[language];
    process.stderr.write(`${note}\n`);
    say(token);
  };
}
