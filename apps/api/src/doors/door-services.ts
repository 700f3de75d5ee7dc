import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { PairGlossaries } from '../glossary/glossary.js';
import { Ledger } from '../ledger/ledger.js';
import { Admission } from '../platform/admission.js';
import { ApiKeyReader } from '../platform/api-key-reader.js';
import { DoorTexts } from './door-texts.js';

/** What the doors need of the product. */
@Injectable()
export class DoorServices {
  constructor(
    readonly keys: ApiKeyReader,
    readonly texts: DoorTexts,
    readonly queries: QueryBus,
    readonly glossaries: PairGlossaries,
    readonly ledger: Ledger,
    readonly admission: Admission,
  ) {}
}
