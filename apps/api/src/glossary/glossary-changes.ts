import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { Members } from '../members/members.js';
import { Outbox } from '../platform/outbox.js';
import { GlossaryTerm, GlossaryVersion } from './glossary.entity.js';
import { WrittenVersions } from './written-versions.js';

/** The result of a change. `changed` false: there was nothing to change. */
export type Changed<T> = { readonly answer: T; readonly changed: boolean };

/** Applies changes to a family's terms: one at a time, with one version each. */
@Injectable()
export class GlossaryChanges {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly outbox: Outbox,
    private readonly written: WrittenVersions,
  ) {}

  /** Also returns the version after the change. Throws NOT_FOUND after log-off, GLOSSARY_FULL when there would be too many terms. */
  async make<T>(
    familyId: number,
    work: (em: EntityManager) => Promise<Changed<T>>,
  ): Promise<{ answer: T; version: number }> {
    const done = await this.em.fork().transactional(async (em) => {
      if (!(await this.members.lock(em, familyId))) throw new Refusal('NOT_FOUND');
      const { answer, changed } = await work(em);
      if (!changed) return { answer, version: await versionOf(em, familyId) };
      if ((await em.count(GlossaryTerm, { familyId })) > GLOSSARY_TERMS_MAX) throw new Refusal('GLOSSARY_FULL');
      await this.outbox.record(em, { type: 'GlossaryChanged', familyId });
      return { answer, version: await nextVersion(em, familyId) };
    });
    this.written.add(familyId, done.version);
    return done;
  }
}

const versionOf = async (em: EntityManager, familyId: number): Promise<number> =>
  (await em.findOne(GlossaryVersion, { familyId }, { disableIdentityMap: true }))?.version ?? 0;

async function nextVersion(em: EntityManager, familyId: number): Promise<number> {
  const row = await em
    .createQueryBuilder(GlossaryVersion)
    .insert({ familyId })
    .onConflict('familyId')
    .merge({ version: raw('glossary.version + 1'), changedAt: raw('now()') })
    .returning('version')
    .execute<{ version: number }>('get');
  return Number(row.version);
}
