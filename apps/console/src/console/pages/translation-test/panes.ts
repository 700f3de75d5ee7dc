import type { ApiError } from '../../../shared/api/api-error.js';
import type { Asked } from './translate-one.js';
import type { Done } from './visits.js';

/** What stands in a channel's pane; a channel without one has not been asked. */
export type Pane =
  | { status: 'busy'; asked: Asked }
  | { status: 'done'; done: Done }
  | { status: 'refused'; asked: Asked; error: ApiError };
export type Panes = ReadonlyMap<number, Pane>;

/** A text and its direction, whichever channel is asked. */
export type Question = Pick<Asked, 'source' | 'target' | 'text'>;

const isTo = (asked: Question, { source, target, text }: Question): boolean =>
  asked.source === source && asked.target === target && asked.text === text;

/** What the channels `shown` answered to `question`; what came late to an earlier one stays in its pane and counts for nothing else. */
export const answersTo = (panes: Panes, shown: readonly number[], question: Question | null): readonly Done[] =>
  shown.flatMap((id) => {
    const pane = panes.get(id);
    return pane?.status === 'done' && question !== null && isTo(pane.done.asked, question) ? [pane.done] : [];
  });

/** Whether a pane still makes sense above `question`: a refusal is about its own text alone. */
export const isShown = (pane: Pane, question: Question): boolean =>
  pane.status !== 'refused' || isTo(pane.asked, question);

/** Whether an answer was asked for in another direction than the bars above it name now. */
export const isElsewhere = ({ asked }: Done, { source, target }: Omit<Question, 'text'>): boolean =>
  asked.source !== source || asked.target !== target;
