// Colours and weights, on a terminal alone. Texts of members stay plain: only what the program itself styles is styled.
import type { Writable } from 'node:stream'
import { plain } from './text.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** SGR parameters (ECMA-48, 8.3.117): on and off. */
const codes = { bold: [1, 22], red: [31, 39] } as const

export interface Styled {
  text: string
  style: keyof typeof codes
}

export type Words = string | Styled

const styled = (style: Styled['style']) => (text: string) => ({ text, style })
export const bold = styled('bold')
export const red = styled('red')

/** Whether a stream shows to a person who can see it change. */
export const isTerminal = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true

/** NO_COLOR and FORCE_COLOR decide (no-color.org, force-color.org); without them a terminal has colours. */
export function hasColours(stream: Writable, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTerminal(stream) && TERM !== 'dumb'
}

/** The words as they are written to a stream. */
export function paint(words: readonly Words[], isColoured: boolean): string {
  return words
    .map((word) => {
      if (typeof word === 'string') return plain(word)
      const [on, off] = codes[word.style]
      return isColoured ? `\u001b[${on}m${plain(word.text)}\u001b[${off}m` : plain(word.text)
    })
    .join('')
}
