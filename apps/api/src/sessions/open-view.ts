import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { openView } from '@yiqiao/contracts/sessions';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { digestOf } from '../platform/session-guard.js';
import { Sessions } from './sessions.js';

type Opened = Answer<typeof openView>;

/** Exchanges the link with which an operator opens a member's console for a read-only session, once. Throws VIEW_LINK_USED. */
export class OpenView extends Command<Opened> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(OpenView)
export class OpenViewHandler implements ICommandHandler<OpenView> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  execute({ token }: OpenView): Promise<Opened> {
    return this.em.fork().transactional(async (em) => {
      const digest = digestOf(token);
      // Raw: the table belongs to the operators.
      const [view] = await em.execute<View[]>(LINK, [digest, this.clock.now()]);
      if (!view) throw new Refusal('VIEW_LINK_USED');
      const member = { id: Number(view.user_id), familyId: Number(view.family_id) };
      const { userId, sk, tokenDigest } = await this.sessions.startView(em, member, view.until);
      await em.execute('UPDATE member_view SET session_digest = ? WHERE digest = ?', [tokenDigest, digest]);
      const seconds = Math.max(0, Math.floor((view.until.getTime() - this.clock.now().getTime()) / 1_000));
      return { userId, sk, viewedBy: view.viewed_by, until: this.clock.toWire(view.until), seconds };
    });
  }
}

type View = { user_id: number; family_id: number; viewed_by: string; until: Date };

const LINK = `
SELECT v.user_id, v.family_id, v.viewed_by, v.until FROM member_view v JOIN member m ON m.id = v.user_id
WHERE v.digest = ? AND v.session_digest IS NULL AND v.ended_at IS NULL AND v.link_until > ?
  AND m.enabled AND m.closed_at IS NULL
FOR UPDATE OF v`;
