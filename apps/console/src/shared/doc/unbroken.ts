/** A range such as 6–32 stays on one line: a word joiner follows its dash. */
export const unbroken = (text: string): string => text.replaceAll(/(\d)–(?=\d)/g, '$1–\u2060');
