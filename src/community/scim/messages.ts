// Answers in the form of SCIM 2.0 (RFC 7644): errors, lists, and which attributes an answer has.
import { type Problem, statusOf } from '../../contract/problem.ts'
import type { EndpointResponse } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
export const PATCH_OP = `${MESSAGES}:PatchOp`

/** One request that may be answered. */
export interface ScimRequest {
  context: Dependencies & { now: string; address: string }
  /** The address of all. */
  base: string
  /** Of the resource; empty for a list. */
  id: string
  query: URLSearchParams
  body: Record<string, unknown>
}

/** What is wrong with a request (RFC 7644, 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A refusal of SCIM. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const scimJson = (status: number, body: object, headers: Record<string, string> = {}): EndpointResponse => ({
  status,
  headers: { 'Content-Type': 'application/scim+json', ...headers },
  body: JSON.stringify(body),
})

export function errorAnswer({ status, message, scimType }: ScimError): EndpointResponse {
  const challenge: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
  const said = { status: String(status), ...(scimType && { scimType }), detail: message }
  return scimJson(status, { schemas: [`${MESSAGES}:Error`], ...said }, challenge)
}

/** A Problem in that form. */
export const scimErrorOf = ({ code, message }: Problem): ScimError =>
  new ScimError(statusOf[code], message, statusOf[code] === 400 ? 'invalidValue' : undefined)

export interface Listed {
  total: number
  startIndex: number
  resources: readonly object[]
}

export const listAnswer = ({ total, startIndex, resources }: Listed): EndpointResponse =>
  scimJson(200, {
    schemas: [`${MESSAGES}:ListResponse`],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

const ALWAYS = ['schemas', 'id']

/** Tells which attributes are asked for (RFC 7644, 3.9), by the names of the first level. */
function choiceOf(query: URLSearchParams): (name: string) => boolean {
  const named = (name: string) =>
    query
      .get(name)
      ?.split(',')
      .map((one) => topOf(one.trim()).toLowerCase())
  const [only, without] = [named('attributes'), named('excludedAttributes')]
  return (name) =>
    ALWAYS.includes(name) ||
    ((only === undefined || only.includes(name.toLowerCase())) && !without?.includes(name.toLowerCase()))
}

/** Whether an attribute is asked for; what is not is not looked up. */
export const isChosen = (query: URLSearchParams, name: string): boolean => choiceOf(query)(name)

/** A resource with the attributes that are asked for. */
export function chosen(resource: Record<string, unknown>, query: URLSearchParams): Record<string, unknown> {
  const isThere = choiceOf(query)
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isThere(name)))
}

/** The attribute of a path, without its schema and what is below it. */
export const topOf = (path: string): string => path.replace(/^urn:.*:(?=[^:]*$)/i, '').replace(/[.[].*$/, '')
