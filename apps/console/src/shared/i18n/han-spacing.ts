/** Messages put spaces around inserted names because most are Latin; between two Chinese characters the space is removed. */
export const withoutHanSpaces = (sentence: string): string =>
  sentence.replaceAll(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1');
