// Names that look like those of popular items of others. Pure.

import { nameKey } from '../../formats/archive-names.ts'
import { distance } from '../../search/typos.ts'
import type { Finding } from './rules.ts'

/** Letters of other scripts, and digits, that look like a Latin letter (Unicode Technical Standard 39, the ones of everyday fonts). */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', н: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o', р: 'p' },
  ...{ ԛ: 'q', ѕ: 's', т: 't', у: 'y', х: 'x', ѵ: 'v', ԝ: 'w', г: 'r', α: 'a', β: 'b', ε: 'e', ι: 'i', κ: 'k', ν: 'v' },
  ...{ ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', γ: 'y', η: 'n', ı: 'i', ɡ: 'g', ո: 'n', օ: 'o', ս: 'u', ⅼ: 'l' },
  ...{ '0': 'o', '1': 'l', '|': 'l', '5': 's', $: 's', '@': 'a' },
}
const SHORTEST = 5
/** From here on two letters may differ. */
const LONG = 12

/** What is left of a name for the eye: letters and digits, in the shape of Latin ones. */
export function shapeOf(name: string): string {
  const plain = nameKey(name)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
  const shaped = [...plain].map((letter) => LOOKS_LIKE[letter] ?? letter).join('')
  return shaped
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

export interface PopularItem {
  name: string
  kind: string
  slug: string
}

/** Whether the letters are the same, apart from case, accents and signs. */
const isSameText = (one: string, other: string): boolean =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase()

/** The worst finding about the name and the slug of an item, compared with those of popular items; undefined for none. */
export function worstAlike(
  { name, slug }: { name: string; slug: string | undefined },
  popular: readonly PopularItem[],
): Finding | undefined {
  const ofName = lookAlike(name, popular)
  if (slug === undefined || ofName?.severity === 'suspicious') return ofName
  const bySlug = popular.map((other) => ({ ...other, name: other.slug }))
  const ofSlug = lookAlike(slug, bySlug, 'slug')
  return ofSlug?.severity === 'suspicious' ? ofSlug : (ofName ?? ofSlug)
}

/** A finding about the first of the popular items that the name looks like; undefined where there is none. */
export function lookAlike(
  name: string,
  popular: readonly PopularItem[],
  what: 'name' | 'slug' = 'name',
): Finding | undefined {
  const shape = shapeOf(name)
  if (shape.length < SHORTEST) return undefined
  const most = shape.length < LONG ? 1 : 2
  for (const other of popular) {
    const theirs = shapeOf(other.name)
    if (theirs.length < SHORTEST) continue
    const edits = distance(shape, theirs, most)
    if (edits > most) continue
    const isDisguised = edits === 0 && !isSameText(name, other.name)
    const reason = `the ${what} ${edits === 0 && !isDisguised ? 'is that of' : 'looks like that of'} ${other.kind}/${other.slug}, which is another owner's`
    return { rule: 'look-alike', severity: isDisguised ? 'suspicious' : 'note', path: '', line: null, reason }
  }
  return undefined
}
