/** `counter` and `histogram` are recorded when something happens; a `gauge` and a `total` are read when somebody asks for the figures. */
export type Kind = 'counter' | 'histogram' | 'gauge' | 'total';
/** The processes that have it. `servers`: api and operators. */
type Where = 'every' | 'servers' | 'worker';

export type Instrument = {
  readonly kind: Kind;
  /** UCUM. Times are seconds; money is fen, the unit of every amount in this product. */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly in: Where;
  readonly is: string;
  /** Upper bounds of the classes of a histogram. */
  readonly buckets: readonly number[] | undefined;
};

/** Those of the semantic conventions for HTTP servers and databases, with a finer end. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SHORT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

/** `in`: the processes that have it. `is`: what docs/operations.md says of it. */
const of =
  <const K extends Kind>(kind: K) =>
  <const L extends readonly string[]>(
    place: Where,
    unit: string,
    labels: L,
    is: string,
    buckets?: readonly number[],
  ) => ({
    kind,
    unit,
    labels,
    in: place,
    is,
    buckets,
  });
const [counter, histogram, gauge, total] = [of('counter'), of('histogram'), of('gauge'), of('total')];

/**
 * Everything that this product measures, by its name. Names without `yiqiao.` are those of OpenTelemetry's semantic conventions. A label has
 * few values, all known beforehand: never a member, an address, a text or an id (docs/decisions/0066). Nor is one called `job` or `instance`:
 * Prometheus gives those itself.
 */
export const INSTRUMENTS = {
  'http.server.request.duration': histogram(
    'servers',
    's',
    ['http.request.method', 'http.route', 'http.response.status_code', 'yiqiao.waited'],
    'answered requests, by the template of their route; files and pages of the site are `/*`; streams do not count',
    SECONDS,
  ),
  'yiqiao.http.requests.refused': counter(
    'servers',
    '{request}',
    [],
    'requests that overload refused before they were read',
  ),
  'yiqiao.streams.open': gauge('servers', '{stream}', [], 'open streams of server-sent events'),
  'db.client.operation.duration': histogram(
    'every',
    's',
    ['db.system.name', 'db.operation.name', 'error.type'],
    'statements of PostgreSQL outside the ledger’s batches, and commands of Redis but for those that wait by design',
    SHORT_SECONDS,
  ),
  'db.client.connection.count': gauge(
    'every',
    '{connection}',
    ['db.client.connection.state'],
    'connections of the pool for PostgreSQL, `idle` or `used`',
  ),
  'db.client.connection.max': gauge('every', '{connection}', [], 'the most that the pool opens (`DATABASE_POOL_MAX`)'),
  'db.client.connection.pending_requests': gauge(
    'every',
    '{request}',
    [],
    'work that waits for a connection of the pool',
  ),
  'yiqiao.standby.used': gauge(
    'every',
    '1',
    [],
    '1 while the hot standby can be read from, 0 while the primary is asked instead; absent without one',
  ),
  'yiqiao.standby.lag': gauge(
    'every',
    's',
    [],
    'age of the newest commit that the hot standby shows, 0 when it shows all; absent while it is not known',
  ),
  'yiqiao.standby.reads': counter(
    'every',
    '{read}',
    ['server'],
    'reports, lists and downloads that could be read on the hot standby, by where they were, `standby` or `primary`',
  ),
  'messaging.process.duration': histogram(
    'worker',
    's',
    ['messaging.system', 'messaging.destination.name', 'bullmq.job.name', 'error.type'],
    'jobs of BullMQ, by queue and name; a failed attempt has the name of its error',
    LONG_SECONDS,
  ),
  'yiqiao.queue.jobs': gauge(
    'worker',
    '{job}',
    ['messaging.destination.name', 'state'],
    'jobs in a queue, `waiting`, `active` or `delayed`',
  ),
  'yiqiao.queue.oldest.age': gauge(
    'worker',
    's',
    [],
    'how long the job that waits longest has been due, 0 when none waits',
  ),
  'yiqiao.scheduled_job.age': gauge('worker', 's', ['bullmq.job.name'], 'since a repeated job last ended'),
  'yiqiao.scheduled_job.failed': gauge(
    'worker',
    '1',
    ['bullmq.job.name'],
    '1 when the last run of a repeated job failed',
  ),
  'yiqiao.workers': gauge(
    'servers',
    '{process}',
    ['state'],
    'workers by their heartbeat in Redis, `running` or `silent`',
  ),
  'yiqiao.ledger.batch.size': histogram(
    'every',
    '{command}',
    [],
    'commands that the ledger’s writer committed together',
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  ),
  'yiqiao.ledger.batch.duration': histogram(
    'every',
    's',
    [],
    'a batch, from its first statement to its commit',
    SHORT_SECONDS,
  ),
  'yiqiao.ledger.wait.duration': histogram(
    'every',
    's',
    [],
    'how long the first command of a batch had waited for it, or until it was given up',
    SHORT_SECONDS,
  ),
  'yiqiao.ledger.queue.length': gauge('every', '{command}', [], 'commands that wait for the ledger’s writer'),
  'yiqiao.ledger.holds.open': gauge('worker', '{hold}', [], 'prices that are reserved for translations under way'),
  'yiqiao.ledger.holds.oldest.age': gauge(
    'worker',
    's',
    [],
    'of the oldest of them, 0 without one; stale ones are released after 90 s',
  ),
  'yiqiao.ledger.families.read_only': gauge(
    'worker',
    '{family}',
    [],
    'families that an audit made read-only, because their ledger differs',
  ),
  'yiqiao.outbox.waiting': gauge('worker', '{event}', [], 'events that no worker has relayed yet'),
  'yiqiao.outbox.oldest.age': gauge('worker', 's', [], 'of the oldest of them, 0 without one'),
  'yiqiao.mail.waiting': gauge(
    'worker',
    '{mail}',
    [],
    'mails of the last two days that the mail server has not taken yet',
  ),
  'yiqiao.mail.oldest.age': gauge('worker', 's', [], 'of the oldest of them, 0 without one'),
  'yiqiao.nightly.age': gauge(
    'worker',
    's',
    ['task'],
    'since the last `audit`, `fullAudit`, `close`, `reconciliation`, `backup` or restore `drill`; absent before the first',
  ),
  'yiqiao.nightly.state': gauge(
    'worker',
    '1',
    ['task', 'state'],
    '1 for how it stands: `ok` `late` `failed` `differs` `running` `unknown` (never done)',
  ),
  'yiqiao.nightly.differences': gauge(
    'worker',
    '{difference}',
    ['task'],
    'differences that the last audit, full audit or drill found, and those with gateways that are open',
  ),
  'yiqiao.backup.stream.connected': gauge(
    'worker',
    '1',
    [],
    '1 while `operator backup stream` reads the log from PostgreSQL, 0 while nobody does; absent where it has never run',
  ),
  'yiqiao.backup.stream.behind': gauge(
    'worker',
    'By',
    [],
    'what is written and not yet archived; absent once PostgreSQL has removed what comes next',
  ),
  'yiqiao.backup.stream.behind.age': gauge(
    'worker',
    's',
    [],
    'since when something that was written has waited for the archive, as far as this worker looked; 0 while it keeps up',
  ),
  'yiqiao.payments.uncredited': gauge(
    'worker',
    '{payment}',
    [],
    'payments that a gateway has reported and that nothing was done with yet',
  ),
  'yiqiao.payments.uncredited.age': gauge('worker', 's', [], 'of the oldest of them, 0 without one'),
  'yiqiao.payments.exceptions': gauge(
    'worker',
    '{payment}',
    [],
    'payments received that buy nothing (double, another amount) and are neither refunded nor closed by hand',
  ),
  'yiqiao.payments.credited': counter(
    'every',
    '{payment}',
    ['gateway'],
    'payments credited by this process: the api after a notification, the worker after it has asked the gateway',
  ),
  'yiqiao.payments.credited.fen': counter('every', '{fen}', ['gateway'], 'their money'),
  'yiqiao.payments.credit.delay': histogram(
    'every',
    's',
    [],
    'from the gateway’s time of payment to the credit',
    LONG_SECONDS,
  ),
  'yiqiao.translation.requests': counter(
    'every',
    '{request}',
    ['kind', 'channel', 'outcome'],
    'paid translations of `text`, `voice` or `image`, `delivered` or `failed`, by the channel that was asked for',
  ),
  'yiqiao.translation.charged': counter(
    'every',
    '{unit}',
    ['kind', 'channel'],
    'what was charged for them: characters, minutes or pictures',
  ),
  'yiqiao.vendor.cost.microyuan': counter(
    'every',
    '{microyuan}',
    ['kind', 'channel'],
    'what vendors take for delivered ones, by the costs of their accounts and the channel that served the most',
  ),
  'yiqiao.webhooks.attempts': counter(
    'every',
    '{attempt}',
    ['format', 'outcome'],
    'requests to members’ webhooks, `delivered` or `failed`, by their format; the test button counts as well',
  ),
  'yiqiao.vendor.request.duration': histogram(
    'every',
    's',
    ['vendor', 'account', 'error.type'],
    'requests to a vendor’s account; a failed one has the kind of its failure',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ),
  'yiqiao.vendor.breaker': gauge(
    'every',
    '1',
    ['vendor', 'account', 'state'],
    '1 for the state of an account’s circuit breaker in this process: `closed` `half-open` `open`',
  ),
  'yiqiao.vendor.characters.left': gauge(
    'every',
    '{character}',
    ['vendor', 'account'],
    'of the day’s cap of an account; absent without one',
  ),
  'yiqiao.disk.free': gauge('every', 'By', ['path'], 'free space of the file systems that `/health` watches'),
  'yiqiao.disk.free.ratio': gauge('every', '1', ['path'], 'the same as a share of the whole, 0–1'),
  'process.cpu.time': total('every', 's', ['cpu.mode'], 'processor time since the process began, `user` or `system`'),
  'process.memory.usage': gauge('every', 'By', [], 'resident memory'),
  'v8js.memory.heap.used': gauge('every', 'By', [], 'JavaScript’s own part of it'),
  'nodejs.eventloop.delay.p99': gauge('every', 's', [], 'how late timers ran, since somebody asked before'),
  'nodejs.eventloop.utilization': gauge(
    'every',
    '1',
    [],
    'the share of that time in which the event loop was busy, 0–1',
  ),
} satisfies Record<string, Instrument>;
