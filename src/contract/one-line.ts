// Names and titles are one line: they stand in lists, in letters, and beside what we say ourselves (behaviour.md, section 0).

/** Embeddings, overrides and isolates of direction. Joiners and marks of direction stay: emoji and Persian are written with them. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g
/** Also spaces, so that a line break with spaces around it becomes one space. */
const BREAKS = /[\p{Cc}\u2028\u2029 ]+/gu

/** The text as one line in NFC: line breaks and controls are one space each, what turns the direction of writing is gone. */
export const oneLine = (given: string): string =>
  given
    .replace(DIRECTIONS, '')
    .replace(BREAKS, (run) => (/^ +$/.test(run) ? run : ' '))
    .normalize('NFC')
