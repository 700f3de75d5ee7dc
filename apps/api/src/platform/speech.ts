/** The operator's tool speaks the language of its terminal: English when LANG says so, else Chinese (decisions §1: the default). */
export type Language = 'zh' | 'en';
export type Text = Readonly<Record<Language, string>>;

export function languageOfTerminal(env: NodeJS.ProcessEnv): Language {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return /^en/i.test(locale) ? 'en' : 'zh';
}

/** Called wrongly: what the operator typed cannot be meant. Exit code 2. */
export class Misuse extends Error {
  constructor(readonly text: Text) {
    super(text.en);
    this.name = 'Misuse';
  }
}

/** Understood, and not possible as things stand. Exit code 1. */
export class Impossible extends Error {
  constructor(readonly text: Text) {
    super(text.en);
    this.name = 'Impossible';
  }
}
