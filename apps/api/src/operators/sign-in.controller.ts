import { Controller, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { enrol, enterCode, openEnrolment, getSession, signIn, signOut } from '@yiqiao/contracts/operator/session';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { cookieOf, SESSION_COOKIE, setCookie, STEP_COOKIE } from './cookies.js';
import { Enrol, OpenEnrolment } from './enrol.js';
import { CurrentOperatorOf } from './operator-guard.js';
import { actorOf, type CurrentOperator } from './operator-sessions.js';
import { EnterCode, SignIn, SignOut } from './sign-in.js';

@Controller()
export class SignInController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(signIn)
  async signIn(
    @Input(signIn) form: InputOf<typeof signIn>,
    @Client() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer<typeof signIn>> {
    const { step } = await this.commands.execute(new SignIn(form, client));
    setCookie(request, reply, { name: STEP_COOKIE, value: step });
    return { step: 'code' };
  }

  @Endpoint(enterCode)
  async enterCode(
    @Input(enterCode) { code }: InputOf<typeof enterCode>,
    @Client() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer<typeof enterCode>> {
    const step = cookieOf(request, STEP_COOKIE) ?? '';
    const { token, current } = await this.commands.execute(new EnterCode(code, step, client));
    setCookie(request, reply, { name: STEP_COOKIE, value: null });
    setCookie(request, reply, { name: SESSION_COOKIE, value: token });
    return current;
  }

  @Endpoint(getSession)
  session(@CurrentOperatorOf() operator: CurrentOperator): Answer<typeof getSession> {
    return operator;
  }

  @Endpoint(signOut)
  async signOut(
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer<typeof signOut>> {
    await this.commands.execute(new SignOut(operator, actorOf(operator, client)));
    setCookie(request, reply, { name: SESSION_COOKIE, value: null });
    return true;
  }

  @Endpoint(openEnrolment)
  enrolment(@Input(openEnrolment) { token }: InputOf<typeof openEnrolment>): Promise<Answer<typeof openEnrolment>> {
    return this.queries.execute(new OpenEnrolment(token));
  }

  @Endpoint(enrol)
  enrol(@Input(enrol) form: InputOf<typeof enrol>, @Client() client: ClientInfo): Promise<Answer<typeof enrol>> {
    return this.commands.execute(new Enrol(form, { ip: client.ip, requestId: client.requestId }));
  }
}
