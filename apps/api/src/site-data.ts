import type { INestApplication } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { QueryBus } from '@nestjs/cqrs';
import { FOOT_CODE, type SiteData } from '@yiqiao/contracts/first-site';
import { siteInfo, softDownloads } from '@yiqiao/contracts/site-documents';
import { Refusal } from '@yiqiao/domain/errors';
import { ListSale } from './plans/list-sale.js';
import { Plans } from './plans/plans.js';
import { GetDataConfig } from './site/get-data-config.js';
import { ListCustomerService } from './site/list-customer-service.js';

/** What public pages show that operators may change, as the API answers it to everybody. Rejects while it cannot be read. */
export const siteData = (app: INestApplication) => async (): Promise<SiteData> => {
  const queries = app.get(QueryBus);
  const documentOf = (id: string): Promise<unknown> =>
    queries.execute(new GetDataConfig(id)).then(({ valued }) => JSON.parse(valued) as unknown, nothing);
  const [info, plans, prices, downloads, service] = await Promise.all([
    documentOf('SITE_INFO'),
    queries.execute(new ListSale()),
    app.get(Plans).channelPrices(app.get(EntityManager).fork()),
    documentOf('SOFT_DOWNLOAD_CONFIG'),
    queries.execute(new ListCustomerService(FOOT_CODE)),
  ]);
  // The database keeps the fields of a document in an order of its own; pages are compared with those of the build by their letters.
  return {
    siteInfo: siteInfo.safeParse(info).data ?? null,
    plans,
    prices: [...prices].map(([id, price]) => ({ id, price })),
    downloads: JSON.stringify(softDownloads.safeParse(downloads).data ?? []),
    service,
  };
};

/** A document that nobody has set. */
function nothing(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error;
}
