// What repeats in the document becomes a component, and each use of it a reference. With its references replaced by what they name, the
// document says what it said before; a test compares them. A component is found by all that it says, so those of two areas are never one.
import { bodyNames, parameterNames } from './component-names.ts'
import { schemaNames } from './component-schemas.ts'
import { changeParts, KINDS, type Kind, type Part } from './parts.ts'

/** Has the name for a part while the document is made; no reader sees it. */
const NAME = 'x-component'

/** The part, with the name that it has as a component if it is there more than once. */
export const named = <T extends object>(name: string, part: T): T => ({ ...part, [NAME]: name })

/** The document without names for parts, in which everything stands where it is used. */
export function unshared<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unshared) as T
  const entries = Object.entries(value).filter(([name]) => name !== NAME)
  return Object.fromEntries(entries.map(([name, inner]) => [name, unshared(inner)])) as T
}

/** The document with references to what is there more than once. */
export const shared = <T extends object>(document: T): T =>
  unshared(KINDS.reduce((made, kind) => withReferences(made, kind), document as Part)) as T

/** A part and the operations that use it: none for a use by a component. */
interface Use {
  part: Part
  operations: (Part | undefined)[]
}

function withReferences(document: Part, kind: Kind): Part {
  const components = document['components'] as Record<string, Part>
  const uses = usesOf(document, kind)
  const names = namesOf(kind, uses, new Set(Object.keys(components[kind] ?? {})))
  if (names.size === 0) return document
  const made = [...names].map(([text, name]) => [name, uses.get(text)?.part] as const)
  const sorted = Object.fromEntries(made.sort(([a], [b]) => (a < b ? -1 : 1)))
  const withMade = { ...document, components: { ...components, [kind]: { ...components[kind], ...sorted } } }
  return changeParts(withMade, (of, part) => {
    const name = of === kind && names.get(JSON.stringify(part))
    return name ? { $ref: `#/components/${kind}/${name}` } : part
  })
}

/** The parts of a kind by what they say. */
function usesOf(document: Part, kind: Kind): Map<string, Use> {
  const uses = new Map<string, Use>()
  changeParts(document, (of, part, operation) => {
    if (of !== kind) return part
    const text = JSON.stringify(part)
    const use = uses.get(text) ?? { part, operations: [] }
    use.operations.push(operation)
    uses.set(text, use)
    return part
  })
  return uses
}

/** Names of what is used more than once. What is used most chooses first; what finds no free name stays where it is used. */
function namesOf(kind: Kind, uses: Map<string, Use>, taken: Set<string>): Map<string, string> {
  const repeated = [...uses].filter(([, { operations }]) => operations.length > 1)
  const names = new Map<string, string>()
  for (const [text, use] of repeated.sort(([, a], [, b]) => b.operations.length - a.operations.length)) {
    const name = candidates(kind, use).find((candidate) => !taken.has(candidate))
    if (!name) continue
    taken.add(name)
    names.set(text, name)
  }
  return names
}

function candidates(kind: Kind, { part, operations }: Use): string[] {
  const users = operations.filter((operation) => operation !== undefined)
  if (kind === 'parameters') return parameterNames(part, users)
  if (kind === 'requestBodies') return bodyNames(users)
  if (kind === 'schemas') return schemaNames(part)
  return typeof part[NAME] === 'string' ? [part[NAME]] : []
}
