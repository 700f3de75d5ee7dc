import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../platform/clock.js';
import { Mailer } from '../platform/mail.js';
import { Vault } from '../platform/vault.js';
import { codeLetter, type CodeLetter } from './letters.js';

/** Sends the letter of a code. Sent by a job: it fails when the mail fails, and is then tried again. */
export class SendVerificationLetter extends Command<void> {
  constructor(readonly codeId: number) {
    super();
  }
}

@CommandHandler(SendVerificationLetter)
export class SendVerificationLetterHandler implements ICommandHandler<SendVerificationLetter> {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** A letter that was sent has no text any more; one that came too late to be of use is never sent. */
  async execute({ codeId }: SendVerificationLetter): Promise<void> {
    const em = this.em.fork();
    const [row] = await em.execute<{ sealed_letter: string }[]>(
      `SELECT sealed_letter FROM verification_code
       WHERE id = ? AND sealed_letter IS NOT NULL AND sent_at IS NULL AND used_at IS NULL AND expires_at > ?`,
      [codeId, this.clock.now()],
    );
    if (!row) return;
    const letter = JSON.parse(this.vault.open(row.sealed_letter)) as CodeLetter;
    await this.mailer.send({ to: letter.to, ...codeLetter(letter) });
    await em.execute('UPDATE verification_code SET sent_at = ?, sealed_letter = NULL WHERE id = ?', [
      this.clock.now(),
      codeId,
    ]);
  }
}
