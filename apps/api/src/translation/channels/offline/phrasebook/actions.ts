import { Pattern } from './pattern.js';
import type { Action, ActionKind, Reader, Reading, Said } from './tables.js';
import { type Token, tokenize } from './tokens.js';

/** Rows `zh TAB pattern TAB English TAB participle`, in which `{me}`, `{my}`, `{me.zh}` … name the person. */
export const parseActions = (text: string): Action[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const columns = line.split('\t').map((column) => column.trim());
      const said: Partial<Record<'me' | 'you', Said>> = {};
      return { as: (person) => (said[person] ??= sayAs(person, columns)) };
    });

function sayAs(person: 'me' | 'you', columns: readonly string[]): Said {
  const [zh = '', recognised = '', en = '', done = ''] = columns.map((text) => personal(text, person));
  const pattern = new Pattern(recognised);
  const [base, participle] = [tokenize(en), tokenize(done)];
  return {
    zh,
    en,
    done,
    ends: (tongue, tokens, at, form) => {
      if (tongue === 'zh') return pattern.endsFrom(tokens, at);
      const words = form.endsWith('done') ? participle : base;
      return startsWith(tokens, at, words) ? [at + words.length] : [];
    },
  };
}

const startsWith = (tokens: readonly Token[], at: number, words: readonly Token[]): boolean =>
  words.length > 0 && words.every(({ norm }, offset) => tokens[at + offset]?.norm === norm);

const personal = (text: string, person: 'me' | 'you'): string => {
  const isMe = person === 'me';
  return text
    .replaceAll('{me.zh}', isMe ? '我' : '您')
    .replaceAll('{me}', isMe ? 'me' : 'you')
    .replaceAll('{us}', isMe ? 'you' : 'us')
    .replaceAll('{my}', isMe ? 'my' : 'your')
    .replaceAll('{myself}', isMe ? 'myself' : 'yourself');
};

const personOf = (form: string): 'me' | 'you' => (form.startsWith('me') ? 'me' : 'you');

/** The reader of an action's slot. */
export const acting = (kind: ActionKind): Reader =>
  function* ({ tongue, tokens, actions }, at, form = ''): Generator<Reading> {
    for (const action of actions[kind])
      for (const end of action.as(personOf(form)).ends(tongue, tokens, at, form))
        yield {
          end,
          value: (target, asked) => {
            const said = action.as(personOf(asked));
            if (target === 'zh') return said.zh;
            return asked.endsWith('done') ? said.done : said.en;
          },
        };
  };
