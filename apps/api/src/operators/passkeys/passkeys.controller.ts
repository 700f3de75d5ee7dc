import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  addPasskey,
  askPasskey,
  beginPasskey,
  listOwnPasskeys,
  removePasskey,
  signInByPasskey,
} from '@yiqiao/contracts/operator/passkeys';
import { Refusal } from '@yiqiao/domain/errors';
import { PASSKEYS_MAX } from '@yiqiao/domain/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { Vault } from '../../platform/vault.js';
import { cookieOf, PASSKEY_COOKIE, SESSION_COOKIE, setCookie } from '../cookies.js';
import { OperatorPasskey } from '../operator.entity.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { AddPasskey, ListOwnPasskeys, RemovePasskey } from './own-passkeys.js';
import { CHALLENGE_MS, RelyingParty, webAuthn } from './relying-party.js';
import { SignInByPasskey } from './sign-in-by-passkey.js';

@Controller()
export class PasskeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly em: EntityManager,
    private readonly party: RelyingParty,
    private readonly vault: Vault,
  ) {}

  @Endpoint(askPasskey)
  ask(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Answer<typeof askPasskey> {
    const { bytes, sealed } = this.party.challenge(null);
    setCookie(request, reply, { name: PASSKEY_COOKIE, value: sealed });
    const challenge = Buffer.from(bytes).toString('base64url');
    return { challenge, rpId: this.party.id, timeout: CHALLENGE_MS, userVerification: 'required' };
  }

  @Endpoint(signInByPasskey)
  async signIn(
    @Input(signInByPasskey) { credential }: InputOf<typeof signInByPasskey>,
    @Client() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer<typeof signInByPasskey>> {
    const challenge = cookieOf(request, PASSKEY_COOKIE) ?? '';
    const { token, current } = await this.commands.execute(new SignInByPasskey(credential, challenge, client));
    setCookie(request, reply, { name: PASSKEY_COOKIE, value: null });
    setCookie(request, reply, { name: SESSION_COOKIE, value: token });
    return current;
  }

  @Endpoint(listOwnPasskeys)
  list(@CurrentOperatorOf() operator: CurrentOperator): Promise<Answer<typeof listOwnPasskeys>> {
    return this.queries.execute(new ListOwnPasskeys(operator));
  }

  @Endpoint(beginPasskey)
  async begin(
    @Input(beginPasskey) { name }: InputOf<typeof beginPasskey>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer<typeof beginPasskey>> {
    const known = await this.em.fork().find(OperatorPasskey, { operatorId: operator.id });
    if (known.length >= PASSKEYS_MAX) throw new Refusal('PASSKEYS_FULL', { data: { max: PASSKEYS_MAX } });
    const { bytes, sealed } = this.party.challenge({ operatorId: operator.id, name });
    const { generateRegistrationOptions } = await webAuthn();
    const options = await generateRegistrationOptions({
      rpName: this.party.name,
      rpID: this.party.id,
      userName: operator.name,
      userDisplayName: operator.name,
      // A handle that says nothing about the person.
      userID: Uint8Array.from(Buffer.from(this.vault.hmac('operator-passkey', String(operator.id)), 'hex')),
      challenge: bytes,
      timeout: CHALLENGE_MS,
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    });
    setCookie(request, reply, { name: PASSKEY_COOKIE, value: sealed });
    return options as Answer<typeof beginPasskey>;
  }

  @Endpoint(addPasskey)
  async add(
    @Input(addPasskey) { credential }: InputOf<typeof addPasskey>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer<typeof addPasskey>> {
    const challenge = cookieOf(request, PASSKEY_COOKIE) ?? '';
    await this.commands.execute(new AddPasskey(operator, { credential, challenge }, actorOf(operator, client)));
    setCookie(request, reply, { name: PASSKEY_COOKIE, value: null });
    return true;
  }

  @Endpoint(removePasskey)
  async remove(
    @Input(removePasskey) { id }: InputOf<typeof removePasskey>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof removePasskey>> {
    await this.commands.execute(new RemovePasskey(operator, id, actorOf(operator, client)));
    return true;
  }
}
