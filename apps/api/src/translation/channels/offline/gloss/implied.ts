import type { Verb } from './english.js';
import { type Noun, pronoun } from './parts.js';
import type { Clause } from './read-clause.js';

/** What the seller does, and the buyer asks for. */
const SELLER =
  /^(?:ship|send|issue|offer|give|make|provide|customize|produce|refund|reship|accept|support|lower|add|arrange|cancel|change|check|resend|guarantee|deliver|discount|reserve|hold|sell|leave|delete|handle|solve|help|combine|compensate|prepare|pack|take orders|restock|reply|do|notify|remind|explain|teach|recommend|introduce|mark|reissue|print|stock|dropship)\b/;
/** What the buyer does; other verbs without a subject say what a thing does. */
const BUYER =
  /^(?:buy|use|return|wear|wash|order|place|pay|choose|want|need|know|see|get|receive|find|track|try|think|feel like|like|love|ask|contact|go|confirm|open|look|read|understand|exchange|put|take|keep|wait|apply|claim|sign|install|cancel|request|join|collect|post|write|enter|click|set up|log in|call|bring|hope|believe|worry|forget|remember|learn|say|tell|have|plug|press|connect|agree|cook|drink|eat|hear|review|complain|copy|download|scan|reach|buy again|reset|assemble|pick|follow|move|trust|decide|save|share|talk|discuss|swim|shower|mind|fill|bargain|choose|cut|clean|wipe|iron|dry|pull|push|turn|start|close|finish|thank|let)\b/;
/** What can be done to a product. */
export const PRODUCT =
  /^(?:wash|machine-wash|hand-wash|dry-clean|tumble-dry|iron|bleach|fold|open|take apart|remove|adjust|install|assemble|replace|soak|sterilize|engrave|customize|detach|exchange|repair|fix|heat|stack|cut|shorten|charge|print)\b/;
/** What is done to a thing that is the subject and there is no object. */
export const ACTED_ON =
  /^(?:ship(?!ping)|send|write|pay|change|cancel|refund|issue|use|return|handle|process|fill in|lose(?! its)|damage|deliver|put|make|design|sell|cut|wash|open|install|heat|combine|confirm|check|replace|repair|send back|sign for|detain|hold|deduct|charge|pack|print|customize|enter|exchange|upload|add|delete|approve|reject|refuse|register|receive|remove|take apart|take out|take off|throw|assemble|adjust|machine-wash|hand-wash|dry-clean|tumble-dry|iron|bleach|sterilize|engrave|squeeze|trim|update|connect|wipe|clean|reset|apply|bend|fold|accept|soak|clip|attach|test|resend|rush|declare|choose|scan|list|launch|release)\b/;

type Implied = {
  readonly verb: Verb;
  readonly isPassive: boolean;
  readonly isQuestion: boolean;
  readonly isCondition: boolean;
};

const pronounOf = (...forms: readonly string[]): Noun => pronoun(forms);

/** Chinese leaves the subject out where it is clear; null: nobody's, as in a command. */
export function impliedSubject(
  read: Clause,
  { verb: { base }, isPassive, isQuestion, isCondition }: Implied,
): Noun | null {
  const isIt = isPassive || read.main === null || /^be\b/.test(base) || !(SELLER.test(base) || BUYER.test(base));
  if (isIt) return pronounOf('it', 'it', 'its', 'its');
  if (read.question === 'how' && !/^(?:ship|send|pack|solve|handle|charge|sell)\b/.test(base))
    return pronounOf('I', 'me', 'my', 'mine');
  if (isQuestion) {
    const isSellers = SELLER.test(base) || base === 'have' || read.tail.includes('for me');
    return isSellers ? pronounOf('you', 'you', 'your', 'yours') : pronounOf('I', 'me', 'my', 'mine');
  }
  if (isCondition) return pronounOf('you', 'you', 'your', 'yours');
  const isStatement = read.isDone || read.isPerfect || read.modal !== null || read.isNegative || read.isPast;
  if (!isStatement) return null;
  return SELLER.test(base) ? pronounOf('we', 'us', 'our', 'ours') : pronounOf('I', 'me', 'my', 'mine');
}

/** Verbs that English does not leave without an object. */
const NEEDS_OBJECT =
  /^(?:like|love|want|use|wear|buy|keep|find|fix|get|see|need|take|repair|cancel|wash|install|receive|cut|put|sell|handle)$/;

export const lacksObject = ({ main, rest, question, topic, isPassive }: Clause, own: Noun | null): boolean =>
  main !== null &&
  rest < 0 &&
  topic === null &&
  !isPassive &&
  (own === null || own.isPronoun || own.isPerson) &&
  (question === null || /^(?:how|when|where|why|who)$/.test(question)) &&
  NEEDS_OBJECT.test(main.verb.base);
