/** The site's own addresses, as people write them down (specification §2): the root, and the root with `/#/download`. */
export const addressesOf = (origin: string): readonly [site: string, download: string] => [
  `${origin}/`,
  `${origin}/#/download`,
];
