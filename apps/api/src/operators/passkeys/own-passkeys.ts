import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { addPasskey, listOwnPasskeys } from '@yiqiao/contracts/operator/passkeys';
import { Refusal } from '@yiqiao/domain/errors';
import { PASSKEYS_MAX } from '@yiqiao/domain/operators';
import { Clock } from '../../platform/clock.js';
import { ActionLog, type Actor } from '../action-log.js';
import { OperatorAccount, OperatorPasskey } from '../operator.entity.js';
import type { CurrentOperator } from '../operator-sessions.js';
import { RelyingParty, webAuthn } from './relying-party.js';

type Passkeys = Answer<typeof listOwnPasskeys>;

export class ListOwnPasskeys extends Query<Passkeys> {
  constructor(readonly operator: CurrentOperator) {
    super();
  }
}

@QueryHandler(ListOwnPasskeys)
export class ListOwnPasskeysHandler implements IQueryHandler<ListOwnPasskeys> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ operator }: ListOwnPasskeys): Promise<Passkeys> {
    const passkeys = await this.em
      .fork()
      .find(OperatorPasskey, { operatorId: operator.id }, { orderBy: { createdAt: 'desc' } });
    const rows = passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: this.clock.toWire(createdAt),
      lastUsedAt: lastUsedAt && this.clock.toWire(lastUsedAt),
    }));
    return { rows, total: rows.length };
  }
}

/** Keeps the passkey that answers `challenge`, which the operator asked for with a fresh code. */
export class AddPasskey extends Command<void> {
  constructor(
    readonly operator: CurrentOperator,
    readonly answer: { credential: Input<typeof addPasskey>['credential']; challenge: string },
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(AddPasskey)
export class AddPasskeyHandler implements ICommandHandler<AddPasskey> {
  constructor(
    private readonly em: EntityManager,
    private readonly party: RelyingParty,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ operator, answer, actor }: AddPasskey): Promise<void> {
    const challenge = this.party.open(answer.challenge);
    if (challenge?.adding?.operatorId !== operator.id) throw new Refusal('PASSKEY_REFUSED');
    const { verifyRegistrationResponse } = await webAuthn();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer.credential,
      ...this.party.expecting(challenge),
    }).catch(() => ({ verified: false, registrationInfo: undefined }));
    if (!verified || !registrationInfo) throw new Refusal('PASSKEY_REFUSED');
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const { name } = challenge.adding;
    await this.em.fork().transactional(async (em) => {
      await em.findOneOrFail(OperatorAccount, { id: operator.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if ((await em.count(OperatorPasskey, { operatorId: operator.id })) >= PASSKEYS_MAX)
        throw new Refusal('PASSKEYS_FULL', { data: { max: PASSKEYS_MAX } });
      // An id that exists is a repeated answer.
      if ((await em.count(OperatorPasskey, { id })) > 0) throw new Refusal('PASSKEY_REFUSED');
      await em.insert(OperatorPasskey, {
        id,
        operatorId: operator.id,
        name,
        publicKey: Buffer.from(publicKey),
        counter,
        transports,
        createdAt: this.clock.now(),
      });
      await this.actions.record(em, actor, {
        action: 'passkey.add',
        target: { kind: 'operator', id: operator.name },
        after: { passkey: name },
      });
    });
  }
}

export class RemovePasskey extends Command<void> {
  constructor(
    readonly operator: CurrentOperator,
    readonly id: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(RemovePasskey)
export class RemovePasskeyHandler implements ICommandHandler<RemovePasskey> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
  ) {}

  async execute({ operator, id, actor }: RemovePasskey): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const passkey = await em.findOne(OperatorPasskey, { id, operatorId: operator.id });
      if (!passkey) throw new Refusal('NOT_FOUND');
      await em.nativeDelete(OperatorPasskey, { id, operatorId: operator.id });
      await this.actions.record(em, actor, {
        action: 'passkey.remove',
        target: { kind: 'operator', id: operator.name },
        before: { passkey: passkey.name },
      });
    });
  }
}
