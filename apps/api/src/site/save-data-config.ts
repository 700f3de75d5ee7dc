import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { saveDataConfig } from '@yiqiao/contracts/site';
import { Refusal } from '@yiqiao/domain/errors';
import { findManager } from '../platform/manager-actions.js';
import { Config } from '../platform/config.js';
import { checkDocument, isAlwaysPrivate } from './known-documents.js';
import { Site } from './site.js';

export class SaveDataConfig extends Command<true> {
  constructor(
    readonly input: Input<typeof saveDataConfig>,
    readonly by: { readonly operator: string; readonly language: Language },
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

  async execute({ input: { id, valued }, by: { operator, language } }: SaveDataConfig): Promise<true> {
    const checked = checkDocument(id, parse(valued), this.config);
    if ('wrong' in checked)
      throw new Refusal('VALIDATION_FAILED', {
        errors: [{ path: 'valued', code: 'DOCUMENT_SHAPE' }],
        data: { why: checked.wrong[language] },
      });
    const isPublic = isAlwaysPrivate(id) ? { public: false } : {};
    await this.site.set({ id, valued: checked.valued, ...isPublic }, async (em) => {
      const managerId = await findManager(em, operator);
      // The manager may have been removed after the token was issued.
      if (managerId === null) throw new Refusal('FORBIDDEN');
      return { managerId, reason: null };
    });
    return true;
  }
}

function parse(text: string): unknown {
  try {
    const document: unknown = JSON.parse(text);
    // PostgreSQL stores no NUL.
    if (!JSON.stringify(document).includes('\\u0000')) return document;
  } catch {
    // Refused below.
  }
  throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'valued', code: 'NOT_JSON' }] });
}
