import { redirect } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { FormHead } from '#lib/features/orgs/form-head.ts'
import { ofFiles } from '#lib/features/orgs/refusals.ts'
import { administering } from '#lib/server/administration.ts'
import { action, field, found, orRefusal, refuse, signInPath } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { items } = await found(event.locals.api.imports.list())
  return { items }
}

const FIELDS = ['source', 'name', 'match', 'kind', 'columns']

const step = (name: 'start' | 'pause' | 'revert') =>
  action(
    (form, { locals }: RequestEvent) => locals.api.imports[name]({ id: field(form, 'id') }),
    () => redirect(303, '/admin/imports'),
    { of: (form) => `${name} ${field(form, 'id')}` },
  )

/** Sends a form with its files as they come; a refusal comes back with what was typed. */
async function streamed(
  { request, locals, url }: RequestEvent,
  {
    name,
    fields,
    file,
    of,
  }: { name: 'imports.read' | 'itemImports.bring'; fields: readonly string[]; file: string; of: string },
) {
  const head = new FormHead()
  const body = request.body?.pipeThrough(head.stream) ?? null
  const sent = { form: { contentType: request.headers.get('content-type') ?? '', body } }
  const answer = await orRefusal(locals.send(name, {}, sent))
  if (!answer.refusal) return { value: answer.value }
  const { status, message: error } = answer.refusal
  if (status === 401) redirect(303, signInPath(url))
  const form = new FormData()
  for (const field of fields) form.set(field, head.field(field))
  return { failure: refuse({ status, message: status === 400 ? ofFiles(error, file, fields) : error }, form, of) }
}

export const actions = {
  read: async (event) => {
    const { failure } = await streamed(event, { name: 'imports.read', fields: FIELDS, file: 'files', of: 'read' })
    if (!failure) redirect(303, '/admin/imports')
    return failure
  },
  bring: async (event) => {
    const fields = ['from', 'visibility', 'tried']
    const { value, failure } = await streamed(event, { name: 'itemImports.bring', fields, file: 'file', of: 'bring' })
    return failure ?? { brought: (value as Answer<'itemImports.bring'>).items }
  },
  start: step('start'),
  pause: step('pause'),
  revert: step('revert'),
} satisfies Actions
