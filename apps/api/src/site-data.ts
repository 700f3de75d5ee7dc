import type { INestApplication } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { QueryBus } from '@nestjs/cqrs';
import { FOOT_CODE, type SiteData } from '@yiqiao/contracts/default-site';
import { siteInfo, softDownloads } from '@yiqiao/contracts/site-documents';
import { Refusal } from '@yiqiao/domain/errors';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { ListSale } from './plans/list-sale.js';
import { Plans } from './plans/plans.js';
import { Config } from './platform/config.js';
import { GetDataConfig } from './site/get-data-config.js';
import { ListCustomerService } from './site/list-customer-service.js';

/** The content of public pages that operators can change, as the API returns it. Rejects when it cannot be read. */
export const siteData = (app: INestApplication) => async (): Promise<SiteData> => {
  const queries = app.get(QueryBus);
  const documentOf = (id: string): Promise<unknown> =>
    queries.execute(new GetDataConfig(id)).then(({ valued }) => JSON.parse(valued) as unknown, undefinedIfMissing);
  const em = app.get(EntityManager).fork();
  const [info, plans, prices, trial, downloads, service] = await Promise.all([
    documentOf('SITE_INFO'),
    queries.execute(new ListSale()),
    app.get(Plans).channelPrices(em),
    app.get(Plans).group(em, TRIAL_GROUP_ID),
    documentOf('SOFT_DOWNLOAD_CONFIG'),
    queries.execute(new ListCustomerService(FOOT_CODE)),
  ]);
  // jsonb does not keep the order of fields, and the result is compared as text with the data of the build.
  return {
    siteInfo: siteInfo.safeParse(info).data ?? null,
    plans,
    prices: [...prices].map(([id, price]) => ({ id, price })),
    trial: { charNum: trial.num, voiceNum: trial.voiceNum, imageNum: trial.imageNum },
    downloads: JSON.stringify(softDownloads.safeParse(downloads).data ?? []),
    service,
    ...(app.get(Config).env.TRY_CHANNELS.length === 0 ? { noTry: true } : {}),
  };
};

/** The result for a document that is not set. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error;
}
