import { comparativeOf, isModal, type Verb } from './english.js';
import { definite, indefinite, join, type Noun, type Part, SAY, type Verbal } from './parts.js';

/** What a clause says, before it is put in the order of English. */
export type Clause = {
  readonly subject: Noun | null;
  /** Said before the subject: 发票 in 发票我们可以开. */
  readonly topic: Noun | null;
  readonly modal: string | null;
  readonly main: Verbal | null;
  /** An adjective as the predicate; '' with a verb. */
  readonly predicate: string;
  readonly object: string;
  readonly compared: string;
  readonly agent: string;
  readonly adverbs: readonly string[];
  /** After the object: places, manners, then times. */
  readonly tail: readonly string[];
  readonly times: readonly string[];
  readonly question: string | null;
  readonly isQuestion: boolean;
  readonly isNegative: boolean;
  readonly isPerfect: boolean;
  readonly isDone: boolean;
  readonly isPast: boolean;
  readonly isFuture: boolean;
  readonly isProgressive: boolean;
  readonly isPassive: boolean;
  readonly isCommand: boolean;
  /** Where the next verb of a chain begins; -1 without one. */
  readonly rest: number;
};

/** Verbs with two objects. */
const GIVE =
  /^(?:give|send|show|refund|offer|tell|mail|lend|pay|bring|teach|charge|resend|compensate|write|reship|send out|call)\b/;
/** Verbs whose object is new to the reader: "a" rather than "the". */
const NEW_OBJECT =
  /^(?:be$|(?:resend|have|want|need|issue|give|send|use|buy|order|provide|leave|make|take|offer|get|do not have|request|choose)\b)/;
const LINKING = /^(?:be|feel|look|become|get|taste|smell|seem)\b/;
const DEGREES = /^(?:更|更加|最|很|挺|太|非常|特别|有点|有点儿|比较|十分|真|好|稍微|这么|那么|超级|越来越|不太)$/;
const AT_END =
  /^(?:right away|immediately|as soon as possible|in time|on time|together|in advance|again|separately|in full|directly|first|for now|anytime|later|earlier|in person|soon|for free|online|easily|for the first time|oneself|really much|at least|in total|too|a bit|yet|now|once|twice|\S+ times|(?:for|to) (?:me|you|us))$/;

/** "send to" where the object comes between. */
const withoutTo = ({ base, past, participle }: Verb): Verb => ({
  base: base.replace(/ to$/, ''),
  past: past?.replace(/ to$/, ''),
  participle: participle?.replace(/ to$/, ''),
});

const isPredicate = ({ kind }: Part): boolean => kind === 'verb' || kind === 'adjective';

/** Reads the parts of a clause from left to right, until a second verb begins. */
export class ClauseReader {
  private subject: Noun | null = null;
  private topic: Noun | null = null;
  private modalText: string | null = null;
  private main: Verbal | null = null;
  private predicate = '';
  private object: string | null = null;
  private moved = '';
  private receiver = '';
  private compared = '';
  private agent = '';
  private degree = '';
  private question: string | null = null;
  private rest = -1;
  private readonly adverbs: string[] = [];
  private readonly tail: string[] = [];
  private readonly times: string[] = [];
  private readonly flags = {
    isQuestion: false,
    isNegative: false,
    isPerfect: false,
    isDone: false,
    isPast: false,
    isFuture: false,
    isProgressive: false,
    isPassive: false,
    isCommand: false,
  };
  private at = 0;

  constructor(
    private readonly parts: readonly Part[],
    isQuestion: boolean,
  ) {
    this.flags.isQuestion = isQuestion;
  }

  read(): Clause {
    for (; this.at < this.parts.length && this.rest < 0; this.at++) {
      const part = this.parts[this.at];
      if (part) this.part(part);
    }
    const { subject, topic, modalText: modal, predicate, compared, agent, adverbs, tail, times, question, rest } = this;
    const receiver = this.main && this.moved !== '' ? /^(?<verb>.*) to$/.exec(this.main.verb.base) : null;
    const object = join(this.received(), this.moved, receiver ? 'to' : '', this.object ?? '');
    if (this.main && receiver) this.main = { ...this.main, verb: withoutTo(this.main.verb) };
    const { main } = this;
    return {
      subject, topic, modal, main, predicate, object, compared, agent, adverbs, tail, times, question, rest, ...this.flags,
    }; // prettier-ignore
  }

  /** 给您补发一个: "resend you one"; 给您处理: "handle it for you". */
  private received(): string {
    if (this.receiver === '') return '';
    const isGiven = GIVE.test(this.main?.verb.base ?? '') && this.moved === '';
    if (isGiven) return this.receiver;
    this.tail.unshift(`${this.moved === '' ? 'for' : 'to'} ${this.receiver}`);
    return '';
  }

  private get hasPredicate(): boolean {
    return this.main !== null || this.predicate !== '';
  }

  /** "be suitable for", "thank you for": what follows is a noun, or a verb with -ing. */
  private get isFor(): boolean {
    return / for$/.test(this.main?.verb.base ?? '');
  }

  private get saysSomething(): boolean {
    return this.main !== null && SAY.test(this.main.verb.base);
  }

  private part(part: Part): void {
    if (this.startsNext(part)) this.rest = this.at;
    else if (part.kind === 'mark') this.mark(part.zh);
    else if (part.kind === 'noun') this.noun(part);
    else if (part.kind === 'verb') this.verb(part);
    else if (part.kind === 'modal') this.modal(part.text);
    else if (part.kind === 'adjective') this.adjective(part.text);
    else if (this.main === null && 'text' in part && /^to (?:me|you|us|him|her|them)$/.test(part.text))
      this.receiver = part.text.replace('to ', '');
    else if (part.kind === 'adverb') this.adverb(part);
    else if (part.kind === 'phrase') {
      this.flags.isPast ||= part.isPast;
      this.flags.isFuture ||= part.isFuture;
      if (this.isFor && this.object === null) this.object = part.text.replace(/^(?:in|on|at|during) /, '');
      else (part.isTime ? this.times : this.tail).push(part.text);
    } else if (part.kind === 'question') {
      if (this.saysSomething) this.rest = this.at;
      else this.question = part.text;
    } else if (part.kind === 'link') {
      if (this.hasPredicate) this.rest = this.at;
      else this.adverbs.push(part.text);
    } else (this.hasPredicate ? this.tail : this.adverbs).push(part.text);
  }

  /** What stands before a second verb belongs to it: 买了 | 昨天又退了. */
  private startsNext(part: Part): boolean {
    if (!this.hasPredicate || !this.parts.slice(this.at + 1).some(isPredicate)) return false;
    if ((this.saysSomething || this.isFor) && this.object === null && part.kind !== 'mark') return true;
    if (part.kind === 'mark') return /^(?:不|没|把|被|别|正在)$/.test(part.zh) && !this.isChoice();
    const before = this.parts[this.at - 1];
    if (before?.kind === 'mark' && before.zh === '得') return false;
    return (
      (part.kind === 'adverb' && this.main !== null) || (part.kind === 'phrase' && part.isTime && this.object !== null)
    );
  }

  private mark(zh: string): void {
    const { flags } = this;
    if (zh === '吗') flags.isQuestion = true;
    else if (zh === '不' || zh === '没') this.negation(zh);
    else if (zh === '了') flags.isDone = !flags.isNegative || flags.isPerfect;
    else if (zh === '过') flags.isPerfect = true;
    else if (zh === '正在') flags.isProgressive = true;
    else if (zh === '请') flags.isCommand = true;
    else if (zh === '别') [flags.isCommand, flags.isNegative] = [true, true];
    else if (zh === '被') {
      flags.isPassive = true;
      const agent = this.nextNoun();
      if (agent !== '') this.agent = `by ${agent}`;
    } else if (zh === '把') this.moved = this.nextNoun();
    else if (zh === '比') this.compared = join('than', this.nextNoun());
  }

  /** 发没发货 and 能不能 ask; otherwise the verb is denied. */
  private negation(zh: string): void {
    const { flags } = this;
    const after = this.parts[this.at + 1];
    if (this.isChoice()) {
      flags.isQuestion = true;
      this.at += 1;
      return;
    }
    flags.isNegative = true;
    if (zh === '没' && !(after?.kind === 'verb' && after.zh === '有')) flags.isPerfect = true;
  }

  private isChoice(): boolean {
    const [before, after] = [this.parts[this.at - 1], this.parts[this.at + 1]];
    if (before?.kind !== after?.kind || !before || !after) return false;
    if (before.kind === 'verb' && after.kind === 'verb') return before.verb.base === after.verb.base;
    return 'text' in before && 'text' in after && before.text === after.text;
  }

  private nextNoun(): string {
    const next = this.parts[this.at + 1];
    if (next?.kind !== 'noun') return '';
    this.at += 1;
    return definite(next).object;
  }

  private noun(noun: Noun): void {
    const following = this.parts.slice(this.at + 1);
    if (this.saysSomething && this.object === null && following.some(isPredicate)) this.rest = this.at;
    else if (this.hasPredicate) this.objectNoun(noun, following[0]);
    else if (this.subject === null) this.subject = noun;
    else if (this.topic === null) [this.topic, this.subject] = [this.subject, noun];
  }

  private objectNoun(noun: Noun, next: Part | undefined): void {
    const base = this.main?.verb.base ?? '';
    const said = noun.isPronoun
      ? noun.object
      : (NEW_OBJECT.test(base)
          ? indefinite(noun)
          : noun.isCountable || noun.agreement === 'plural'
            ? definite(noun)
            : noun
        ).object;
    if (this.object === null && this.predicate === '') this.object = said;
    else if (noun.isPronoun || GIVE.test(base)) this.object = join(this.object ?? '', said);
    else this.tail.push(said);
    const actsNext = noun.isPronoun && next !== undefined && /^(?:verb|modal|adverb)$/.test(next.kind);
    if (this.main && actsNext && !this.saysSomething) this.rest = this.at + 1;
  }

  private verb(verb: Verbal): void {
    if (!this.hasPredicate) this.main = verb;
    else if (verb.verb.base !== this.main?.verb.base) this.rest = this.at;
  }

  private modal(text: string): void {
    if (this.main !== null) this.rest = this.at;
    else if (this.modalText === null) this.modalText = text;
    else if (!isModal(this.modalText)) this.modalText = join(this.modalText, text);
  }

  private adjective(text: string): void {
    if (!this.hasPredicate) {
      const isCompared = this.compared !== '' || /more$/.test(this.degree);
      this.predicate = join(text.startsWith('in ') ? '' : this.degree, isCompared ? comparativeOf(text) : text)
        .replace(/\bmore (?=more |\S+er\b|better|worse)/, '')
        .replace(/^most /, 'the most ');
    } else if (this.main && this.object === null && LINKING.test(this.main.verb.base)) this.object = text;
    else this.tail.push(join(this.degree, text));
    this.degree = '';
  }

  private adverb({ zh, text }: { readonly zh: string; readonly text: string }): void {
    const { flags } = this;
    if (/^(?:马上|立即|立刻|立马|尽快)$/.test(zh)) flags.isFuture = true;
    if (DEGREES.test(zh) && this.parts[this.at + 1]?.kind === 'adjective') this.degree = text;
    else if (text === 'already') {
      this.adverbs.push(text);
      flags.isPerfect = true;
    } else if (text === 'not yet') {
      [flags.isNegative, flags.isPerfect] = [true, true];
      this.tail.push('yet');
    } else if (/^(?:don't|(?:please )?do not)$/.test(text)) [flags.isCommand, flags.isNegative] = [true, true];
    else if (text === 'maybe') this.modalText ??= 'may';
    // 都 sums up a subject that English has said already.
    else if (text !== 'all') (AT_END.test(text) ? this.tail : this.adverbs).push(text);
  }
}
