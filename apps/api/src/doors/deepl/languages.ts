import { languageOf, ListCallerLanguages, servicesLanguages } from '../../translation/translation.js';
import type { DoorAnswer, DoorCall } from '../door.js';
import { Failure } from '../failure.js';

const { deepl } = servicesLanguages;

/** DeepL's code of a langCode; for languages that DeepL does not have, ours in its upper case. A source has neither region nor script. */
export const deeplCode = (langCode: string, side: 'source' | 'target'): string =>
  (deepl.code(langCode, side) ?? langCode).toUpperCase();

/** The langCode of one of DeepL's codes, in any case; null for none. */
export const langCodeOf = (code: string): string | null => deepl.langCodeOf(code);

export async function listLanguages({ fields, caller, services }: DoorCall): Promise<DoorAnswer> {
  const type = fields.text('type') ?? 'source';
  if (type !== 'source' && type !== 'target')
    throw new Failure('input', {
      message: "Parameter 'type' is invalid. 'source' and 'target' are valid values.",
    });
  const asked = new ListCallerLanguages(caller, caller.apiKey.channelId);
  const { sources, targets, registers } = await services.queries.execute(asked);
  // Several of our languages may be one of DeepL's: its variants are none as sources.
  const names = new Map<string, { readonly name: string; readonly supports_formality: boolean }>();
  for (const langCode of type === 'source' ? sources : targets) {
    const code = deeplCode(langCode, type);
    if (!names.has(code) || deepl.own(langCode)?.toUpperCase() === code)
      names.set(code, {
        name: languageOf(langCode)?.englishName ?? code,
        supports_formality: registers.has(langCode),
      });
  }
  const body = [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, { name, supports_formality }]) => ({
      language,
      name,
      ...(type === 'target' && { supports_formality }),
    }));
  return { body };
}
