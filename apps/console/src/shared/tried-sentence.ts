/** The sentence that a visitor tried on the home page, for the translation test after signing in. Only this tab keeps it. */
const KEY = 'tried-sentence';

type TriedSentence = { text: string; source: string; target: string };

export function keepTriedSentence(sentence: TriedSentence): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(sentence));
  } catch {
    // Without storage the visitor writes it again.
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

export function readTriedSentence(): TriedSentence | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<TriedSentence> | null;
    const { text, source, target } = kept ?? {};
    return isText(text) && isText(source) && isText(target) ? { text, source, target } : null;
  } catch {
    return null;
  }
}

export const forgetTriedSentence = (): void => sessionStorage.removeItem(KEY);
