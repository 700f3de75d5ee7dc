import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { pairTerms } from '@yiqiao/contracts/glossary';
import { readPair } from './language-pair.js';
import { Glossary } from './glossary.js';

export class ListPairTerms extends Query<Answer<typeof pairTerms>> {
  constructor(
    readonly familyId: number,
    readonly input: Input<typeof pairTerms>,
  ) {
    super();
  }
}

@QueryHandler(ListPairTerms)
export class ListPairTermsHandler implements IQueryHandler<ListPairTerms> {
  constructor(private readonly glossary: Glossary) {}

  /** The family's terms now; after a change in another process, a translation may use the older ones for half a second. */
  async execute({ familyId, input }: ListPairTerms): Promise<Answer<typeof pairTerms>> {
    const { source, target } = readPair(this.glossary, input);
    const glossary = await this.glossary.current(familyId);
    return { version: glossary.version, terms: [...(glossary.terms(source, target)?.list ?? [])] };
  }
}
