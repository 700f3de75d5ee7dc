/** A sentence with the name of a platform in it: texts leave room around names because most are Latin; Chinese words stand together. */
export const closedUp = (sentence: string): string =>
  sentence.replaceAll(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1');
