import { ENVIRONMENTS } from '@yiqiao/contracts/operator/shell';
import { CHANNEL_CODES, type ChannelCode, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import {
  ORDER_MINUTES,
  TRANSCRIPTS_PER_HOUR,
  UPLOADS_AT_ONCE,
  UPLOADS_PER_ADDRESS,
  UPLOADS_PER_FAMILY,
  UPLOADS_PER_MEMBER,
  VCODE_RESEND_SECONDS,
} from '@yiqiao/domain/limits';
import { z } from 'zod';
import { ConfigurationError } from './configuration-error.js';
import { gatewaySettings, incompleteGateways } from './gateway-settings.js';
import { unsafeSettings } from './production-settings.js';
import {
  addressOf,
  databaseUrl,
  expectedBy,
  headers,
  limit,
  listOf,
  problemOf,
  proxies,
  redisUrl,
  share,
  timeZone,
  webUrl,
  wholeNumber,
} from './setting-types.js';

const isChannelCode = (text: string): text is ChannelCode => CHANNEL_CODES.some((code) => code === text);
const areChannelCodes = (all: string[]): boolean => all.length > 0 && all.every(isChannelCode);

const port = wholeNumber(0, 65_535);

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(8080),
  HOST: z.string().optional(),
  DATABASE_URL: databaseUrl,
  DATABASE_MIGRATION_URL: databaseUrl.optional(),
  /** Connections that keep their session, past a pooler in transaction mode: the ledger's writer, audits, what-ifs. */
  LEDGER_DATABASE_URL: databaseUrl.optional(),
  /** ONE hot standby, for audits, downloads and operators' lists (docs/decisions/0068). */
  STANDBY_DATABASE_URL: databaseUrl.optional(),
  /** Further behind it is not used. */
  STANDBY_LAG_SECONDS: wholeNumber(1, 86_400).default(10),
  /** How long a report waits until it shows what was committed before. */
  STANDBY_WAIT_MS: wholeNumber(0, 60_000).default(1_000),
  DATABASE_POOL_MAX: wholeNumber(2, 500).default(12),
  LEDGER_CONNECTIONS: wholeNumber(1, 16).default(1),
  /** Into how many parts `migrate` splits the logs of a new installation (docs/decisions/0070). */
  LEDGER_PARTS: z.enum(['1', '2', '4', '8', '16', '32', '64']).default('32').transform(Number),
  REDIS_URL: redisUrl,
  SENTINEL_PASSWORD: z.string().optional(),
  /** How long a request waits for Redis before it continues without it. */
  REDIS_TIMEOUT_MS: wholeNumber(100, 60_000).default(1_000),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w-]+$/, 'letters, digits, _ and -')
    .default('yiqiao'),
  SMTP_URL: addressOf('smtps:', 'smtp:'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]@[^\s@][^\r\n]*$/, 'a sender such as Shop <no-reply@shop.example>')
    .default('译桥 Yiqiao <no-reply@yiqiao.example>'),
  APP_SECRET: z.string().regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits (openssl rand -hex 32)'),
  PUBLIC_URL: webUrl.optional(),
  TRUSTED_PROXIES: proxies,
  /** Whose answers visitors see on the home page; none: visitors cannot try it (docs/decisions/0051). */
  TRY_CHANNELS: listOf(DEFAULT_CHANNEL)
    .refine((all) => all.join() === 'none' || areChannelCodes(all), `some of ${CHANNEL_CODES.join(', ')}, or none`)
    .transform((all) => all.filter(isChannelCode)),
  TRY_PER_ADDRESS: limit(30),
  TRY_PER_DAY: limit(5_000),
  APP_TIMEZONE: timeZone.default('Asia/Shanghai'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  WEB_DIR: z.string().optional(),
  APERTIUM_DIR: z.string().default(''),
  /** A folder with the operator's own sentences for the offline channel, which come before ours. */
  PHRASEBOOK_DIR: z.string().default(''),
  /** Prefix of what reads pictures and recordings: '/' or a folder into which the packages were unpacked. */
  MEDIA_DIR: z.string().default(''),
  SANDBOX_URL: webUrl.optional(),
  /** Whether webhooks may go to private addresses and any port: for receivers on this machine (docs/decisions/0073). */
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['0', '1'])
    .default('0')
    .transform((flag) => flag === '1'),
  /** The operators' console and its API; by default on loopback, at PORT + 2 (operators §1). */
  OPERATOR_HOST: z.string().default('127.0.0.1'),
  OPERATOR_URL: webUrl.optional(),
  /** What stands beside the clock of their console. */
  OPERATOR_ENVIRONMENT: z.enum(ENVIRONMENTS).optional(),
  OPERATOR_PORT: port.optional(),
  /** When the ledger is audited every night, in APP_TIMEZONE; off: never (operators §7). */
  AUDIT_AT: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'a time such as 03:25, or off')
    .default('03:25'),
  /** Every so many nights from the first entry of each account, otherwise from its anchor; 1: every night (docs/decisions/0067). */
  AUDIT_FULL_DAYS: wholeNumber(1, 90).default(7),
  /** Where the worker answers for its health; by default on loopback. */
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: port.default(0),
  ...gatewaySettings,
  ORDER_LIFE_SECONDS: wholeNumber(1, 86_400).default(ORDER_MINUTES * 60),
  /** Where this process shows its figures to Prometheus, by default on loopback; without a port nowhere (docs/decisions/0066). */
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  /** Where traces go, by OTLP over HTTP, and which share of them is kept. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: share.default(0.01),
  /** Read by OpenTelemetry's exporter itself. */
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional(),
  /** Shorter than the idle time-out of a proxy in front. */
  STREAM_HEARTBEAT_SECONDS: wholeNumber(1, 300).default(25),
  /** How long a process that is told to end still serves, while /readyz already says no. */
  DRAIN_SECONDS: wholeNumber(0, 60).default(0),
  /** Folders whose file systems must have room, beside those of the program, its temporary files and DATA_DIR. */
  DISK_PATHS: listOf('').refine(
    (all) => all.every((path) => path.startsWith('/')),
    'absolute paths, separated by commas',
  ),
  DATA_DIR: z.string().optional(),
  /** MB for the objects of an api process; read by what starts it. */
  API_HEAP_MB: wholeNumber(256, 65_536).default(1_024),
  /** The latency to keep under load (docs/decisions/0037), and the maximum of concurrent requests. */
  LIMIT_LATENCY_MS: limit(200),
  LIMIT_REQUESTS_IN_FLIGHT: limit(500),
  LIMIT_CONNECTIONS: limit(24_000),
  LIMIT_CONNECTIONS_PER_IP: limit(4_096),
  LIMIT_PAY_PER_MINUTE: limit(60),
  LIMIT_FLUSH_PER_MINUTE: limit(30),
  LIMIT_FORGED_NOTIFICATIONS_PER_HOUR: limit(200),
  LIMIT_SERVICE_CHECKS_PER_MINUTE: limit(20),
  LIMIT_SERVICE_CHECKS_PER_DAY: limit(200),
  LIMIT_STREAMS: limit(20_000),
  LIMIT_STREAMS_PER_IP: limit(200),
  LIMIT_STREAM_OPENS_PER_MINUTE: limit(600),
  LIMIT_LOGIN_FAILURES: limit(10),
  LIMIT_LOGIN_FAILURES_PER_IP: limit(300),
  /** Failed sign-ins of an operator's name from an address (operators §2). */
  LIMIT_OPERATOR_SIGN_INS: limit(5),
  LIMIT_LOGINS_PER_MINUTE: limit(120),
  LIMIT_LOGINS_PER_IP: limit(600),
  LIMIT_CODES_PER_IP: limit(100),
  LIMIT_CODE_PAUSE_SECONDS: limit(VCODE_RESEND_SECONDS),
  LIMIT_LOOKUPS_PER_IP: limit(120),
  LIMIT_CODE_PICTURES_PER_MINUTE: limit(120),
  LIMIT_REGISTER_PER_IP: limit(200),
  LIMIT_RESET_TRIES: limit(20),
  LIMIT_SIGN_IN_CODES: limit(50),
  LIMIT_SIGN_IN_CODES_PER_ACCOUNT: limit(100),
  LIMIT_TRANSLATION_PER_SECOND: limit(50),
  LIMIT_TRANSLATION_IN_FLIGHT: limit(100),
  LIMIT_UPLOADS: limit(UPLOADS_AT_ONCE),
  LIMIT_UPLOADS_PER_MEMBER: limit(UPLOADS_PER_MEMBER),
  LIMIT_UPLOADS_PER_FAMILY: limit(UPLOADS_PER_FAMILY),
  LIMIT_UPLOADS_PER_IP: limit(UPLOADS_PER_ADDRESS),
  LIMIT_TRANSCRIPTS_PER_HOUR: limit(TRANSCRIPTS_PER_HOUR),
  LIMIT_DISTRIBUTION_PER_SECOND: limit(50),
  LIMIT_CHANNEL_CHANGES_PER_HOUR: limit(60),
  LIMIT_EXPORTS_PER_MINUTE: limit(20),
  LIMIT_TOTALS_PER_MINUTE: limit(60),
  LIMIT_API_KEYS_PER_DAY: limit(200),
  LIMIT_API_KEY_ROTATIONS_PER_HOUR: limit(200),
  LIMIT_WEBHOOK_CHANGES_PER_MINUTE: limit(30),
  LIMIT_WEBHOOK_TESTS_PER_MINUTE: limit(20),
  LIMIT_WEBHOOK_RESENDS_PER_MINUTE: limit(60),
});

type Env = z.output<typeof schema>;

/** The environment without its empty variables. */
type Given = Readonly<Record<string, string | undefined>>;

/** The variables of one feature, and the problems that a single variable's schema cannot see. */
export type Settings<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  readonly shape: Shape;
  /** One line for each problem, beginning with the variable. `values`: null when one of them is wrong by itself. */
  problems(given: Given, values: z.output<z.ZodObject<Shape>> | null, isProduction: boolean): string[];
};

/** Required in production: nothing secret or local has a default there (decisions §8). */
const REQUIRED_IN_PRODUCTION = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'APP_SECRET',
  'PUBLIC_URL',
] as const;

/** The configuration, read from the environment once at the start. */
export class Config {
  readonly #values = new Map<object, unknown>();

  /** `warnings`: settings that only a private network justifies, logged at every start. */
  constructor(
    readonly env: Env,
    private readonly given: Given,
    readonly warnings: readonly string[] = [],
  ) {}

  /** The values of a feature's settings. Throws one error that names everything wrong with them. */
  read<Shape extends z.ZodRawShape>(settings: Settings<Shape>): z.output<z.ZodObject<Shape>> {
    const known = this.#values.get(settings.shape);
    if (known) return known as z.output<z.ZodObject<Shape>>;
    const { values, problems } = parse(settings, this.given);
    if (values === null || problems.length > 0) throw new ConfigurationError(problems);
    this.#values.set(settings.shape, values);
    return values;
  }

  /** Whether the environment has a value for this setting, whatever it is. */
  isGiven(setting: string): boolean {
    return this.given[setting] !== undefined;
  }

  get production(): boolean {
    return this.env.NODE_ENV === 'production';
  }
  /** Loopback in development; every interface in production, behind a proxy or a container. */
  get host(): string {
    return this.env.HOST ?? (this.production ? '0.0.0.0' : '127.0.0.1');
  }
  /** Where operators open their console. */
  get operatorUrl(): string {
    return (this.env.OPERATOR_URL ?? `http://localhost:${this.operatorPort}`).replace(/\/$/, '');
  }
  get operatorEnvironment(): (typeof ENVIRONMENTS)[number] {
    return this.env.OPERATOR_ENVIRONMENT ?? (this.production ? 'production' : 'development');
  }
  get operatorPort(): number {
    return this.env.OPERATOR_PORT ?? this.env.PORT + 2;
  }
  get publicUrl(): string {
    return (this.env.PUBLIC_URL ?? `http://localhost:${this.env.PORT}`).replace(/\/$/, '');
  }
  /** Where gateways send their notifications. */
  get notifyUrl(): string {
    return (this.env.PAY_NOTIFY_URL ?? this.publicUrl).replace(/\/$/, '');
  }
  /** The owner of the schema: migrations only. */
  get migrationUrl(): string {
    return this.env.DATABASE_MIGRATION_URL ?? this.env.DATABASE_URL;
  }
}

const isProduction = (given: Given): boolean => given['NODE_ENV'] === 'production';

function parse<Shape extends z.ZodRawShape>(
  settings: Settings<Shape>,
  given: Given,
): { values: z.output<z.ZodObject<Shape>> | null; problems: string[] } {
  const parsed = z.object(settings.shape).safeParse(given, { error: expectedBy });
  const values = parsed.data ?? null;
  const wrong = (parsed.error?.issues ?? []).map((issue) => problemOf(issue, given));
  return { values, problems: [...settings.problems(given, values, isProduction(given)), ...wrong] };
}

/**
 * Reads and checks the environment; throws one error that lists everything missing or wrong. The settings of features are checked with
 * it where they are passed, and when they are read elsewhere.
 */
export function loadConfig(env: NodeJS.ProcessEnv, features: readonly Settings[] = []): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const missing = isProduction(given) ? REQUIRED_IN_PRODUCTION.filter((name) => !given[name]) : [];
  const parsed = schema.safeParse(given, { error: expectedBy });
  const wrong = (parsed.error?.issues ?? [])
    .filter((issue) => !missing.some((name) => name === issue.path[0]))
    .map((issue) => problemOf(issue, given));
  const problems = [
    ...incompleteGateways(given),
    ...features.flatMap((settings) => parse(settings, given).problems),
    ...missing.map((name) => `${name}: required in production`),
    ...wrong,
  ];
  if (isProduction(given)) {
    if (given['SANDBOX_URL']) problems.push('SANDBOX_URL: the sandbox is for development only');
    if (given['WEBHOOK_ALLOW_PRIVATE'] === '1')
      problems.push('WEBHOOK_ALLOW_PRIVATE: members could reach the servers of this network');
    for (const name of ['ALIPAY_GATEWAY_URL', 'WECHAT_PAY_URL', 'LIANLIAN_URL', 'PAY_NOTIFY_URL'])
      if (given[name]?.startsWith('http:')) problems.push(`${name}: https in production`);
  }
  const unsafe = isProduction(given) ? unsafeSettings(guarded(given)) : { refused: [], warnings: [] };
  problems.push(...unsafe.refused);
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);
  return new Config(parsed.data, given, unsafe.warnings);
}

/** The settings that production checks further, as far as each is right by itself. */
function guarded(given: Given): Partial<Pick<Env, (typeof GUARDED)[number]>> {
  return Object.fromEntries(
    GUARDED.flatMap((name) => {
      const { success, data } = schema.shape[name].safeParse(given[name]);
      return success ? [[name, data]] : [];
    }),
  );
}

const GUARDED = ['APP_SECRET', 'OPERATOR_URL', 'PUBLIC_URL', 'REDIS_URL', 'SMTP_URL', 'TRUSTED_PROXIES'] as const;
