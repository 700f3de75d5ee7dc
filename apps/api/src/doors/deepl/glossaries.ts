import { hash } from 'node:crypto';
import { termFields } from '@yiqiao/contracts/glossary';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { type Term, termKey } from '@yiqiao/domain/glossary';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { PairGlossary } from '../../glossary/glossary.js';
import { canonicalLanguage, ListCallerLanguages } from '../../translation/translation.js';
import type { DoorAnswer, DoorCall } from '../door.js';
import type { DoorServices } from '../door-services.js';
import { Failure } from '../failure.js';
import { deeplCode, langCodeOf } from './languages.js';

/** langCodes */
type Pair = { readonly source: string; readonly target: string };

/** A glossary as DeepL names it. `givenAt`: of the terms that it stands for, null: all of the pair. */
type Found = { readonly pair: PairGlossary; readonly givenAt: Date | null };

const notFound = (): Failure => new Failure('missing', { message: 'Glossary not found' });

/**
 * The id of a glossary: a UUID (version 8) of the time at which its terms were given and a digest of its family and pair. The glossary that a
 * client makes in place of another has another id, so that deleting the old one takes away what only that had.
 */
function idOf(familyId: number, { source, target }: Pair, givenAt: Date | null): string {
  const time = (givenAt?.getTime() ?? 0).toString(16).padStart(12, '0');
  const digest = hash('sha256', `deepl-glossary ${familyId} ${source} ${target} ${time}`, 'hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-8${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

const ID = /^([0-9a-f]{8})-([0-9a-f]{4})-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

/** The glossary with this id. Throws for one that the family does not have. */
export async function findGlossary(
  { glossaries }: DoorServices,
  { familyId, id }: { familyId: number; id: string },
): Promise<Found> {
  const [, high, low] = ID.exec(id.toLowerCase()) ?? [];
  if (high === undefined || low === undefined) throw notFound();
  const time = Number.parseInt(`${high}${low}`, 16);
  const givenAt = time === 0 ? null : new Date(time);
  const all = await glossaries.list(familyId);
  const pair = all.find((each) => idOf(familyId, each, givenAt) === id.toLowerCase());
  if (!pair) throw notFound();
  return { pair, givenAt };
}

const infoOf = (familyId: number, pair: PairGlossary, givenAt: Date | null, name = nameOf(pair)): object => ({
  glossary_id: idOf(familyId, pair, givenAt),
  ready: true,
  name,
  source_lang: wireCode(pair.source),
  target_lang: wireCode(pair.target),
  creation_time: (givenAt ?? pair.createdAt).toISOString(),
  entry_count: pair.count,
});

const nameOf = ({ source, target }: Pair): string => `${wireCode(source)} → ${wireCode(target)}`;

/** DeepL's glossaries name languages without variants: as far as that names the same language here. */
function wireCode(langCode: string): string {
  const base = deeplCode(langCode, 'source').toLowerCase();
  return canonicalLanguage(base) === langCode ? base : deeplCode(langCode, 'target').toLowerCase();
}

export async function listGlossaries({ caller: { familyId }, services }: DoorCall): Promise<DoorAnswer> {
  const all = await services.glossaries.list(familyId);
  return { body: { glossaries: all.map((pair) => infoOf(familyId, pair, pair.givenAt)) } };
}

export async function getGlossary({ params, caller: { familyId }, services }: DoorCall): Promise<DoorAnswer> {
  const { pair, givenAt } = await findGlossary(services, { familyId, id: params['id'] ?? '' });
  return { body: infoOf(familyId, pair, givenAt) };
}

export async function getEntries({ params, caller: { familyId }, services }: DoorCall): Promise<DoorAnswer> {
  const { pair } = await findGlossary(services, { familyId, id: params['id'] ?? '' });
  const terms = await services.glossaries.terms(familyId, pair);
  const body = terms.map(({ term, translation }) => `${term}\t${translation}`).join('\n');
  return { body, type: 'text/tab-separated-values; charset=utf-8' };
}

export async function deleteGlossary({ params, caller: { familyId }, services }: DoorCall): Promise<DoorAnswer> {
  const { pair, givenAt } = await findGlossary(services, { familyId, id: params['id'] ?? '' });
  const { source, target } = pair;
  const count = await services.glossaries.remove(familyId, { source, target }, givenAt);
  if (count === 0) throw notFound();
  return { status: 204, body: undefined };
}

/** Languages of DeepL's own glossaries; all pairs of all our languages would be a list of megabytes. Others can be made, too. */
const LISTED =
  'ar bg cs da de el en es et fi fr he hu id it ja ko lt lv nb nl pl pt ro ru sk sl sv th tr uk vi zh'.split(' ');

/** Each of them with each other, as far as the caller can translate them. */
export async function listPairs({ caller, services }: DoorCall): Promise<DoorAnswer> {
  const asked = new ListCallerLanguages(caller, caller.apiKey.channelId);
  const { sources, targets } = await services.queries.execute(asked);
  const among = (known: ReadonlySet<string>): string[] => LISTED.filter((code) => known.has(langCodeOf(code) ?? ''));
  const into = among(targets);
  const pairs = among(sources).flatMap((source_lang) =>
    into.filter((code) => code !== source_lang).map((target_lang) => ({ source_lang, target_lang })),
  );
  return { body: { supported_languages: pairs } };
}

export async function createGlossary({ fields, caller: { familyId }, services }: DoorCall): Promise<DoorAnswer> {
  const needed = (name: string): string => {
    const value = fields.text(name);
    if (value === undefined) throw new Failure('input', { message: `Missing or invalid argument: ${name}` });
    return value;
  };
  const name = needed('name');
  const pair = {
    source: languageIn('source_lang', needed('source_lang')),
    target: languageIn('target_lang', needed('target_lang')),
  };
  if (pair.source === pair.target)
    throw new Failure('input', { message: 'Unsupported glossary source and target language pair' });
  const terms = termsIn(needed('entries'), fields.text('entries_format') ?? 'tsv');
  const givenAt = await services.glossaries.add(familyId, pair, terms);
  const made = (await services.glossaries.list(familyId)).find(
    ({ source, target }) => source === pair.source && target === pair.target,
  );
  if (!made) throw notFound();
  return { status: 201, body: infoOf(familyId, made, givenAt, name) };
}

function languageIn(name: string, code: string): string {
  const langCode = langCodeOf(code);
  if (langCode === null) throw new Failure('input', { message: `Value for '${name}' not supported.` });
  return langCode;
}

const invalid = (detail: string): Failure =>
  new Failure('input', { message: 'Invalid glossary entries provided', detail });

const term = z.object({ term: termFields.term, translation: termFields.translation });

/** Throws for terms that a glossary does not take, each of which is named by its place, from 0. */
function termsIn(entries: string, format: string): Term[] {
  const rows = format === 'csv' ? csvRows(entries) : format === 'tsv' ? tsvRows(entries) : null;
  if (rows === null) throw new Failure('input', { message: 'Unsupported entry format specified' });
  if (rows.length === 0) throw invalid('There are no entries.');
  if (rows.length > GLOSSARY_TERMS_MAX)
    throw new Failure('quota', { detail: `${GLOSSARY_TERMS_MAX} entries at most.` });
  const found = new Map<string, Term>();
  for (const [nth, [source, target]] of rows.entries()) {
    if (source === undefined || target === undefined) throw invalid(`Key with the index ${nth} misses tab separator`);
    const read = term.safeParse({ term: source, translation: target });
    if (!read.success) throw invalid(`Key with the index ${nth} is empty, too long or has no letters`);
    const key = termKey(read.data.term);
    if (found.has(key)) throw invalid(`Key with the index ${nth} duplicates another key`);
    found.set(key, read.data);
  }
  return [...found.values()];
}

const tsvRows = (entries: string): string[][] =>
  entries
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t'));

/** Further columns name the languages, which the request does already. */
function csvRows(entries: string): string[][] {
  try {
    return parse(entries, { relax_column_count: true, skip_empty_lines: true, bom: true });
  } catch (error) {
    if (error instanceof CsvError) throw invalid(error.message);
    throw error;
  }
}
