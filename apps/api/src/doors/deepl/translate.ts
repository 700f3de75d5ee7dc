import { FORMALITIES, type Formality, isFormalityRequired } from '@yiqiao/domain/formality';
import { ListCallerLanguages } from '../../translation/translation.js';
import type { DoorAnswer, DoorCall } from '../door.js';
import { namedSource } from '../door-texts.js';
import { Failure } from '../failure.js';
import type { Fields } from '../fields.js';
import { findGlossary } from './glossaries.js';
import { deeplCode, langCodeOf } from './languages.js';

/** Of one request; DeepL takes 50. */
const TEXTS_MAX = 1_000;

const unsupported = (name: string): Failure => new Failure('input', { message: `Value for '${name}' not supported.` });

export async function translate(call: DoorCall): Promise<DoorAnswer> {
  const { fields, caller, client, services } = call;
  const { texts, source, target, format, formality, ignored } = inputOf(fields);
  if (isFormalityRequired(formality)) await refuseWithoutRegisters(target, call);
  const glossaryIds = listIn(fields, 'glossary_id').concat(listIn(fields, 'glossary_ids'));
  if (glossaryIds.length > 0 && source === null)
    throw new Failure('input', { message: 'Use of a glossary requires the source_lang parameter to be specified' });
  // Translations use the family's terms in any case: an id only has to be one.
  for (const id of glossaryIds) await findGlossary(services, { familyId: caller.familyId, id });

  const { before, after } = ignoringTags(ignored, format);
  const asked = { texts: texts.map(before), source, target, format, formality };
  const done = await services.texts.translate(asked, { caller, client });
  const billed = flagIn(fields, 'show_billed_characters');
  const model = modelIn(fields);
  const translations = await Promise.all(
    done.map(async (each, at) => ({
      detected_source_language: deeplCode(await namedSource({ ...each, text: texts[at] ?? '' }), 'source'),
      text: after(each.text),
      ...(billed && { billed_characters: each.charged }),
      ...(model !== null && { model_type_used: model }),
    })),
  );
  return { body: { translations } };
}

type Input = {
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
  readonly format: 'text' | 'html' | 'xml';
  readonly formality: Formality | undefined;
  readonly ignored: readonly string[];
};

/** What marks an element of `ignore_tags` on its way: our markup leaves such elements as they are. */
const MARK = ' translate="no" data-yq=""';

/** Names that may be part of a pattern as they are. */
const NAME = /^[\p{L}_:][\p{L}\p{N}_:.-]*$/u;

type Passage = { readonly before: (text: string) => string; readonly after: (text: string) => string };

const same = (text: string): string => text;

/** `before` marks the elements of these names as not to be translated, `after` takes the marks away. */
function ignoringTags(names: readonly string[], format: Input['format']): Passage {
  const known = names.filter((name) => NAME.test(name));
  if (known.length === 0) return { before: same, after: same };
  const escaped = known.map((name) => name.replaceAll('.', String.raw`\.`)).join('|');
  const opening = new RegExp(String.raw`<(?:${escaped})(?=[\s/>])`, format === 'html' ? 'giu' : 'gu');
  return { before: (text) => text.replaceAll(opening, `$&${MARK}`), after: (text) => text.replaceAll(MARK, '') };
}

/** Refuses what DeepL refuses; what it takes without an effect of ours is checked and ignored. */
function inputOf(fields: Fields): Input {
  const texts = fields.texts('text');
  if (texts === null || texts.length === 0)
    throw new Failure('input', { message: "Bad request. Reason: Parameter 'text' not specified." });
  if (texts.length > TEXTS_MAX) throw new Failure('input', { message: 'Bad request. Reason: Too many texts.' });
  const targetCode = fields.text('target_lang');
  if (targetCode === undefined)
    throw new Failure('input', { message: "Bad request. Reason: Parameter 'target_lang' not specified." });
  const target = langCodeOf(targetCode);
  if (target === null) throw unsupported('target_lang');
  const sourceCode = fields.text('source_lang');
  const source = sourceCode === undefined ? null : langCodeOf(sourceCode);
  if (source === null && sourceCode !== undefined) throw unsupported('source_lang');
  const formality = choiceIn(fields, 'formality', FORMALITIES) ?? undefined;
  choiceIn(fields, 'split_sentences', ['0', '1', 'nonewlines']);
  for (const name of FLAGS) flagIn(fields, name);
  modelIn(fields);
  const tagHandling = choiceIn(fields, 'tag_handling', ['html', 'xml']);
  for (const name of ['non_splitting_tags', 'splitting_tags']) listIn(fields, name);
  const ignored = listIn(fields, 'ignore_tags');
  return { texts, source, target, format: tagHandling ?? 'text', formality, ignored: tagHandling ? ignored : [] };
}

const FLAGS = ['preserve_formatting', 'outline_detection', 'show_billed_characters'];

async function refuseWithoutRegisters(target: string, { caller, services }: DoorCall): Promise<void> {
  const { registers } = await services.queries.execute(new ListCallerLanguages(caller, caller.apiKey.channelId));
  if (!registers.has(target))
    throw new Failure('input', { message: "'formality' is not supported for given 'target_lang'." });
}

const MODELS = ['quality_optimized', 'prefer_quality_optimized', 'latency_optimized'] as const;

/** The model that the answer names where the request does; each channel has one. */
function modelIn(fields: Fields): string | null {
  const model = choiceIn(fields, 'model_type', MODELS);
  return model === null ? null : model.replace('prefer_', '');
}

function choiceIn<T extends string>(fields: Fields, name: string, choices: readonly T[]): T | null {
  if (fields.get(name) === undefined) return null;
  const value = fields.text(name);
  if (value === undefined) return null;
  const found = choices.find((each) => each === value.toLowerCase());
  if (found === undefined) throw unsupported(name);
  return found;
}

const flagIn = (fields: Fields, name: string): boolean =>
  ['1', 'true'].includes(choiceIn(fields, name, ['0', '1', 'false', 'true']) ?? '0');

/** A list of JSON, or names separated by commas. */
function listIn(fields: Fields, name: string): string[] {
  const value = fields.get(name);
  if (value === undefined) return [];
  const all = fields.texts(name);
  if (all === null) throw unsupported(name);
  return all
    .flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
