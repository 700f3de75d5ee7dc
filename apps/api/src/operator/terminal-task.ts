import { CommandError, terminalLanguage, type Language, type Text, UsageError } from '../platform/cli-messages.js';
import type { Config } from '../platform/config.js';

/** What a command has that runs without the application. */
export type Terminal = { config: Config; language: Language; say: (line: Text) => void };

/** Runs it and returns the exit code: 0 done, 1 impossible, 2 wrong usage. */
export async function onTerminal(config: Config, read: () => (terminal: Terminal) => Promise<void>): Promise<number> {
  const language = terminalLanguage(process.env);
  try {
    const work = read();
    await work({ config, language, say: (line) => void process.stdout.write(`${line[language]}\n`) });
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CommandError)) throw error;
    process.stderr.write(`${error.text[language]}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
