import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { CALLS, CODE_LANGUAGES, exampleOf, type CallName } from './calls.js';

const ORIGIN = 'https://yiqiao.example';
const NAMES = Object.keys(CALLS) as CallName[];

describe('the examples of the API', () => {
  it.each(NAMES)('call the same address with a key in every language: %s', (name) => {
    for (const language of CODE_LANGUAGES) {
      const code = exampleOf(language, ORIGIN, CALLS[name]);
      expect([language, code.includes(ORIGIN + CALLS[name].path), code.includes('API_KEY')]).toEqual([
        language,
        true,
        true,
      ]);
    }
  });

  it.each(NAMES)('are read by the language itself: %s', (name) => {
    const call = CALLS[name];
    const node = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
      input: exampleOf('node', ORIGIN, call),
      encoding: 'utf8',
    });
    expect([node.status, node.stderr]).toEqual([0, '']);
    const shell = spawnSync('bash', ['-n'], { input: exampleOf('curl', ORIGIN, call), encoding: 'utf8' });
    expect([shell.status, shell.stderr]).toEqual([0, '']);
  });

  it('write a body as each language does', () => {
    expect(exampleOf('php', ORIGIN, CALLS.deleteTerms)).toContain(`json_encode(['ids' => [17]])`);
    expect(exampleOf('python', ORIGIN, CALLS.deleteTerms)).toContain(`json={'ids': [17]}`);
    expect(exampleOf('node', ORIGIN, CALLS.deleteTerms)).toContain(`JSON.stringify({ ids: [17] })`);
    expect(exampleOf('curl', ORIGIN, CALLS.deleteTerms)).toContain(`curl -X DELETE '${ORIGIN}/v1/glossary'`);
  });
});
