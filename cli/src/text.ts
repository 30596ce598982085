// Texts of members on a terminal: they must not move the cursor, colour anything or reverse the order of what is read.

/** Control characters and the marks that turn the direction of text; line ends stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The text, with a sign in place of each harmful character. */
export const plain = (text: string): string => text.replace(HARMFUL, '\ufffd')

/** The same on one line. */
export const line = (text: string): string => plain(text.replace(/\s+/g, ' ').trim())

/** A value as JSON that is harmless on a terminal, and the same to a program. */
export const jsonText = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(
    HARMFUL,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
