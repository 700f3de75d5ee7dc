import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { exportTerms } from '@yiqiao/contracts/glossary';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { CsvDownloads, inSteps, type Reader } from '../platform/csv-downloads.js';
import type { CsvFile } from '../platform/csv.js';
import { Standby } from '../platform/standby.js';
import { Glossary } from './glossary.js';
import { GlossaryTerm } from './glossary.entity.js';
import { type TermFilter, termFilter, whereOf } from './term-rows.js';
import { columns } from './terms-table.js';

export class ExportTerms extends Query<CsvFile> {
  constructor(
    readonly reader: Reader & { readonly familyId: number },
    readonly filter: Input<typeof exportTerms>,
    readonly language: Language,
  ) {
    super();
  }
}

@QueryHandler(ExportTerms)
export class ExportTermsHandler implements IQueryHandler<ExportTerms> {
  constructor(
    private readonly standby: Standby,
    private readonly glossary: Glossary,
    private readonly downloads: CsvDownloads,
  ) {}

  async execute({ reader, filter, language }: ExportTerms): Promise<CsvFile> {
    const pages = this.#pages(termFilter(reader.familyId, filter, this.glossary));
    return this.downloads.open({ reader, language, name: 'glossary', columns, pages });
  }

  /** One query, so that an export never contains half of a change. */
  async *#pages(filter: TermFilter): AsyncGenerator<GlossaryTerm[]> {
    const page = { orderBy: { id: 'desc' }, limit: GLOSSARY_TERMS_MAX } as const;
    const terms = await this.standby.read((em) =>
      em.find(GlossaryTerm, whereOf(filter), { ...page, disableIdentityMap: true }),
    );
    yield* inSteps(terms);
  }
}
