import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { CACHE_DAYS, CACHE_ENTRIES_MAX } from '@yiqiao/domain/limits';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { serializeError } from '../../platform/logger.js';
import { Vault } from '../../platform/vault.js';
import type { TextAnswer } from '../channels/channel.js';

/** What an answer depends on: whoever asks for the same in all of this may be given the same. */
export type Question = {
  /** The channel that is asked, as it is called, with what translates for it: one that goes to the sandbox is another one. */
  readonly channel: string;
  /** Null: left to the channel. */
  readonly source: string | null;
  readonly target: string;
  readonly glossaryVersion: number;
  readonly text: string;
};

export type Owner = { readonly userId: number; readonly familyId: number };

/** A family's entries are counted when a process keeps its first one, and after so many more. */
const COUNT_AFTER = 200;
const FAMILIES_COUNTED = 20_000;

/**
 * Translations that members want remembered, found by keyed digests and kept encrypted; no family ever meets another's. It helps or it does
 * nothing: a translation never fails because of it.
 */
@Injectable()
export class TranslationCache {
  readonly #log = new Logger('TranslationCache');
  /** How many entries of a family may still be kept before it is counted again. */
  readonly #uncounted = new Map<number, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
  ) {}

  /** Two different questions never have the same key, and neither have two families. */
  keyOf({ familyId }: Owner, { channel, source, target, glossaryVersion, text }: Question): string {
    const question = JSON.stringify([familyId, channel, source, target, glossaryVersion, text]);
    return this.vault.hmac('translation-cache', question);
  }

  /** What the family remembers under these keys; never throws. */
  async find({ familyId }: Owner, keys: readonly string[]): Promise<ReadonlyMap<string, TextAnswer>> {
    try {
      const rows = await this.em.fork().execute<Row[]>(FIND, [familyId, `{${keys.join(',')}}`]);
      return new Map(rows.flatMap((row) => this.#opened(row)));
    } catch (error) {
      this.#log.warn({ notFound: serializeError(error) });
      return new Map();
    }
  }

  /** Remembers `answers` by their keys, unless the member is gone or has turned it off meanwhile; never throws. */
  async keep(owner: Owner, answers: ReadonlyMap<string, TextAnswer>): Promise<void> {
    if (answers.size === 0) return;
    const keys = [...answers.keys()];
    const sealed = [...answers].map(([key, answer]) => this.vault.seal(JSON.stringify([key, answer])));
    try {
      await this.em.fork().execute(KEEP, [`{${keys.join(',')}}`, `{${sealed.join(',')}}`, owner.userId]);
      await this.#bound(owner.familyId, keys.length);
    } catch (error) {
      this.#log.warn({ notKept: serializeError(error) });
    }
  }

  /** Forgets what this member had translated, or all of the family for its main account. Answers how much that was. */
  async forget({ userId, familyId }: Owner): Promise<number> {
    const [gone] = await this.em
      .fork()
      .execute<{ count: number }[]>(FORGET, [familyId, userId === familyId ? null : userId]);
    return Number(gone?.count);
  }

  async countOf(familyId: number): Promise<number> {
    const [found] = await this.em.fork().execute<{ count: number }[]>(COUNT, [familyId]);
    return Number(found?.count);
  }

  /** Nothing for a row that somebody has moved or changed. */
  #opened({ key, sealed }: Row): [string, TextAnswer][] {
    try {
      const [forKey, answer] = JSON.parse(this.vault.open(sealed)) as [string, TextAnswer];
      return forKey === key ? [[key, answer]] : [];
    } catch {
      return [];
    }
  }

  /** A family remembers so much and, between two counts, a little more; the oldest goes first. */
  async #bound(familyId: number, kept: number): Promise<void> {
    const left = (this.#uncounted.get(familyId) ?? 0) - kept;
    if (left > 0) return void this.#uncounted.set(familyId, left);
    if (this.#uncounted.size >= FAMILIES_COUNTED) this.#uncounted.clear();
    this.#uncounted.set(familyId, COUNT_AFTER);
    await this.em.fork().execute(BOUND, [familyId]);
  }
}

type Row = { key: string; sealed: string };

const FIND = `
SELECT encode(key, 'hex') AS key, sealed FROM cached_translation
WHERE family_id = ? AND key = ANY (ARRAY(SELECT decode(k, 'hex') FROM unnest(?::text[]) AS k))
  AND created_at > now() - interval '${CACHE_DAYS} days'`;

// The member's row is locked against its end: what is under way at log-off is kept before the family is forgotten, or not at all.
// In the order of the keys, so that two who keep the same never wait for each other.
const KEEP = `
INSERT INTO cached_translation (family_id, key, user_id, sealed)
SELECT m.family_id, decode(d.key, 'hex'), m.id, d.sealed
FROM unnest(?::text[], ?::text[]) AS d (key, sealed),
  (SELECT id, family_id FROM member WHERE id = ? AND closed_at IS NULL AND translation_cache FOR SHARE) AS m
ORDER BY d.key
ON CONFLICT (family_id, key) DO UPDATE SET user_id = excluded.user_id, sealed = excluded.sealed, created_at = now()`;

const FORGET = `
WITH found AS (
  SELECT family_id, key FROM cached_translation
  WHERE family_id = ? AND user_id = coalesce(?::bigint, user_id) ORDER BY key FOR UPDATE
), gone AS (
  DELETE FROM cached_translation c USING found WHERE c.family_id = found.family_id AND c.key = found.key RETURNING 1
)
SELECT count(*) AS count FROM gone`;

const COUNT = `
SELECT count(*) AS count FROM cached_translation WHERE family_id = ? AND created_at > now() - interval '${CACHE_DAYS} days'`;

const BOUND = `
DELETE FROM cached_translation c USING (
  SELECT family_id, key FROM cached_translation WHERE family_id = ?
  ORDER BY created_at DESC, key OFFSET ${CACHE_ENTRIES_MAX}
) AS old WHERE c.family_id = old.family_id AND c.key = old.key`;

/** Forgets remembered translations: all of the family's for its main account, its own for a sub-account. */
export class ForgetTranslations extends Command<{ count: number }> {
  constructor(readonly who: Owner) {
    super();
  }
}

@CommandHandler(ForgetTranslations)
export class ForgetTranslationsHandler implements ICommandHandler<ForgetTranslations> {
  constructor(private readonly cache: TranslationCache) {}

  async execute({ who }: ForgetTranslations): Promise<{ count: number }> {
    return { count: await this.cache.forget(who) };
  }
}

/** Removes remembered translations that are too old to be answered with. */
export class PruneTranslations extends Command<void> {}

/** At once: short locks, short transactions. */
const BATCH = 5_000;

@CommandHandler(PruneTranslations)
export class PruneTranslationsHandler implements ICommandHandler<PruneTranslations> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    const em = this.em.fork();
    for (;;) {
      const gone = await em.execute<unknown[]>(PRUNE);
      if (gone.length < BATCH) return;
    }
  }
}

const PRUNE = `
DELETE FROM cached_translation c USING (
  SELECT family_id, key FROM cached_translation
  WHERE created_at < now() - interval '${CACHE_DAYS} days' ORDER BY created_at LIMIT ${BATCH}
) AS old WHERE c.family_id = old.family_id AND c.key = old.key RETURNING 1`;
