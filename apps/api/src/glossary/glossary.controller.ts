import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { deleteTerms, exportTerms, importTerms, listTerms, pairTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { deleteFromGlossary, readGlossary, writeGlossary } from '@yiqiao/contracts/native-api';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { Uploaded, type Upload } from '../platform/uploads.js';
import { DeleteTerms } from './delete-terms.js';
import { ExportTerms } from './export-terms.js';
import { ImportTerms } from './import-terms.js';
import { ListPairTerms } from './list-pair-terms.js';
import { ListTerms } from './list-terms.js';
import { SaveTerm } from './save-term.js';

@Controller()
export class GlossaryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listTerms)
  list(@Caller() { familyId }: Caller, @Input(listTerms) input: InputOf<typeof listTerms>) {
    return this.queries.execute(new ListTerms(familyId, input));
  }

  @Endpoint(pairTerms)
  ofPair(@Caller() { familyId }: Caller, @Input(pairTerms) input: InputOf<typeof pairTerms>) {
    return this.queries.execute(new ListPairTerms(familyId, input));
  }

  @Endpoint(saveTerm)
  save(@Caller() { familyId }: Caller, @Input(saveTerm) input: InputOf<typeof saveTerm>) {
    return this.commands.execute(new SaveTerm(familyId, input));
  }

  @Endpoint(deleteTerms)
  delete(@Caller() { familyId }: Caller, @Input(deleteTerms) { ids }: InputOf<typeof deleteTerms>) {
    return this.commands.execute(new DeleteTerms(familyId, ids));
  }

  @Endpoint(readGlossary)
  read(@Caller() { familyId }: Caller, @Input(readGlossary) input: InputOf<typeof readGlossary>) {
    return this.queries.execute(new ListTerms(familyId, input));
  }

  @Endpoint(writeGlossary)
  write(@Caller() { familyId }: Caller, @Input(writeGlossary) input: InputOf<typeof writeGlossary>) {
    return this.commands.execute(new SaveTerm(familyId, input));
  }

  @Endpoint(deleteFromGlossary)
  remove(@Caller() { familyId }: Caller, @Input(deleteFromGlossary) { ids }: InputOf<typeof deleteFromGlossary>) {
    return this.commands.execute(new DeleteTerms(familyId, ids));
  }

  @Endpoint(exportTerms)
  export(
    @Caller() caller: Caller,
    @Input(exportTerms) filter: InputOf<typeof exportTerms>,
    @Client() { language }: ClientInfo,
  ) {
    return this.queries.execute(new ExportTerms(caller, filter, language));
  }

  @Endpoint(importTerms)
  import(
    @Caller() { familyId }: Caller,
    @Input(importTerms) { mode }: InputOf<typeof importTerms>,
    @Uploaded() { path }: Upload,
  ) {
    return this.commands.execute(new ImportTerms(familyId, mode, path));
  }
}
