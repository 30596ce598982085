// Texts of any characters, lone surrogates too. fast-check has such texts, but lists all 1.1 million characters in a map for them.
import fc from 'fast-check'

export const anyCharacters = fc.string({
  unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
})
