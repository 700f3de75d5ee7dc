import { CHANNELS } from '@yiqiao/domain/channels';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import { QR_SIDE } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import type { Response } from './endpoint.js';
import { defaultsOf } from './default-documents.js';
import type { listSale } from './plans.js';
import { serviceRows, type CodeSize } from './service-codes.js';
import type { Sha256 } from './signing.js';
import type { listCustomerService } from './site.js';
import type { SiteInfo } from './site-documents.js';

/** What a new member gets for free (decisions §3). */
export type TrialQuota = { readonly charNum: number; readonly voiceNum: number; readonly imageNum: number };

/** The content of public pages that operators can change (docs/decisions/0026). */
export type SiteData = {
  readonly siteInfo: SiteInfo | null;
  readonly plans: Response<typeof listSale>;
  /** Micro-yuan per character of each channel, in the order of their ids. */
  readonly prices: readonly { readonly id: number; readonly price: number }[];
  readonly trial: TrialQuota;
  /** The text of SOFT_DOWNLOAD_CONFIG. */
  readonly downloads: string;
  readonly service: Response<typeof listCustomerService>;
  /** Set where an operator has switched off the sentence that visitors can try. */
  readonly noTry?: true;
};

/** The code size in the site's footer (specification §7). */
export const FOOT_CODE: CodeSize = { width: QR_SIDE, height: QR_SIDE };

function trialOf(): TrialQuota {
  const { num, voice, image } = FIRST_PLANS.find(({ id }) => id === TRIAL_GROUP_ID) ?? { num: 0, voice: 0, image: 0 };
  return { charNum: num, voiceNum: voice, imageNum: image };
}

type Where = { readonly production: boolean; readonly sha256: Sha256 };

/**
 * The exact site content of a new database, from which the build prerenders the pages. Packages that need a vendor's channel are not on sale
 * before its key is configured.
 */
export function defaultSite({ production, sha256 }: Where): SiteData {
  const { siteInfo, downloads, service } = defaultsOf({ production });
  const plans = FIRST_PLANS.filter(({ onSale, channel }) => onSale && channel === null);
  return {
    siteInfo,
    plans: plans.map((plan) => ({
      id: plan.id,
      name: plan.name,
      enName: plan.enName,
      tier: plan.tier,
      translationBillingMode: plan.mode,
      num: plan.num,
      salePrice: plan.price,
      createChildUser: plan.createChildUser,
      tranChannelId: plan.channel,
      referenceChannelId: plan.reference,
      voiceNum: plan.voice,
      imageNum: plan.image,
    })),
    prices: Object.values(CHANNELS).map(({ id, price }) => ({ id, price })),
    trial: trialOf(),
    downloads: JSON.stringify(downloads),
    service: serviceRows(service, FOOT_CODE, sha256),
  };
}
