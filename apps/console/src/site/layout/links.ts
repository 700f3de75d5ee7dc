/** The top navigation of the site (specification §2); what is not here stands in the footer. */
export const LINKS = [
  { to: '/home', text: 'pageHome' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
] as const;
