import { moderating } from '#lib/server/administration.ts'
import { action, field, found, refusedAs } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/comments.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await moderating(event)
  const page = pageNumber(event.url)
  return { page, labels: await found(event.locals.api.labels.list({ page, per_page: 100 })) }
}

export const actions: Actions = {
  create: action(
    (form, { locals }) =>
      refusedAs(locals.api.labels.create({ name: field(form, 'name'), color: field(form, 'color') }), (refusal) => {
        // A taken name is an error of that field.
        if (refusal.status === 409) refusal.message = `name: ${refusal.message}`
      }),
    ({ name }) => ({ done: `${name} created` }),
  ),
  update: action(
    (form, { locals }) =>
      locals.api.labels.update({ id: field(form, 'id'), name: field(form, 'name'), color: field(form, 'color') }),
    ({ name }) => ({ done: `${name} saved` }),
  ),
}
