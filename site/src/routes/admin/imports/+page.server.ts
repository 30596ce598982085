import { redirect } from '@sveltejs/kit'
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

export const actions = {
  // Streams the files.
  read: async ({ request, locals, url }) => {
    const head = new FormHead()
    const body = request.body?.pipeThrough(head.stream) ?? null
    const sent = { form: { contentType: request.headers.get('content-type') ?? '', body } }
    const { refusal } = await orRefusal(locals.send('imports.read', {}, sent))
    if (!refusal) redirect(303, '/admin/imports')
    const { status, message: error } = refusal
    if (status === 401) redirect(303, signInPath(url))
    const form = new FormData()
    for (const name of FIELDS) form.set(name, head.field(name))
    return refuse({ status, message: status === 400 ? ofFiles(error, 'files', FIELDS) : error }, form, 'read')
  },
  start: step('start'),
  pause: step('pause'),
  revert: step('revert'),
} satisfies Actions
