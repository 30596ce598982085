// Text that people do not see: directions that reorder what is shown (Trojan Source, CVE-2021-42574), tag characters and runs of
// variation selectors that carry whole sentences, and characters without a width.
import type { Findings, Severity } from './rules.ts'
import type { TextView } from './text-view.ts'
import { type RuleTimes, type Window, windowsOf } from './windows.ts'

const SUSPECTS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e01ef}]/u
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** A black flag and the tags of a region are one picture (Unicode Technical Standard 51). */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/gu
const TAG = /[\u{e0000}-\u{e007f}]/u
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/u
/** Joiners belong to scripts and pictures; between Latin letters they only hide. */
const JOINED_LATIN = /[A-Za-z0-9][\u200c\u200d]+[A-Za-z0-9]/u
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
const NO_WIDTH = /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0]/gu
const MANY = 8

const kinds: { severity: Severity; reason: string; test(line: string): boolean }[] = [
  {
    severity: 'severe',
    reason: 'tag characters, which people do not see and models read',
    test: (line) => TAG.test(line.replace(FLAG, '')),
  },
  {
    severity: 'severe',
    reason: 'a row of variation selectors, which can carry a hidden message',
    test: (line) => SELECTORS.test(line),
  },
  {
    severity: 'severe',
    reason: 'characters that change the direction of the text, so that it reads otherwise than it runs',
    test: (line) => DIRECTION.test(line) && !RIGHT_TO_LEFT.test(line),
  },
  {
    severity: 'suspicious',
    reason: `${MANY} or more characters without a width, which can carry a hidden message`,
    test: (line) => (line.match(NO_WIDTH)?.length ?? 0) >= MANY,
  },
  {
    severity: 'suspicious',
    reason: 'joiners between Latin letters, which make two words look like one',
    test: (line) => JOINED_LATIN.test(line),
  },
  { severity: 'note', reason: 'a character without a width', test: (line) => line.search(NO_WIDTH) !== -1 },
]

const SIZES = { size: 32_768, more: 300 }

/** Gives whether it came to the end. */
export function findHiddenText(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  return times.through('hidden-text', windowsOf(view.text, SIZES), (window) => {
    if (SUSPECTS.test(window.text)) findInLines(view, found, window)
  })
}

function findInLines(view: TextView, found: Findings, { text, from, end }: Window): void {
  let at = 0
  for (const line of text.split('\n')) {
    if (at >= end) break
    // A byte order mark at the start of a file does not count.
    const seen = from + at === 0 ? line.replace(/^\ufeff/, '') : line
    const kind = SUSPECTS.test(seen) ? kinds.find(({ test }) => test(seen)) : undefined
    if (kind) {
      const { severity, reason } = kind
      found.add({ rule: 'hidden-text', severity, reason, path: view.path, line: view.placeOf(from + at).line })
    }
    at += line.length + 1
  }
}
