import type { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { FieldCode } from '@yiqiao/contracts/field-messages';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type {
  addNotice,
  NoticeTexts,
  publishNotice,
  saveNotice,
  withdrawNotice,
} from '@yiqiao/contracts/operator/notices';
import { Refusal } from '@yiqiao/domain/errors';
import { cleanHtml } from '../../notices/clean-html.js';
import { cleanNotice } from '../../notices/clean-notice.js';
import { type DraftNotice, NoticeAdmin, type SavedNotice } from '../../notices/notice-admin.js';
import { Clock } from '../../platform/clock.js';
import { Live } from '../../platform/live.js';
import type { AuthorOf } from '../../platform/manager-actions.js';
import { ActionLog, type Actor } from '../action-log.js';
import { tellOperators } from '../operator-streams.js';

export type NoticeChange =
  | ({ do: 'add' } & Input<typeof addNotice>)
  | ({ do: 'save' } & Input<typeof saveNotice>)
  | ({ do: 'publish' } & Input<typeof publishNotice>)
  | ({ do: 'withdraw' } & Input<typeof withdrawNotice>);

/** Who changes a notice or a document: as a manager of the members' records, and as an actor of the action log. */
export type ContentAuthor = { readonly managerId: number; readonly actor: Actor };

/** Keeps, publishes or withdraws a notice (operators §10). NOTICE_ENDED for one that was withdrawn, EDITED_MEANWHILE. */
export class ChangeNotice extends Command<Answer<typeof saveNotice>> {
  constructor(
    readonly change: NoticeChange,
    readonly by: ContentAuthor,
  ) {
    super();
  }
}

@CommandHandler(ChangeNotice)
export class ChangeNoticeHandler implements ICommandHandler<ChangeNotice> {
  constructor(
    private readonly desk: NoticeAdmin,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
    private readonly live: Live,
  ) {}

  async execute({ change, by }: ChangeNotice): Promise<SavedNotice> {
    const saved = await this.#carryOut(change, contentAuthor(this.actions, by, change));
    await tellOperators(this.live, 'content', {});
    return saved;
  }

  async #carryOut(change: NoticeChange, author: AuthorOf): Promise<SavedNotice> {
    if (change.do === 'add') return this.desk.add(this.#draft(change), { publish: false }, author);
    const known = await this.desk.find(change.id);
    if (!known) throw new Refusal('NOT_FOUND');
    if (change.do === 'withdraw') {
      if (!(await this.desk.withdraw(change.id, author))) throw new Refusal('NOTICE_ENDED');
      return { id: change.id, version: 0 };
    }
    // A change of what members see is a publication.
    if (change.do === 'save' && known.publishedAt && !known.withdrawnAt) throw new Refusal('NOT_FOUND');
    const notice = change.do === 'save' ? this.#draft(change) : this.#complete(change);
    const how = { publish: change.do === 'publish', version: change.version };
    const saved = await this.desk.change(change.id, notice, how, author);
    if (!saved) throw new Refusal('NOTICE_ENDED');
    return saved;
  }

  #draft({ zh, en, ...schedule }: Input<typeof addNotice>): DraftNotice {
    const cleaned = (texts: NoticeTexts): NoticeTexts => ({ ...texts, content: cleanHtml(texts.content) });
    const times = this.#times(schedule);
    if (times.startsAt && times.endsAt && times.endsAt <= times.startsAt) throw refused('endsAt', 'RANGE_REVERSED');
    return { zh: cleaned(zh), en: cleaned(en), ...times };
  }

  #complete({ zh, en, ...schedule }: Input<typeof publishNotice>): DraftNotice {
    const [inChinese, inEnglish] = [cleanNotice(zh), cleanNotice(en)];
    if (!inChinese) throw refused('zh.content', 'REQUIRED');
    if (!inEnglish) throw refused('en.content', 'REQUIRED');
    const now = this.clock.now();
    const { startsAt, endsAt } = this.#times(schedule);
    const begin = startsAt ?? now;
    if (endsAt && endsAt.getTime() <= Math.max(begin.getTime(), now.getTime()))
      throw refused('endsAt', 'RANGE_REVERSED');
    return { zh: inChinese, en: inEnglish, startsAt: begin, endsAt };
  }

  #times({ startsAt, endsAt }: { startsAt: string | null; endsAt: string | null }) {
    const read = (wire: string | null): Date | null => (wire === null ? null : this.clock.fromWire(wire));
    return { startsAt: read(startsAt), endsAt: read(endsAt) };
  }
}

const refused = (path: string, code: FieldCode): Refusal =>
  new Refusal('VALIDATION_FAILED', { errors: [{ path, code }] });

/** The same person for the command handlers that the command line uses, too: every change writes its action row. */
export const contentAuthor =
  (actions: ActionLog, { managerId, actor }: ContentAuthor, given: object): AuthorOf =>
  () => {
    const reason = 'reason' in given && typeof given.reason === 'string' ? given.reason : null;
    const log = (em: EntityManager, change: Parameters<ActionLog['record']>[2]) => actions.record(em, actor, change);
    return Promise.resolve({ managerId, reason, log });
  };
