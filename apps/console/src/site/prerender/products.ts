/** The packages on sale, as search engines understand them (schema.org). */
import { language } from '../../shared/i18n/language.js';
import type { SiteData } from '../../shared/site/site-data.js';

type Plans = NonNullable<SiteData['plans']>;
type About = { plans: Plans; brand: string; description: string; url: string };

const FEN_PER_YUAN = 100;

export const productsOf = ({ plans, brand, description, url }: About): readonly Record<string, unknown>[] =>
  plans.map(({ id, name, enName, salePrice }) => ({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `${brand} · ${language === 'zh' ? name : enName}`,
    description,
    sku: String(id),
    brand: { '@type': 'Brand', name: brand },
    offers: {
      '@type': 'Offer',
      price: (salePrice / FEN_PER_YUAN).toFixed(2),
      priceCurrency: 'CNY',
      availability: 'https://schema.org/InStock',
      url,
    },
  }));
