import pg from 'pg';
import type { Text } from '../../platform/cli-messages.js';
import type { Config } from '../../platform/config.js';
import { ConfigurationError } from '../../platform/configuration-error.js';
import { type AppConnection, appConnection, OPERATOR_ROLE, standbyConnection } from '../../platform/database.js';
import { refusedConnection, requireRole } from '../../platform/database-role.js';
import { StandbyServer, type StandbyState } from '../../platform/standby-server.js';
import { type Finding, look, reasonOf, right, wrong } from './finding.js';
import { inLanguages } from './settings-messages.js';

const STANDBY: Text = { zh: '备库', en: 'Standby' };

/** STANDBY_DATABASE_URL: that it is a standby of DATABASE_URL, how far it is behind, and whether a long audit can end on it. */
export async function checkStandby(config: Config): Promise<Finding[]> {
  const standby = new StandbyServer(config, OPERATOR_ROLE, <T>(sql: string) =>
    connected(
      appConnection(config, 'yiqiao-doctor', OPERATOR_ROLE),
      async (client) => (await client.query(sql)).rows as T[],
    ),
  );
  try {
    const feedback = await connected(standbyConnection(config, 'yiqiao-doctor', OPERATOR_ROLE), async (client) => {
      await requireRole('STANDBY_DATABASE_URL', OPERATOR_ROLE)(client);
      const { rows } = await client.query<{ on: boolean }>(
        "SELECT current_setting('hot_standby_feedback')::bool AS on",
      );
      return rows[0]?.on === true;
    });
    return [standbyFinding((await standby.state()) ?? standby.lost(), feedback)];
  } catch (error) {
    const problem =
      error instanceof ConfigurationError ? error : refusedConnection('STANDBY_DATABASE_URL', OPERATOR_ROLE, error);
    if (problem) return problem.problems.map((each) => wrong(STANDBY, inLanguages(each)));
    const why = reasonOf(error);
    return [
      wrong(STANDBY, {
        zh: `STANDBY_DATABASE_URL 连不上（${why}）：核对和导出暂由主库承担；检查地址和备库`,
        en: `STANDBY_DATABASE_URL cannot be reached (${why}): audits and downloads read the primary; check the address and the standby`,
      }),
    ];
  } finally {
    await standby.close();
  }
}

async function connected<T>(to: AppConnection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(to);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function standbyFinding({ problem, lagSeconds }: StandbyState, feedback: boolean): Finding {
  if (problem === 'foreign')
    return wrong(STANDBY, {
      zh: 'STANDBY_DATABASE_URL 不是 DATABASE_URL 的备库：应指向从它复制的一台只读服务器',
      en: 'STANDBY_DATABASE_URL is no standby of DATABASE_URL: it must lead to one server that replicates it',
    });
  const lag = lagSeconds === null ? '?' : lagSeconds.toFixed(1);
  if (problem !== null)
    return wrong(STANDBY, {
      zh: `落后 ${lag} 秒，核对和导出暂由主库承担：看它是否还在复制（pg_stat_wal_receiver）`,
      en: `${lag} s behind, so audits and downloads read the primary: see whether it still replicates (pg_stat_wal_receiver)`,
    });
  if (!feedback)
    return look(STANDBY, {
      zh: `落后 ${lag} 秒；hot_standby_feedback 是关闭的，长时间的核对会被中断，改由主库继续：在备库打开它`,
      en: `${lag} s behind; hot_standby_feedback is off, so a long audit is cancelled and goes on at the primary: turn it on at the standby`,
    });
  return right(STANDBY, { zh: `只读备库，落后 ${lag} 秒`, en: `a standby, ${lag} s behind` });
}
