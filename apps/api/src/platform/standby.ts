import { EntityManager, type Options, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { MikroORM } from '@mikro-orm/core';
import { type DynamicModule, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from './config.js';
import { openStandby } from './database.js';
import { isOutage } from './outage.js';
import { StandbyServer } from './standby-server.js';
import { count, observe } from './telemetry/instruments.js';

/** Where a report is read. `read` may call `work` twice: a standby that goes away meanwhile is replaced by the primary. */
export type Source = { read: <T>(work: (em: EntityManager) => Promise<T>) => Promise<T> };

/**
 * Reports, lists and downloads read from the hot standby of STANDBY_DATABASE_URL, and from the primary without one, while it is away, or when it is too
 * far behind (docs/decisions/0068). Never a read that a decision depends on.
 */
@Injectable()
export class Standby extends StandbyServer implements OnApplicationShutdown {
  #orm: Promise<MikroORM<PostgreSqlDriver>> | undefined;

  /** `open`: connects to the standby. */
  constructor(
    private readonly em: EntityManager,
    config: Config,
    role: string,
    private readonly open: () => Promise<MikroORM<PostgreSqlDriver>>,
  ) {
    super(config, role, (sql) => em.fork().execute(sql));
    if (!this.isSet) return;
    observe(async (note) => {
      const state = await this.state();
      note('yiqiao.standby.used', state?.problem === null ? 1 : 0);
      if (state && state.lagSeconds !== null) note('yiqiao.standby.lag', state.lagSeconds);
    });
  }

  /** A source that shows everything committed before this call: whoever has just done something finds it. */
  async source(): Promise<Source> {
    const primary: Source = { read: (work) => work(this.em.fork()) };
    if (!this.isSet) return primary;
    const isUsable = await this.hasCaughtUp();
    count('yiqiao.standby.reads', 1, { server: isUsable ? 'standby' : 'primary' });
    return isUsable ? { read: (work) => this.#readThere(work) } : primary;
  }

  /** One report. */
  async read<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return (await this.source()).read(work);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
    const orm = await this.#orm?.catch(() => undefined);
    await orm?.close(true);
  }

  async #readThere<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    try {
      this.#orm ??= this.open();
      const { em } = await this.#orm.catch((error: unknown) => {
        this.#orm = undefined;
        throw error;
      });
      return await work(em.fork());
    } catch (error) {
      // Also when the standby had to cancel the query to go on replaying.
      if (!isOutage(error)) throw error;
      this.lost();
      count('yiqiao.standby.reads', 1, { server: 'primary' });
      return work(this.em.fork());
    }
  }
}

@Module({})
export class StandbyModule {
  /** `role`: of this process in the database. */
  static forRoot(entities: Options['entities'], role: string): DynamicModule {
    const provider = {
      provide: Standby,
      inject: [EntityManager, Config],
      useFactory: (em: EntityManager, config: Config) =>
        new Standby(em, config, role, () => openStandby(config, entities, role)),
    };
    return { module: StandbyModule, global: true, providers: [provider], exports: [Standby] };
  }
}
