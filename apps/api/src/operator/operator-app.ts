import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { errorMessage, Refusal } from '@yiqiao/domain/errors';
import { AppModule } from '../app.module.js';
import { OPERATOR_ROLE } from '../platform/database.js';
import { SessionGuard } from '../platform/session-guard.js';
import { OperatorsModule } from '../operators/operators.module.js';
import type { Config } from '../platform/config.js';
import { NestLogger, createLogger } from '../platform/logger.js';
import { CommandError, terminalLanguage, UsageError, type Language } from '../platform/cli-messages.js';

/** The context of a command. `print` writes a line to standard output. */
export type Operator = { app: INestApplicationContext; language: Language; print: (line: string) => void };

/** A command with parsed and validated arguments. */
export type OperatorTask = (operator: Operator) => Promise<void>;

/**
 * Runs one command inside the application and returns the exit code: 0 done, 1 refused, 2 wrong usage. The reason goes to standard
 * error.
 */
export async function asOperator(config: Config, read: () => OperatorTask): Promise<number> {
  const language = terminalLanguage(process.env);
  try {
    // Usage errors are reported without connecting to the database.
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
  return error instanceof Refusal ? errorMessage(error.code, language, error.details.data) : null;
}

/** The application without its HTTP server, with the rights of operators. */
export function openApp(config: Config): Promise<INestApplicationContext> {
  const module = AppModule.with(config, { guard: SessionGuard, imports: [OperatorsModule], role: OPERATOR_ROLE });
  return NestFactory.createApplicationContext(module, {
    logger: new NestLogger(createLogger(config, 'operator')),
    abortOnError: false,
  });
}

/** Runs `work` with the application and closes it afterwards. */
export async function withApp<T>(config: Config, work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const app = await openApp(config);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
