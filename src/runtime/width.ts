// How many tokens of a model a text costs: about four characters of English, three of JSON, and one letter of Chinese, Japanese and Korean,
// of which there are too many to have tokens for their words.

const WIDE = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/g

/** In thirds of a token. */
export const widthOf = (text: string): number => text.length + 2 * (text.match(WIDE)?.length ?? 0)

/** How many tokens a text is taken to have. */
export const tokensOf = (text: string): number => Math.ceil(widthOf(text) / 3)
