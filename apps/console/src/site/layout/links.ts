/** The top navigation of the site (specification §2); everything else is in the footer. */
export const LINKS = [
  { to: '/home', text: 'pageHome' },
  { to: '/price', text: 'pagePrice' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
] as const;
