import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { plainRecoveryCode, totpStep } from '../platform/totp.js';
import { Vault } from '../platform/vault.js';
import type { OperatorAccount } from './operator.entity.js';

/** One-time codes of operators; each counts once (operators §2). */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** Whether `code` is a fresh code of the app or an unused recovery code; uses it up. The caller's transaction holds the row's lock. */
  async accept(em: EntityManager, operator: OperatorAccount, code: string): Promise<boolean> {
    return (await this.judge(em, operator, code)) === 'fresh';
  }

  /** The same, telling a code that was used from a wrong one. */
  async judge(em: EntityManager, operator: OperatorAccount, code: string): Promise<'fresh' | 'used' | 'wrong'> {
    if (operator.sealedSecret === null) return 'wrong';
    const step = totpStep(this.vault.open(operator.sealedSecret), code, this.clock.now().getTime());
    if (step !== null) {
      if (operator.lastStep !== null && step <= operator.lastStep) return 'used';
      operator.lastStep = step;
    } else {
      const digest = this.digestOf(operator.id, code);
      if (!operator.recoveryDigests.includes(digest)) return 'wrong';
      operator.recoveryDigests = operator.recoveryDigests.filter((each) => each !== digest);
    }
    await em.flush();
    return 'fresh';
  }

  /** How a recovery code is stored. */
  digestOf(operatorId: number, code: string): string {
    return this.vault.hmac('operator-recovery-code', `${operatorId}:${plainRecoveryCode(code)}`);
  }
}
