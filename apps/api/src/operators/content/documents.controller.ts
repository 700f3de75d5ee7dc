import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  checkDocument,
  getDocument,
  listDocuments,
  saveDocument,
  tryServiceAccount,
} from '@yiqiao/contracts/operator/documents';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CustomerService } from '../../site/customer-service.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { CheckDocument, GetDocument, ListDocuments, SaveDocument } from './documents.js';

/** Documents of the site, as operators edit them (operators §10). */
@Controller()
export class DocumentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly service: CustomerService,
  ) {}

  @Endpoint(listDocuments)
  list(): Promise<Answer<typeof listDocuments>> {
    return this.queries.execute(new ListDocuments());
  }

  @Endpoint(getDocument)
  get(
    @Input(getDocument) { id }: InputOf<typeof getDocument>,
    @CurrentOperatorOf() { role }: CurrentOperator,
  ): Promise<Answer<typeof getDocument>> {
    return this.queries.execute(new GetDocument(id, role));
  }

  @Endpoint(checkDocument)
  check(
    @Input(checkDocument) input: InputOf<typeof checkDocument>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof checkDocument>> {
    return this.queries.execute(new CheckDocument(input, language));
  }

  @Endpoint(saveDocument)
  save(
    @Input(saveDocument) input: InputOf<typeof saveDocument>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof saveDocument>> {
    const { language } = client;
    const by = { managerId: operator.managerId, actor: actorOf(operator, client), language };
    return this.commands.execute(new SaveDocument(input, by));
  }

  @Endpoint(tryServiceAccount)
  tryAccount(
    @Input(tryServiceAccount) { account }: InputOf<typeof tryServiceAccount>,
  ): Promise<Answer<typeof tryServiceAccount>> {
    return this.service.find(account);
  }
}
