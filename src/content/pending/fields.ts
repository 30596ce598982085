// The fields of a write that waits: those that its operation has. What else was sent is not kept, so that what does nothing is not shown.
import { type Operation, placesOf } from '../../contract/operation.ts'
import { objectIn } from '../../runtime/json.ts'
import type { KeptRequest } from './request.ts'

type RequestFields = Pick<KeptRequest, 'target' | 'json' | 'fields'>

/** A request with the fields that its operation has, in its query, its JSON or its form. */
export function onlyDeclared<Request extends RequestFields>(request: Request, operation: Operation): Request {
  const { query, body } = placesOf(operation)
  const [path = '', search = ''] = request.target.split('?')
  const asked = [...new URLSearchParams(search)].filter(([name]) => query.includes(name))
  const target = asked.length > 0 ? `${path}?${new URLSearchParams(asked)}` : path
  const { upload } = operation
  const json = request.json === undefined || body.length === 0 ? undefined : objectIn(request.json)
  const kept = json && Object.fromEntries(Object.entries(json).filter(([name]) => body.includes(name)))
  const fields = upload && request.fields?.filter(([name]) => Object.hasOwn(upload.fields.shape, name))
  return { ...request, target, json: kept && JSON.stringify(kept), fields }
}

/** What a request says: its query, and its JSON or its form. */
export function fieldsIn(request: RequestFields | undefined): Record<string, unknown> {
  const [, search = ''] = request?.target.split('?') ?? []
  const body = request?.json ? objectIn(request.json) : Object.fromEntries(request?.fields ?? [])
  return { ...Object.fromEntries(new URLSearchParams(search)), ...body }
}

const TITLES = ['title', 'name', 'body', 'description', 'slug', 'username']
const MAX_TITLE = 100

/** The beginning of the first of these that is there. */
export function titleIn(fields: Record<string, unknown>): string | null {
  const found = TITLES.map((name) => fields[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.trim().slice(0, MAX_TITLE).toWellFormed() : null
}

const TEXTS = ['body', 'description', 'text', 'bio', 'tagline']

/** The first of these that is there. */
export function textIn(fields: Record<string, unknown>): string {
  const found = TEXTS.map((name) => fields[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.trim() : ''
}
