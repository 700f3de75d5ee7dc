import { EntityManager } from '@mikro-orm/postgresql';
import {
  Command,
  CommandBus,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import {
  type checkDocument,
  type getDocument,
  KNOWN_DOCUMENTS,
  type listDocuments,
  type saveDocument,
} from '@yiqiao/contracts/operator/documents';
import { Refusal } from '@yiqiao/domain/errors';
import { mayDo, type OperatorRole } from '@yiqiao/domain/operators';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Live } from '../../platform/live.js';
import { checkDocument as checked, isAlwaysPrivate } from '../../site/known-documents.js';
import { parseDocument, SaveDataConfig } from '../../site/save-data-config.js';
import { type DataConfig, Site, versionOf } from '../../site/site.js';
import { ActionLog } from '../action-log.js';
import { tellOperators } from '../operator-streams.js';
import { type ContentAuthor, contentAuthor } from './change-notice.js';

type List = Answer<typeof listDocuments>;
type Found = Answer<typeof getDocument>;
type Head = List['rows'][number];

const isKnown = (id: string): boolean => (KNOWN_DOCUMENTS as readonly string[]).includes(id);
const text = (valued: unknown): string => JSON.stringify(valued, null, 2);

/** The documents of the data config, for operators (operators §10). */
export class ListDocuments extends Query<List> {}
export class GetDocument extends Query<Found> {
  constructor(
    readonly id: string,
    readonly role: OperatorRole,
  ) {
    super();
  }
}

@QueryHandler(ListDocuments)
export class ListDocumentsHandler implements IQueryHandler<ListDocuments> {
  constructor(
    private readonly site: Site,
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<List> {
    const saved = await this.site.all();
    const ids = [...KNOWN_DOCUMENTS, ...saved.map(({ id }) => id).filter((id) => !isKnown(id))];
    const names = await lastChangers(this.em.fork(), ids);
    const rows = ids.map((id) =>
      headOf(id, {
        document: saved.find((each) => each.id === id) ?? null,
        changedBy: names.get(id),
        clock: this.clock,
      }),
    );
    return { rows, total: rows.length };
  }
}

@QueryHandler(GetDocument)
export class GetDocumentHandler implements IQueryHandler<GetDocument> {
  constructor(
    private readonly site: Site,
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ id, role }: GetDocument): Promise<Found> {
    const document = await this.site.find(id);
    if (!document && !isKnown(id)) throw new Refusal('NOT_FOUND');
    const changedBy = (await lastChangers(this.em.fork(), [id])).get(id);
    // A private document that the product does not know may be a secret.
    const hidden = document !== null && !document.public && !isKnown(id) && !mayDo(role, 'content.change');
    return {
      ...headOf(id, { document, changedBy, clock: this.clock }),
      valued: document && !hidden ? text(document.valued) : null,
      hidden,
    };
  }
}

function headOf(
  id: string,
  { document, changedBy, clock }: { document: DataConfig | null; changedBy: string | undefined; clock: Clock },
): Head {
  return {
    id,
    changedAt: document && clock.toWire(document.changedAt),
    changedBy: changedBy ?? null,
    version: versionOf(document),
    public: document?.public ?? !isAlwaysPrivate(id),
  };
}

/** By the index of targets. Raw: DISTINCT ON. */
async function lastChangers(em: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await em.execute<{ id: string; actor: string }[]>(
    `SELECT DISTINCT ON (target_id) target_id AS id, actor FROM operator_action
     WHERE target_kind = 'config' AND target_id = ANY (?::text[]) ORDER BY target_id, n DESC`,
    [`{${ids.join(',')}}`],
  );
  return new Map(rows.map(({ id, actor }) => [id, actor]));
}

/** The check of saving, without saving. Throws VALIDATION_FAILED for what is not JSON. */
export class CheckDocument extends Query<Answer<typeof checkDocument>> {
  constructor(
    readonly input: Input<typeof checkDocument>,
    readonly language: Language,
  ) {
    super();
  }
}

@QueryHandler(CheckDocument)
export class CheckDocumentHandler implements IQueryHandler<CheckDocument> {
  constructor(private readonly config: Config) {}

  execute({ input: { id, valued }, language }: CheckDocument): Promise<Answer<typeof checkDocument>> {
    const outcome = checked(id, parseDocument(valued), this.config);
    return Promise.resolve(
      'wrong' in outcome
        ? { valued: null, wrong: outcome.wrong[language], at: outcome.at ?? null }
        : { valued: text(outcome.valued), wrong: null, at: null },
    );
  }
}

export class SaveDocument extends Command<Answer<typeof saveDocument>> {
  constructor(
    readonly input: Input<typeof saveDocument>,
    readonly by: ContentAuthor & { language: Language },
  ) {
    super();
  }
}

/** Saves by the command of the members' API, in the name of the operator. New ids come from the command line only. */
@CommandHandler(SaveDocument)
export class SaveDocumentHandler implements ICommandHandler<SaveDocument> {
  constructor(
    private readonly commands: CommandBus,
    private readonly site: Site,
    private readonly actions: ActionLog,
    private readonly live: Live,
  ) {}

  async execute({ input: { reason, ...input }, by }: SaveDocument): Promise<Answer<typeof saveDocument>> {
    if (!isKnown(input.id) && !(await this.site.find(input.id))) throw new Refusal('NOT_FOUND');
    const author = contentAuthor(this.actions, by, { reason });
    const saved = await this.commands.execute(new SaveDataConfig(input, { author, language: by.language }));
    await tellOperators(this.live, 'content', {});
    return { version: saved.version, valued: text(saved.valued) };
  }
}
