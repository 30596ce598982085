// The address of a thing for everyone: `href`, absolute, beside a `url` that may be a path of this site. A handler gives `url` alone, and the
// call adds `href` to its answer, so that they always say the same.
import { z } from 'zod'
import { EXAMPLE_ID } from './fields.ts'

/** The address of the page of what has the `url` beside it. A handler leaves it out. */
export const Href = z
  .string()
  .prefault('')
  .meta({
    id: 'Href',
    description: 'The absolute address of its page',
    example: `https://guildhall.example/community/bugs/${EXAMPLE_ID}`,
  })

type Thing = Record<string, unknown>
const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null

/** Does something with each thing of an answer that has an address. */
type Visit = (answer: unknown, work: (thing: Thing) => void) => void

/**
 * The absolute address that a `url` has; of one that is absolute, itself. Joined, because V8 writes JSON at half the speed where a text is
 * still the sum of two.
 */
export const absolute = (baseUrl: string, url: unknown) =>
  typeof url === 'string' && url.startsWith('/') ? [baseUrl, url].join('') : url

/** Adds `href` to each thing of an answer. */
export type AddAddresses = (answer: unknown, baseUrl: string) => void

/** What adds the addresses to answers of this shape, which is looked at for the first of them. */
export function addressesIn(type: z.ZodType): AddAddresses {
  let found: { visit: Visit | undefined } | undefined
  return (answer, baseUrl) => {
    found ??= { visit: visitOf(type) }
    found.visit?.(answer, (thing) => {
      if ('url' in thing && !('href' in thing)) thing['href'] = absolute(baseUrl, thing['url'])
    })
  }
}

/** Whether answers of this shape have addresses of things. */
export const hasAddresses = (type: z.ZodType): boolean => visitOf(type) !== undefined

/** The compact JSON of an answer of this shape without `href`: for agents, who pay for each word and have `url`. */
export function withoutAddresses(type: z.ZodType, json: string): string {
  const visit = visitOf(type)
  if (!visit) return json
  if (isClosed(type)) return json.replace(ADDRESS, '')
  const answer: unknown = JSON.parse(json)
  // Undefined is not written. V8 has no quick form of an object from which a field was deleted.
  visit(answer, (thing) => {
    if ('href' in thing) thing['href'] = undefined
  })
  return JSON.stringify(answer)
}

/** The field where `addressesIn` puts it, behind others: within a text, quotes are escaped. To find it costs a tenth of reading the JSON. */
const ADDRESS = /,"href":(?:"[^"\\]*(?:\\.[^"\\]*)*"|null)/g

const closed = new WeakMap<z.ZodType, boolean>()

/** Whether every field of such an answer is one that its contract names, so that a field called `href` is an address wherever it stands. */
function isClosed(type: z.ZodType): boolean {
  const found = closed.get(type) ?? findClosed(type)
  closed.set(type, found)
  return found
}

const LEAVES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum', 'literal', 'null'])

function findClosed(type: z.ZodType): boolean {
  if (type instanceof z.ZodObject) {
    return type.def.catchall === undefined && Object.values(type.shape).every((field) => isClosed(field as z.ZodType))
  }
  if (type instanceof z.ZodArray) return isClosed(type.element as z.ZodType)
  if (type instanceof z.ZodUnion) return type.options.every((option) => isClosed(option as z.ZodType))
  if (isWrapper(type)) return isClosed(type.unwrap() as z.ZodType)
  return LEAVES.has(type.def.type)
}

const isWrapper = (type: z.ZodType) =>
  type instanceof z.ZodNullable || type instanceof z.ZodOptional || type instanceof z.ZodPrefault

const known = new WeakMap<z.ZodType, Visit | undefined>()

function visitOf(type: z.ZodType): Visit | undefined {
  if (!known.has(type)) known.set(type, findVisit(type))
  return known.get(type)
}

function findVisit(type: z.ZodType): Visit | undefined {
  if (type instanceof z.ZodObject) return visitOfObject(type)
  if (type instanceof z.ZodArray) return visitOfEach(visitOf(type.element as z.ZodType))
  if (type instanceof z.ZodRecord) return visitOfEach(visitOf(type.valueType as z.ZodType))
  if (type instanceof z.ZodUnion) return together(type.options.map((option) => visitOf(option as z.ZodType)))
  if (type instanceof z.ZodNullable || type instanceof z.ZodOptional) return visitOf(type.unwrap() as z.ZodType)
  return undefined
}

function visitOfObject({ shape }: z.ZodObject): Visit | undefined {
  const own: Visit | undefined = 'href' in shape ? (answer, work) => isThing(answer) && work(answer) : undefined
  const inner = Object.entries(shape).map(([name, field]): Visit | undefined => {
    const visit = visitOf(field as z.ZodType)
    return visit && ((answer, work) => isThing(answer) && visit(answer[name], work))
  })
  return together([own, ...inner])
}

const visitOfEach = (visit: Visit | undefined): Visit | undefined =>
  visit &&
  ((answer, work) => {
    if (isThing(answer)) for (const entry of Object.values(answer)) visit(entry, work)
  })

function together(visits: readonly (Visit | undefined)[]): Visit | undefined {
  const all = visits.filter((visit) => visit !== undefined)
  if (all.length === 0) return undefined
  return (answer, work) => {
    for (const visit of all) visit(answer, work)
  }
}
