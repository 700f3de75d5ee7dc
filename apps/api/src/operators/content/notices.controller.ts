import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  addNotice,
  getNotice,
  listNotices,
  publishNotice,
  saveNotice,
  translateNotice,
  withdrawNotice,
} from '@yiqiao/contracts/operator/notices';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { ChangeNotice, type NoticeChange } from './change-notice.js';
import { GetNotice, ListAllNotices } from './read-notices.js';
import { TranslateNotice } from './translate-notice.js';

/** Notices, as operators write them (operators §10). */
@Controller()
export class OperatorNoticesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listNotices)
  list(@Input(listNotices) input: InputOf<typeof listNotices>): Promise<Answer<typeof listNotices>> {
    return this.queries.execute(new ListAllNotices(input));
  }

  @Endpoint(getNotice)
  get(@Input(getNotice) { id }: InputOf<typeof getNotice>): Promise<Answer<typeof getNotice>> {
    return this.queries.execute(new GetNotice(id));
  }

  @Endpoint(addNotice)
  add(
    @Input(addNotice) input: InputOf<typeof addNotice>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof addNotice>> {
    return this.#change({ do: 'add', ...input }, operator, client);
  }

  @Endpoint(saveNotice)
  save(
    @Input(saveNotice) input: InputOf<typeof saveNotice>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof saveNotice>> {
    return this.#change({ do: 'save', ...input }, operator, client);
  }

  @Endpoint(publishNotice)
  publish(
    @Input(publishNotice) input: InputOf<typeof publishNotice>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof publishNotice>> {
    return this.#change({ do: 'publish', ...input }, operator, client);
  }

  @Endpoint(withdrawNotice)
  async withdraw(
    @Input(withdrawNotice) input: InputOf<typeof withdrawNotice>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<true> {
    await this.#change({ do: 'withdraw', ...input }, operator, client);
    return true;
  }

  @Endpoint(translateNotice)
  translate(
    @Input(translateNotice) input: InputOf<typeof translateNotice>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof translateNotice>> {
    return this.queries.execute(new TranslateNotice(input, language));
  }

  #change(change: NoticeChange, operator: CurrentOperator, client: ClientInfo): Promise<Answer<typeof saveNotice>> {
    const by = { managerId: operator.managerId, actor: actorOf(operator, client) };
    return this.commands.execute(new ChangeNotice(change, by));
  }
}
