import type { INestApplication } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { ListSale } from './plans/list-sale.js';
import { GetDataConfig } from './site/get-data-config.js';
import { ListCustomerService } from './site/list-customer-service.js';
import type { SiteData } from './web/public-pages.js';

/** What the foot of the site asks for (specification §7). */
const CODE = { width: 400, height: 400 };

/** What public pages show that operators may change, as the API answers it to everybody. Rejects while it cannot be read. */
export const siteData = (app: INestApplication) => async (): Promise<SiteData> => {
  const queries = app.get(QueryBus);
  const documentOf = (id: string): Promise<string | undefined> =>
    queries.execute(new GetDataConfig(id)).then(({ valued }) => valued, nothing);
  const [siteInfo, plans, downloads, service] = await Promise.all([
    documentOf('SITE_INFO'),
    queries.execute(new ListSale()),
    documentOf('SOFT_DOWNLOAD_CONFIG'),
    queries.execute(new ListCustomerService(CODE)),
  ]);
  return {
    siteInfo: siteInfo === undefined ? null : (JSON.parse(siteInfo) as unknown),
    plans,
    downloads: downloads ?? '[]',
    service,
  };
};

/** A document that nobody has set. */
function nothing(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error;
}
