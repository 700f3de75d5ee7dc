import { Controller, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { closeNotices, listNotices, openNotices } from '@yiqiao/contracts/notices';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, Client, type ClientInfo, Endpoint, Input, MaybeCaller } from '../platform/endpoint.js';
import { ListNotices } from './list-notices.js';
import { NoticeFanOut } from './notice-fan-out.js';
import { NoticeStreams } from './notice-streams.js';

@Controller()
export class NoticesController {
  constructor(
    private readonly notices: NoticeStreams,
    private readonly fanOut: NoticeFanOut,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listNotices)
  list(@Client() { language }: ClientInfo) {
    return this.queries.execute(new ListNotices(language));
  }

  @Endpoint(openNotices)
  async open(
    @Input(openNotices) { clientId }: InputOf<typeof openNotices>,
    @MaybeCaller() caller: Caller | null,
    @Client() { ip, language }: ClientInfo,
    @Req() { method }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // HEAD gets the headers without a stream.
    if (method === 'HEAD')
      await reply.type('text/event-stream; charset=utf-8').header('Cache-Control', 'no-store').send();
    else {
      await this.fanOut.begin();
      await this.notices.open({ clientId, address: ip, caller, language }, reply);
    }
  }

  @Endpoint(closeNotices)
  async close(
    @Input(closeNotices) { clientId }: InputOf<typeof closeNotices>,
    @MaybeCaller() caller: Caller | null,
    @Client() { ip }: ClientInfo,
  ): Promise<true> {
    await this.notices.close({ clientId, address: ip, caller });
    return true;
  }
}
