import { defineEntity, p, Type } from '@mikro-orm/core';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CACHE_DAYS, CACHE_ENTRIES_MAX } from '@yiqiao/domain/limits';
import type { Register } from '@yiqiao/domain/formality';
import type { TextFormat } from '@yiqiao/domain/text-formats';
import { serializeError } from '../../platform/logger.js';
import { Vault } from '../../platform/vault.js';
import type { TextAnswer } from '../channels/channel.js';

/** Bytes in hex. */
class HexType extends Type<string, Buffer> {
  override convertToDatabaseValue(hex: string): Buffer {
    return Buffer.from(hex, 'hex');
  }

  override convertToJSValue(bytes: Buffer): string {
    return bytes.toString('hex');
  }

  override getColumnType(): string {
    return 'bytea';
  }
}

const schema = defineEntity({
  name: 'CachedTranslation',
  properties: {
    familyId: p.bigint('number').primary(),
    /** `TranslationCache.keyOf` */
    key: p.type(HexType).primary(),
    /** The member who last had it translated. */
    userId: p.bigint('number'),
    /** The translation, encrypted. */
    sealed: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A translation that a family's members can have again without a vendor. */
export class CachedTranslation extends schema.class {}
schema.setClass(CachedTranslation);

/** Everything that a translation depends on: equal questions have equal answers. */
export type Question = {
  /** The channel and what translates for it: the sandbox of a vendor is another channel. */
  readonly channel: string;
  /** Null: the channel detects it. */
  readonly source: string | null;
  readonly target: string;
  readonly glossaryVersion: number;
  readonly text: string;
  readonly format?: TextFormat;
  readonly register?: Register | undefined;
};

export type Owner = { readonly userId: number; readonly familyId: number };

/** A process counts a family's entries when it keeps the first one, and again after so many more. */
const COUNT_AFTER = 200;
const FAMILIES_COUNTED = 20_000;

const unexpired = () => ({ $gt: raw<Date>(`now() - interval '${CACHE_DAYS} days'`) });

/**
 * Caches translations for the families that turned it on: keyed by digests, encrypted, separate for each family. A failure of the cache never
 * fails a translation.
 */
@Injectable()
export class TranslationCache {
  readonly #log = new Logger('TranslationCache');
  /** By family: how many entries may be kept before they are counted again. */
  readonly #uncounted = new Map<number, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
  ) {}

  /** Different for different questions and for different families. */
  keyOf({ familyId }: Owner, question: Question): string {
    const { channel, source, target, glossaryVersion, text, format = 'text', register } = question;
    // Keys of texts without either stay as they are.
    const further = [...(format === 'text' ? [] : [format]), ...(register ? [register] : [])];
    const all = JSON.stringify([familyId, channel, source, target, glossaryVersion, text, ...further]);
    return this.vault.hmac('translation-cache', all);
  }

  /** The family's cached translations with these keys; never throws. */
  async find({ familyId }: Owner, keys: readonly string[]): Promise<ReadonlyMap<string, TextAnswer>> {
    try {
      const wanted = { familyId, key: { $in: [...keys] }, createdAt: unexpired() };
      const rows = await this.em.fork().find(CachedTranslation, wanted, { disableIdentityMap: true });
      return new Map(rows.flatMap((row) => this.#opened(row)));
    } catch (error) {
      this.#log.warn({ notFound: serializeError(error) });
      return new Map();
    }
  }

  /** Stores `answers` by their keys, unless the member has been closed or has turned the cache off meanwhile; never throws. */
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

  /** Deletes this member's entries, or the whole family's for its main account. Returns their number. */
  async forget({ userId, familyId }: Owner): Promise<number> {
    const [gone] = await this.em
      .fork()
      .execute<{ count: number }[]>(FORGET, [familyId, userId === familyId ? null : userId]);
    return Number(gone?.count);
  }

  countOf(familyId: number): Promise<number> {
    return this.em.fork().count(CachedTranslation, { familyId, createdAt: unexpired() });
  }

  /** Nothing for a row that was tampered with: moved to another key, or changed. */
  #opened({ key, sealed }: CachedTranslation): [string, TextAnswer][] {
    try {
      const [forKey, answer] = JSON.parse(this.vault.open(sealed)) as [string, TextAnswer];
      return forKey === key ? [[key, answer]] : [];
    } catch {
      return [];
    }
  }

  /** Deletes a family's oldest entries beyond the limit, which may be exceeded a little between two counts. */
  async #bound(familyId: number, kept: number): Promise<void> {
    const left = (this.#uncounted.get(familyId) ?? 0) - kept;
    if (left > 0) return void this.#uncounted.set(familyId, left);
    if (this.#uncounted.size >= FAMILIES_COUNTED) this.#uncounted.clear();
    this.#uncounted.set(familyId, COUNT_AFTER);
    await this.em.fork().execute(BOUND, [familyId]);
  }
}

// The member's row is locked against its closing: a translation in progress at log-off is stored before the family's entries are deleted, or
// not at all. In the order of the keys, so that concurrent writers of the same keys cannot deadlock. Raw: an upsert from a SELECT … FOR SHARE.
const KEEP = `
INSERT INTO cached_translation (family_id, key, user_id, sealed)
SELECT m.family_id, decode(d.key, 'hex'), m.id, d.sealed
FROM unnest(?::text[], ?::text[]) AS d (key, sealed),
  (SELECT id, family_id FROM member WHERE id = ? AND closed_at IS NULL AND translation_cache FOR SHARE) AS m
ORDER BY d.key
ON CONFLICT (family_id, key) DO UPDATE SET user_id = excluded.user_id, sealed = excluded.sealed, created_at = now()`;

// Raw: locks in the order of the keys before it deletes, like KEEP.
const FORGET = `
WITH found AS (
  SELECT family_id, key FROM cached_translation
  WHERE family_id = ? AND user_id = coalesce(?::bigint, user_id) ORDER BY key FOR UPDATE
), gone AS (
  DELETE FROM cached_translation c USING found WHERE c.family_id = found.family_id AND c.key = found.key RETURNING 1
)
SELECT count(*) AS count FROM gone`;

// Raw: OFFSET in the subquery of a DELETE.
const BOUND = `
DELETE FROM cached_translation c USING (
  SELECT family_id, key FROM cached_translation WHERE family_id = ?
  ORDER BY created_at DESC, key OFFSET ${CACHE_ENTRIES_MAX}
) AS old WHERE c.family_id = old.family_id AND c.key = old.key`;

/** Deletes cached translations: all of the family's for its main account, its own for a sub-account. */
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

/** Deletes expired translations. A scheduled job runs it. */
export class PruneTranslations extends Command<void> {}

/** Rows per statement: short locks, short transactions. */
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

// Raw: LIMIT in the subquery of a DELETE.
const PRUNE = `
DELETE FROM cached_translation c USING (
  SELECT family_id, key FROM cached_translation
  WHERE created_at < now() - interval '${CACHE_DAYS} days' ORDER BY created_at LIMIT ${BATCH}
) AS old WHERE c.family_id = old.family_id AND c.key = old.key RETURNING 1`;
