import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type FaultyEngine, faultyEngine } from '../../../../test/support/faulty-engine.js';
import { Apertium, type ApertiumOptions } from './apertium.js';

const folder = process.env['APERTIUM_DIR'] ?? '';
const present = existsSync(join('/', folder, 'usr/share/apertium/modes/eng-spa.mode'));
const describeEngine = present ? describe : describe.skip;

// Starting a mode takes a tenth of a second alone, and much longer on a machine that is busy.
jest.setTimeout(120_000);

const engines: Apertium[] = [];
const start = (options: Partial<ApertiumOptions> = {}): Apertium => {
  const engine = new Apertium({ folder, ...options });
  engines.push(engine);
  return engine;
};
const faults: FaultyEngine[] = [];
const faulty = async (): Promise<FaultyEngine> => {
  const engine = await faultyEngine(folder);
  faults.push(engine);
  return engine;
};
const soon = (): AbortSignal => AbortSignal.timeout(100_000);
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const gone = async (pids: readonly number[]): Promise<void> => {
  for (let tries = 0; tries < 500 && pids.some(isAlive); tries += 1) await wait(20);
  expect(pids.filter(isAlive)).toEqual([]);
};

/** Kills one process of a mode that is open. */
const killStage = (engine: Apertium, nth: number): void => {
  const pid = engine.processes('eng-spa')[nth];
  if (pid === undefined) throw new Error('eng-spa is not open');
  process.kill(pid, 'SIGKILL');
};

afterEach(async () => {
  for (const engine of engines.splice(0)) engine.close();
  await Promise.all(faults.splice(0).map((engine) => engine.remove()));
});

describeEngine(present ? 'Apertium' : 'Apertium (skipped: not installed, and APERTIUM_DIR does not lead to it)', () => {
  it('translates', async () => {
    const engine = start();
    expect(await engine.translate('eng-spa', 'The house is big and I want to buy two books.', soon())).toBe(
      'La casa es grande y quiero comprar dos libros.',
    );
    expect(await engine.translate('es-pt', 'Hola, ¿cuánto cuesta este producto?', soon())).toBe(
      'Olá, quanto custa este produto?',
    );
  });

  it('keeps line breaks, blanks, emoji, addresses and the marks of its own stream', async () => {
    const text =
      '  Hello,\tsee https://example.com/a_b?x=1&y=2.\n\n\n  Mail bob@x.com 😀👨‍👩‍👧  now: {name} ~ [5] <b> ^ $5.00 \\n / @ \u0001\r\n';
    expect(await start().translate('eng-spa', text, soon())).toBe(
      '  Hola,\tve https://example.com/a_b?x=1&y=2.\n\n\n  Correo bob@x.com 😀👨‍👩‍👧  ahora: {name} ~ [5] <b> ^ $5.00 \\n / @ \u0001\r\n',
    );
  });

  it('keeps every address once, with a pair that copies blanks when it reorders', async () => {
    const answer = await start().translate('en-eo', 'The https://a.com house www.b.org is https://c.com big.', soon());
    expect(answer.match(/https:\/\/a\.com|www\.b\.org|https:\/\/c\.com/g)).toEqual([
      'https://a.com',
      'www.b.org',
      'https://c.com',
    ]);
  });

  it('hands on what has no letters without an engine', async () => {
    expect(await start().translate('eng-spa', ' 12.5 😀\n', soon())).toBe(' 12.5 😀\n');
  });

  it('translates 5,000 code points, and 2,500 lines of one letter', async () => {
    const engine = start();
    const sentence = 'The house is big. ';
    const answer = await engine.translate('eng-spa', sentence.repeat(278).slice(0, 5000), soon());
    expect(answer.match(/La casa es grande\./g)).toHaveLength(277);
    const letters = await engine.translate('eng-spa', 'b\n'.repeat(2500), soon());
    expect(letters.split('\n')).toHaveLength(2501);
  });

  it('answers 200 requests at once, each with its own', async () => {
    const engine = start();
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) =>
        engine.translate(number % 2 ? 'spa-eng' : 'es-pt', `Quiero comprar ${number} libros.`, soon()),
      ),
    );
    expect(answers.map((answer) => Number(/\d+/.exec(answer)?.[0]))).toEqual(numbers);
  });

  it('replaces a pipe of which a stage was killed, at rest and at work', async () => {
    const engine = start();
    await engine.translate('eng-spa', 'The dog is small.', soon());
    killStage(engine, 3);
    expect(await engine.translate('eng-spa', 'The dog is small.', soon())).toBe('El perro es pequeño.');

    const answers = Promise.all(
      Array.from({ length: 40 }, (_, number) => engine.translate('eng-spa', `I want ${number} books.`, soon())),
    );
    killStage(engine, 5);
    expect((await answers).map((answer) => Number(/\d+/.exec(answer)?.[0]))).toEqual([...Array(40).keys()]);
  });

  it('fails, and never answers nothing, when a stage dies again and again, until it does not', async () => {
    const broken = await faulty();
    const engine = start({ folder: broken.folder });
    await broken.breakStage('dies');
    await expect(engine.translate('eng-spa', 'The house is big. '.repeat(270), soon())).rejects.toMatchObject({
      name: 'ChannelFailure',
      kind: 'unavailable',
    });
    await broken.mendStage();
    expect(await engine.translate('eng-spa', 'The dog is small.', soon())).toBe('El perro es pequeño.');
  });

  it('gives up on a stage that hangs, twice, and on nobody else', async () => {
    const broken = await faulty();
    const engine = start({ folder: broken.folder, timeoutMs: 3000 });
    await engine.translate('es-pt', 'Hola.', soon());
    await broken.breakStage('hangs');
    const hanging = engine.translate('eng-spa', 'The dog is small.', soon());
    await expect(hanging).rejects.toMatchObject({ kind: 'timeout' });
    expect(await engine.translate('es-pt', 'Hola.', soon())).toBe('Olá.');
  });

  it('stops waiting when its caller does, and serves the next one', async () => {
    const engine = start();
    const caller = new AbortController();
    const long = engine.translate('eng-spa', 'The house is big.\n'.repeat(280), caller.signal);
    caller.abort();
    await expect(long).rejects.toMatchObject({ kind: 'timeout' });
    expect(await engine.translate('eng-spa', 'The dog is small.', soon())).toBe('El perro es pequeño.');
    await expect(engine.translate('eng-spa', 'The dog.', AbortSignal.abort())).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  it('keeps no more modes open than allowed, and serves more than that', async () => {
    const engine = start({ maxPipes: 2 });
    const modes = ['eng-spa', 'spa-eng', 'es-pt', 'pt-es', 'es-fr'];
    const answers = await Promise.all(modes.map((mode) => engine.translate(mode, 'El animal es real.', soon())));
    expect(answers.every((answer) => answer.length > 5)).toBe(true);
    expect(modes.filter((mode) => engine.processes(mode).length > 0).length).toBeLessThanOrEqual(2);
  });

  it('closes a mode that nobody uses', async () => {
    const engine = start({ idleMs: 200 });
    await engine.translate('es-pt', 'Hola.', soon());
    const processes = engine.processes('es-pt');
    expect(processes.length).toBeGreaterThan(3);
    await gone(processes);
    expect(await engine.translate('es-pt', 'Hola.', soon())).toBe('Olá.');
  });

  it('leaves no process behind when it is closed', async () => {
    const engine = start();
    await engine.translate('es-pt', 'Hola.', soon());
    const processes = engine.processes('es-pt');
    const late = engine.translate('eng-spa', 'The dog is small.', soon());
    engine.close();
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(engine.translate('es-pt', 'Hola.', soon())).rejects.toMatchObject({ kind: 'unavailable' });
    await gone(processes);
  });
});
