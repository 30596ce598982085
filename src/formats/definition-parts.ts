// What JSON is made of, for the comparison of two: the entries of a list of it, such as nodes or roles.
import { createHash } from 'node:crypto'
import { bounded, comparedText, type ItemParts, MAX_COMPARED_BYTES, type Part, part, textIn } from './item-parts.ts'
import { hashOfValue, jsonOf } from './json-tokens.ts'
import { isObject } from './permission-set.ts'
import type { Permission } from './permissions.ts'

/** @param list the field with what is compared one by one */
export function definitionParts(
  bytes: Buffer,
  { list: field, permissions }: { list: string; permissions: Permission[] },
): ItemParts {
  const definition = jsonOf(bytes)
  const list = isObject(definition) ? definition[field] : undefined
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const text = bytes.length <= MAX_COMPARED_BYTES ? comparedText('.json', bytes) : undefined
  const nodes = bounded('nodes', Array.isArray(list) ? list.map(nodeOf) : [])
  const isWhole = definition !== undefined && !nodes.truncated
  return {
    permissions,
    files: [{ path: '', size: bytes.length, sha256, text }],
    steps: [],
    ...nodes,
    truncated: !isWhole,
  }
}

/** A node by its id or name, a role by its id; where it stands on the canvas is no change. */
function nodeOf(given: unknown): Part {
  const node = isObject(given) ? given : {}
  const { position: _, ui: __, ...content } = node
  const sha256 = hashOfValue(content)
  const name = textIn(node, 'name') ?? textIn(node, 'title') ?? textIn(node, 'id') ?? ''
  return part({
    id: textIn(node, 'id') ?? textIn(node, 'name') ?? sha256,
    name,
    type: textIn(node, 'type') ?? '',
    sha256,
  })
}
