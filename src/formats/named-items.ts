// Other items that a file names. A text names one where it is nothing but a kind and a slug, such as `automation/harbor-board`, perhaps
// with a version or a range behind an @.
import { type ItemKind, itemKinds } from '../contract/item-kinds.ts'

export const MAX_NAMES = 100
export const MAX_CHARACTERS = 400
const NAME = new RegExp(`^(${itemKinds.join('|')})s?/([a-z0-9][a-z0-9._-]{0,99})(?:@.{1,256})?$`)

export interface ItemName {
  kind: ItemKind
  slug: string
}

/** The item that a text names; undefined for any other text. */
export function nameIn(text: string): ItemName | undefined {
  const [, kind, slug] = text.length <= MAX_CHARACTERS ? (NAME.exec(text) ?? []) : []
  return kind && slug ? { kind: kind as ItemName['kind'], slug } : undefined
}

/** The first hundred different items that the texts of a JSON value name, in order; keys do not count. */
export function namedItems(value: unknown): ItemName[] {
  const found = new Map<string, ItemName>()
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && found.size < MAX_NAMES) {
    const next = waiting.pop()
    if (typeof next === 'string') {
      const name = nameIn(next)
      if (name) found.set(`${name.kind}/${name.slug}`, name)
    } else if (typeof next === 'object' && next !== null) {
      // The last one is taken first.
      for (const one of Object.values(next).reverse()) waiting.push(one)
    }
  }
  return [...found.values()]
}
