// PATCH (RFC 7644, 3.5.2) on what is kept of a resource: plain objects of the attributes that there are. Providers write `op` and booleans in
// any case, and values of one operation as an object without a path; all of that is taken.
import type { Filter } from 'scim2-parse-filter'
import { z } from 'zod'
import { parseFilter } from './filter.ts'
import { PATCH_OP, ScimError } from './messages.ts'
import { isPlainObject, listOf, objectOf, Values } from './values.ts'

const MAX_OPERATIONS = 1_000

const Patch = z.object({
  schemas: z.array(z.string()).refine((all) => all.includes(PATCH_OP)),
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(1_000).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
})

type Resource = Record<string, unknown>
type Operation = z.infer<typeof Patch>['Operations'][number]

/** The attributes of a kind of resource: what is below each, or how many values it has at most. What is named otherwise is of no interest here. */
export type KnownAttributes = Readonly<Record<string, readonly string[] | number | 'plain'>>

interface Path {
  attribute: string
  filter?: Filter
  below?: string
}

/** The resource after the operations of a body. Throws where the body or a path is wrong. */
export function patched(resource: Resource, body: unknown, known: KnownAttributes): Resource {
  const parsed = Patch.safeParse(body)
  if (!parsed.success) throw new ScimError(400, `Send a body of ${PATCH_OP}`, 'invalidSyntax')
  const after = parsed.data.Operations.reduce((before, operation) => applied(before, operation, known), resource)
  const entries = Object.entries(after).map(([name, one]) => [name, one instanceof Values ? one.all() : one])
  return Object.fromEntries(entries)
}

function applied(resource: Resource, operation: Operation, known: KnownAttributes): Resource {
  const { op, path, value } = operation
  if (path !== undefined) {
    const at = pathOf(path, known)
    return at ? changed(resource, { op, at, value }, known) : resource
  }
  if (op === 'remove') throw new ScimError(400, 'A removal needs a path', 'noTarget')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimError(400, 'An operation without a path has an object as its value', 'invalidValue')
  return Object.entries(value).reduce((before, [name, one]) => {
    const at = pathOf(name, known)
    return at ? changed(before, { op, at, value: one }, known) : before
  }, resource)
}

const PATH = /^(?:urn:[\w.:-]+:)?(?<attribute>\w+)(?:\[(?<filter>.+)\])?(?:\.(?<below>\w+))?$/i

/** Undefined for an attribute that is not kept; throws for what is no path. */
function pathOf(text: string, known: KnownAttributes): Path | undefined {
  const { attribute: named, filter, below } = PATH.exec(text)?.groups ?? {}
  if (named === undefined) throw new ScimError(400, 'This path is none of SCIM', 'invalidPath')
  const attribute = Object.keys(known).find((name) => name.toLowerCase() === named.toLowerCase())
  if (attribute === undefined) return undefined
  const path: Path = { attribute }
  if (filter !== undefined) path.filter = parseFilter(filter)
  if (below !== undefined) path.below = below
  return path
}

interface Change {
  op: Operation['op']
  at: Path
  value: unknown
}

function changed(resource: Resource, { op, at, value }: Change, known: KnownAttributes): Resource {
  const { attribute, filter, below } = at
  const before = resource[attribute]
  const most = known[attribute]
  if (typeof most === 'number') {
    // Made for these operations, so each changes it in place.
    const values = before instanceof Values ? before : new Values(attribute, most, listOf(before))
    changeValues(values, { op, filter, below, value })
    return { ...resource, [attribute]: values }
  }
  if (filter) throw new ScimError(400, 'This attribute has no list of values', 'invalidPath')
  if (below !== undefined) {
    const inner = { ...objectOf(before) }
    if (op === 'remove') delete inner[below]
    else inner[below] = value
    return { ...resource, [attribute]: inner }
  }
  if (op === 'remove') return { ...resource, [attribute]: undefined }
  return { ...resource, [attribute]: isPlainObject(before) ? { ...objectOf(before), ...objectOf(value) } : value }
}

interface ValuesChange {
  op: Operation['op']
  filter: Filter | undefined
  below: string | undefined
  value: unknown
}

function changeValues(values: Values, { op, filter, below, value }: ValuesChange): void {
  if (!filter) {
    if (op === 'add') values.add(listOf(value))
    // Without a value all are removed. Some providers name in it what a removal is of; an empty list is of none.
    else if (op === 'replace' || value === undefined || value === null) values.replace(listOf(value))
    else values.remove(listOf(value))
    return
  }
  if (op === 'remove') {
    values.change(filter, (one) => (below === undefined ? undefined : { ...one, [below]: undefined }))
    return
  }
  const to = below === undefined ? objectOf(value) : { [below]: value }
  if (values.change(filter, (one) => ({ ...one, ...to }))) return
  // What is not there yet: an address of a type, as providers write it.
  const named = filter.op === 'eq' ? { [filter.attrPath]: filter.compValue } : undefined
  if (!named) throw new ScimError(400, 'Nothing fits the filter of this path', 'noTarget')
  values.append({ ...named, ...to })
}
