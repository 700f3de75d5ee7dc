import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { errors, Refusal } from '@yiqiao/domain/errors';
import { AppModule } from '../app.module.js';
import type { Config } from '../platform/config.js';
import { NestLogger, createLogger } from '../platform/logger.js';
import { CommandError, terminalLanguage, UsageError, type Language } from '../platform/cli-messages.js';

/** What a command of the operator works with. `print` writes a line to standard output. */
export type Operator = { app: INestApplicationContext; language: Language; print: (line: string) => void };

/** A command as it was parsed, read and found in order: what is left is to do it. */
export type OperatorTask = (operator: Operator) => Promise<void>;

/**
 * Runs one command inside the product and answers the exit code: 0 done, 1 not possible as things stand, 2 called wrongly; the
 * sentence that says why goes to standard error.
 */
export async function asOperator(config: Config, read: () => OperatorTask): Promise<number> {
  const language = terminalLanguage(process.env);
  try {
    // What was parsed wrongly needs no database to be told.
    const work = read();
    await withApp(config, (app) => work({ app, language, print: (line) => void process.stdout.write(`${line}\n`) }));
    return 0;
  } catch (error) {
    const text = textOf(error, language);
    if (text === null) throw error;
    process.stderr.write(`${text}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function textOf(error: unknown, language: Language): string | null {
  if (error instanceof UsageError || error instanceof CommandError) return error.text[language];
  return error instanceof Refusal ? errors[error.code][language] : null;
}

/** The whole product without its server, closed when `work` is over. */
export async function withApp<T>(config: Config, work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const app = await NestFactory.createApplicationContext(AppModule.with(config), {
    logger: new NestLogger(createLogger(config, 'operator')),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
