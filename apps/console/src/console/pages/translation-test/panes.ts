import type { ApiError } from '../../../shared/api/api-error.js';
import type { Done, TextRequest } from './history.js';

/** The state of a channel's pane; a channel without one has not been requested. */
export type Pane =
  | { status: 'busy'; request: TextRequest }
  | { status: 'done'; done: Done }
  | { status: 'refused'; request: TextRequest; error: ApiError };
export type Panes = ReadonlyMap<number, Pane>;

/** A text and its direction, whichever channel it goes to. */
export type Question = Pick<TextRequest, 'source' | 'target' | 'text'>;

const isTo = (request: Question, { source, target, text }: Question): boolean =>
  request.source === source && request.target === target && request.text === text;

/** The answers of the channels `shown` to `question`; late answers to an earlier question stay in their panes but do not count. */
export const answersTo = (panes: Panes, shown: readonly number[], question: Question | null): readonly Done[] =>
  shown.flatMap((id) => {
    const pane = panes.get(id);
    return pane?.status === 'done' && question !== null && isTo(pane.done.request, question) ? [pane.done] : [];
  });

/** Whether a pane still applies to `question`: a refusal only applies to its own text. */
export const isShown = (pane: Pane, question: Question): boolean =>
  pane.status !== 'refused' || isTo(pane.request, question);

/** Whether the direction has changed since the answer was requested. */
export const isElsewhere = ({ request }: Done, { source, target }: Omit<Question, 'text'>): boolean =>
  request.source !== source || request.target !== target;
