import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../shared/api/api-error.js';
import { answersTo, isElsewhere, isShown, type Pane, type Question } from './panes.js';
import type { Done } from './history.js';

const question = (text: string, source = 'zh-Hans', target = 'en'): Question => ({ source, target, text });
const done = (channelId: number, request: Question): Done => ({
  channelId,
  request,
  answer: {
    translated: `${request.text}${channelId}`,
    source: request.source,
    target: request.target,
    channelId,
    charged: 1,
    quality: 'translation',
    warning: null,
  },
  seconds: 0.1,
});
const answered = (id: number, request: Question): [number, Pane] => [id, { status: 'done', done: done(id, request) }];
const error = new ApiError('The balance is not enough.', { code: 'QUOTA_NOT_ENOUGH', status: 422 });
const refused = (request: Question): Pane => ({ status: 'refused', request, error });

describe('the answers on the screen', () => {
  const request = question('您好');
  const ids = (panes: [number, Pane][], shown: number[], to: Question | null = request) =>
    answersTo(new Map(panes), shown, to).map(({ channelId }) => channelId);

  it('are those of the channels that are shown, in their order', () => {
    expect(ids([answered(1, request), answered(2, request), answered(4, request)], [4, 1])).toEqual([4, 1]);
    expect(ids([[1, { status: 'busy', request }], [2, refused(request)], answered(4, request)], [1, 2, 4])).toEqual([
      4,
    ]);
  });

  it('exclude late answers to another direction or text', () => {
    const late = [
      answered(1, question('您好', 'fr', 'de')),
      answered(2, question('您好', 'auto')),
      answered(4, question('您好', 'zh-Hans', 'en-GB')),
      answered(5, question('再见')),
      answered(6, request),
    ];
    expect(ids(late, [1, 2, 4, 5, 6])).toEqual([6]);
  });

  it('are none before the first request', () => {
    expect(ids([answered(1, request)], [1], null)).toEqual([]);
  });
});

describe('an answer', () => {
  it('is marked with its own direction once the bars above name another one, whatever the text is', () => {
    const answer = done(1, question('您好'));
    expect(isElsewhere(answer, { source: 'zh-Hans', target: 'en' })).toBe(false);
    expect(isElsewhere(answer, { source: 'zh-Hans', target: 'ja' })).toBe(true);
    expect(isElsewhere(answer, { source: 'auto', target: 'en' })).toBe(true);
  });
});

describe('a pane', () => {
  it('no longer shows a refusal once the text or the direction is another', () => {
    expect(isShown(refused(question('您好')), question('您好'))).toBe(true);
    expect(isShown(refused(question('您好')), question('您好！'))).toBe(false);
    expect(isShown(refused(question('您好')), question('您好', 'zh-Hans', 'ja'))).toBe(false);
  });

  it('keeps answered and pending panes on screen', () => {
    const earlier = question('再见');
    expect(isShown({ status: 'done', done: done(1, earlier) }, question('您好'))).toBe(true);
    expect(isShown({ status: 'busy', request: earlier }, question('您好'))).toBe(true);
  });
});
