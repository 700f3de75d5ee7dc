import { VENDORS, type VendorName } from './account.js';
import { detected, type Detected } from './translation/detection.js';
import { languageOf } from './translation/language.js';
import { hideTerms, showTerms, type Term } from './translation/terms.js';
import { spoiledTranslation } from './translation/spoiled.js';
import type { Spoil } from './vendor-faults.js';

/** Texts to translate, in the vendor's own codes. Source null: each text's own language is found out. */
export interface Job {
  readonly vendor: VendorName;
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
  /** What is to be called how. */
  readonly terms?: readonly Term[];
}

/** A translated text, with the language that was found where none was named. */
export interface Done {
  readonly text: string;
  readonly found: Detected | null;
}

/** What a vendor makes of its texts: as many, in their order, unless a switch has it otherwise. */
export function translate(
  { vendor, texts, source, target, terms = [] }: Job,
  spoils: readonly Spoil[],
): readonly Done[] {
  const into = languageOf(target);
  return texts.slice(0, spoils.includes('count') ? -1 : undefined).map((text) => {
    const found = source === null ? detected(text) : null;
    const from = languageOf(source ?? found?.tag ?? 'en');
    // What is in the target's language already comes back as it is.
    const asIs: readonly Spoil[] = found && from.tag === into.tag ? ['echo'] : [];
    const manner = { vendor, wording: VENDORS.indexOf(vendor), source: from, target: into };
    const made = spoiledTranslation(hideTerms(text, terms), manner, [...asIs, ...spoils]);
    return { text: showTerms(made, terms), found };
  });
}
