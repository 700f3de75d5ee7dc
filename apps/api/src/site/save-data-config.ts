import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { type AuthorOf, findManager } from '../platform/manager-actions.js';
import { Config } from '../platform/config.js';
import type { ClientInfo } from '../platform/endpoint.js';
import { checkDocument, isAlwaysPrivate } from './known-documents.js';
import { Site } from './site.js';

/** `valued`: JSON text. `version`: the one that the author has read, 0 for none; absent: any. */
type Saving = { readonly id: string; readonly valued: string; readonly version?: number };
type Saved = { version: number; valued: unknown };

export class SaveDataConfig extends Command<Saved> {
  constructor(
    readonly input: Saving,
    readonly by: { readonly author: AuthorOf; readonly language: Language },
  ) {
    super();
  }
}

/** Replaces a document (decisions §9) and keeps its visibility; a new one is public. */
@CommandHandler(SaveDataConfig)
export class SaveDataConfigHandler implements ICommandHandler<SaveDataConfig> {
  constructor(
    private readonly site: Site,
    private readonly config: Config,
  ) {}

  async execute({ input: { id, valued, version }, by: { author, language } }: SaveDataConfig): Promise<Saved> {
    const checked = checkDocument(id, parseDocument(valued), this.config);
    if ('wrong' in checked)
      throw new Refusal('VALIDATION_FAILED', {
        errors: [{ path: 'valued', code: 'DOCUMENT_SHAPE' }],
        data: { why: checked.wrong[language], at: checked.at ?? null },
      });
    const isPublic = isAlwaysPrivate(id) ? { public: false } : {};
    const saved = await this.site.set({ id, valued: checked.valued, ...isPublic }, author, version);
    return { version: saved.version, valued: checked.valued };
  }
}

/** The author of a change with an operator's token. It is in the action log as `token:<name>`: this process can append nothing else. */
export const tokenAuthor =
  (name: string, { ip, requestId }: ClientInfo): AuthorOf =>
  async (em) => {
    const managerId = await findManager(em, name);
    // The manager may have been removed after the token was issued.
    if (managerId === null) throw new Refusal('FORBIDDEN');
    const from = { at: Date.now(), actor: `token:${name}`, ip, requestId };
    const log = (inner: EntityManager, change: object): Promise<unknown> =>
      // Raw: the function exists so that this role needs no right to the log itself.
      inner.execute('SELECT append_document_action(?::jsonb)', [JSON.stringify({ ...change, ...from })]);
    return { managerId, reason: null, log };
  };

/** Throws VALIDATION_FAILED for what is not JSON. */
export function parseDocument(text: string): unknown {
  try {
    const document: unknown = JSON.parse(text);
    // PostgreSQL stores no NUL.
    if (!JSON.stringify(document).includes('\\u0000')) return document;
  } catch {
    // Refused below.
  }
  throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'valued', code: 'NOT_JSON' }] });
}
