import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { signInByPasskey } from '@yiqiao/contracts/operator/passkeys';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../../platform/clock.js';
import type { ClientInfo } from '../../platform/endpoint.js';
import { RateLimits } from '../../platform/rate-limits.js';
import { ActionLog } from '../action-log.js';
import { OperatorAccount, OperatorPasskey } from '../operator.entity.js';
import { actorOf, type CurrentOperator, OperatorSessions } from '../operator-sessions.js';
import { type Challenge, RelyingParty, webAuthn } from './relying-party.js';

type Credential = Input<typeof signInByPasskey>['credential'];
type Started = { token: string; current: CurrentOperator };

/** Starts a session for whom a passkey proves to be there: it replaces password and code (operators §2). */
export class SignInByPasskey extends Command<Started> {
  constructor(
    readonly credential: Credential,
    readonly challenge: string,
    readonly from: Pick<ClientInfo, 'ip' | 'userAgent' | 'requestId'>,
  ) {
    super();
  }
}

@CommandHandler(SignInByPasskey)
export class SignInByPasskeyHandler implements ICommandHandler<SignInByPasskey> {
  constructor(
    private readonly em: EntityManager,
    private readonly party: RelyingParty,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ credential, challenge: sealed, from }: SignInByPasskey): Promise<Started> {
    const challenge = this.party.open(sealed);
    if (!challenge || challenge.adding) throw new Refusal('OPERATOR_SIGN_IN_WRONG');
    // By address alone: whoever guesses makes up an id each time. Counted before it is judged.
    const lock = `passkey|${from.ip}`;
    await this.limits.take('operatorSignIns', lock);
    const started = await this.em.fork().transactional(async (em) => {
      const [passkey, operator] = await this.#locked(em, credential.id);
      if (!passkey || !operator || !(await this.#accept(passkey, credential, challenge))) {
        const target = { kind: 'operator', id: operator?.name ?? 'passkey' };
        const actor = { actor: 'system', ip: from.ip, requestId: from.requestId };
        await this.actions.record(em, actor, { action: 'signIn.failed', target });
        return null;
      }
      const session = await this.sessions.start(em, operator, from);
      await this.actions.record(em, actorOf(session.current, from), {
        action: 'signIn',
        target: { kind: 'operator', id: operator.name },
        after: { passkey: passkey.name },
      });
      return session;
    });
    if (!started) throw new Refusal('OPERATOR_SIGN_IN_WRONG');
    await this.limits.forget('operatorSignIns', lock);
    return started;
  }

  /** The account before its passkey, as everybody locks them: whoever ends its sessions waits for this one, or this one for them. */
  async #locked(em: EntityManager, id: string): Promise<[OperatorPasskey | null, OperatorAccount | null]> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const known = await em.findOne(OperatorPasskey, { id }, { disableIdentityMap: true });
    const operatorId = known?.operatorId ?? 0;
    const operator = await em.findOne(OperatorAccount, { id: operatorId, disabledAt: null }, { lockMode });
    return [await em.findOne(OperatorPasskey, { id, operatorId }, { lockMode }), operator];
  }

  /** Uses the challenge up: none that was made before the passkey's last use is accepted, so a recorded answer is worth nothing. */
  async #accept(passkey: OperatorPasskey, response: Credential, challenge: Challenge): Promise<boolean> {
    if (passkey.lastUsedAt && challenge.madeAt <= passkey.lastUsedAt.getTime()) return false;
    const { id, publicKey, counter, transports } = passkey;
    const credential = { id, publicKey: Uint8Array.from(publicKey), counter, transports };
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      credential,
      ...this.party.expecting(challenge),
    }).catch(() => ({ verified: false, authenticationInfo: null }));
    if (!verified || !authenticationInfo) return false;
    passkey.counter = authenticationInfo.newCounter;
    passkey.lastUsedAt = this.clock.now();
    return true;
  }
}
