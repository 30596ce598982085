// The reference of the API on the site: parts with their operations, found by words, with code in one of three ways to call them.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { about, api, areas } from '../../../../src/api.ts'
import type { Contract, Operation } from '../../../../src/contract/operation.ts'
import type { PartsOff } from '../../../../src/contract/parts.ts'
import { dataInNameOf } from '../../../../src/language/named.ts'
import { describePart, type OperationReference } from '../../../../src/surfaces/reference/describe.ts'
import { describeProblems, type ProblemReference } from '../../../../src/surfaces/reference/problems.ts'
import { withCopies } from './copies.ts'
import { trusted } from './documents.ts'

const contracts: Readonly<Record<string, Contract>> = api
const subjects: Readonly<Record<string, string>> = about

export const ways = [
  { name: 'curl', language: 'sh' },
  { name: 'typescript', language: 'ts' },
  { name: 'cli', language: 'sh' },
] as const

/** The way of a query; curl for one that there is not. */
export const wayOf = (given: string | null) => ways.find(({ name }) => name === given) ?? ways[0]

export interface OperationLink {
  /** `bugs.create` */
  name: string
  href: string
  method: string
  path: string
  /** HTML */
  summary: string
}

const listed = (part: string, verb: string, { method, path, summary }: Operation): OperationLink => {
  const name = `${part}.${verb}`
  return { name, href: `/docs/reference/${part}#${name}`, method, path, summary: trusted(summary) }
}

/** The names of the parts, in their order. */
export const parts = Object.keys(api)

/** The names of the parts that this server has. */
export const partsThere = (off: PartsOff): string[] => findOperations('', off).map(({ name }) => name)

/** What a part is about, in a sentence without a full stop. */
export const aboutPart = (part: string): string => subjects[part] ?? ''

/** The parts of the API, each with the operations that have all these words in their name, path or description. */
export function findOperations(
  q: string,
  { hasOperation }: PartsOff,
): { name: string; about: string; operations: OperationLink[] }[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = Object.entries(contracts).map(([name, contract]) => {
    const fitting = Object.entries(contract).filter(([verb, { method, path, summary, description = '' }]) => {
      const text = `${name}.${verb} ${method} ${path} ${summary} ${description}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    const there = fitting.filter(([verb]) => !hasOperation(`${name}.${verb}`))
    const operations = there.map(([verb, operation]) => listed(name, verb, operation))
    return { name, about: aboutPart(name), operations }
  })
  return found.filter(({ operations }) => operations.length > 0)
}

const described = new Map<string, OperationReference[]>()

interface ReferenceOptions {
  baseUrl: string
  way: (typeof ways)[number]
  t: SiteWords
  off: PartsOff
}

/** The operations of a part, with addresses of this instance; undefined for a part that there is not. */
export function partOf(part: string, { baseUrl, way, t, off }: ReferenceOptions) {
  const contract = Object.hasOwn(contracts, part) ? contracts[part] : undefined
  if (!contract) return undefined
  const operations = described.get(part) ?? describePart(part, contract)
  described.set(part, operations)
  const there = operations.filter(({ name }) => !off.hasOperation(name))
  return dataInNameOf(t.site, there).map(({ samples, example, ...operation }) => {
    const code = samples[way.name]
    return {
      ...operation,
      text: trusted([operation.summary, operation.description].filter(Boolean).join('. ')),
      who: trusted(operation.who),
      answer: trusted(operation.answer),
      fields: operation.fields.map((field) => ({ ...field, description: trusted(field.description) })),
      code: code === null ? null : withCopies(t, trusted(fenced(way.language, code.replaceAll('{base_url}', baseUrl)))),
      example: example === null ? null : withCopies(t, trusted(fenced('json', example))),
    }
  })
}

let problems: ReadonlyMap<string, ProblemReference> | undefined

/** Every code of an error, with what it means; made when it is first needed. */
export function problemCodes(): ReadonlyMap<string, ProblemReference> {
  problems ??= new Map(describeProblems(contracts, areas).map((problem) => [problem.code, problem]))
  return problems
}

/** What the page of a code shows; undefined for a code that there is not. */
export function problemOf(code: string, { t, off }: Pick<ReferenceOptions, 't' | 'off'>) {
  const problem = problemCodes().get(code)
  if (!problem) return undefined
  const there = problem.operations.filter((name) => !off.hasOperation(name))
  const byPart = Map.groupBy(there, (name) => name.slice(0, name.indexOf('.')))
  return {
    ...{ code, status: problem.status, meaning: trusted(problem.meaning), remedy: trusted(problem.remedy) },
    examples: problem.examples.map(({ area, status, body }) => ({
      ...{ area, status },
      html: withCopies(t, trusted(fenced('json', body))),
    })),
    parts: [...byPart].map(([part, names]) => ({
      part,
      operations: names.map((name) => ({ name, verb: name.slice(part.length + 1) })),
    })),
  }
}

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
