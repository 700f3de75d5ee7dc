import { Refusal } from '@yiqiao/domain/errors';
import type { Quality, TextChannel } from './channels/channel.js';
import { languageOf } from './channels/languages.js';
import { detectLanguage } from './detect-language.js';

/** What will be translated into what. `detected`: the source was asked as `auto`; `sure` whether the text left no doubt. */
export type Languages = { source: string; target: string; quality: Quality; detected: boolean; sure: boolean };

/**
 * Settles both languages and that the channel can do them. Throws VALIDATION_FAILED for a language that does not exist,
 * LANGUAGE_NOT_DETECTED, SAME_LANGUAGE or PAIR_NOT_SUPPORTED: all before anything is held (decisions §4).
 */
export async function resolveLanguages(
  input: { source: string; target: string; text: string },
  channel: TextChannel,
): Promise<Languages> {
  const errors = [
    ...(input.source === 'auto' || languageOf(input.source) ? [] : [{ path: 'source', code: 'LANGUAGE_UNKNOWN' }]),
    ...(languageOf(input.target) ? [] : [{ path: 'target', code: 'LANGUAGE_UNKNOWN' }]),
  ];
  if (errors.length > 0) throw new Refusal('VALIDATION_FAILED', { errors });

  const detected = input.source === 'auto';
  const { langCode: source, sure } = detected
    ? await detectLanguage(input.text, [...(await channel.languages()).sources])
    : { langCode: input.source, sure: true };
  if (source === null) throw new Refusal('LANGUAGE_NOT_DETECTED');
  if (source === input.target) throw new Refusal('SAME_LANGUAGE', { data: { source } });
  const quality = await channel.supports(source, input.target);
  if (!quality) throw new Refusal('PAIR_NOT_SUPPORTED', { data: { source, target: input.target } });
  return { source, target: input.target, quality, detected, sure };
}
