/** The operator's command line uses the language of its terminal: English when the locale says so, else Chinese (decisions §1: the default). */
export type Language = 'zh' | 'en';
export type Text = Readonly<Record<Language, string>>;

export function terminalLanguage(env: NodeJS.ProcessEnv): Language {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return /^en/i.test(locale) ? 'en' : 'zh';
}

/** How to run one of the operator's commands here, for hints: by npm in a checkout, OPERATOR_COMMAND where it is installed. */
export const operatorCommand = (words: string): string =>
  `${process.env['OPERATOR_COMMAND'] || 'npm run operator --'} ${words}`;

/** The command line is not valid. Exit code 2. */
export class UsageError extends Error {
  constructor(readonly text: Text) {
    super(text.en);
    this.name = 'UsageError';
  }
}

/** The command is valid but cannot be executed in the current state. Exit code 1. */
export class CommandError extends Error {
  constructor(readonly text: Text) {
    super(text.en);
    this.name = 'CommandError';
  }
}
