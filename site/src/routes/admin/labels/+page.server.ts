import { moderating } from '#lib/server/administration.ts'
import { action, field, found, type Refusal, refusedAs } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await moderating(event)
  const page = pageNumber(event.url)
  return { page, labels: await found(event.locals.api.labels.list({ page, per_page: 100 })) }
}

const labelIn = (form: FormData) => ({
  name: field(form, 'name'),
  color: field(form, 'color'),
  description: field(form, 'description'),
})

/** A taken name is an error of that field. */
const ofName = (refusal: Refusal) => {
  if (refusal.status === 409) refusal.message = `name: ${refusal.message}`
}

export const actions: Actions = {
  create: action(
    (form, { locals }) => refusedAs(locals.api.labels.create(labelIn(form)), ofName),
    ({ name }, _, { locals }) => ({ done: locals.t('admin.label.created', { name }) }),
  ),
  update: action(
    (form, { locals }) => refusedAs(locals.api.labels.update({ id: field(form, 'id'), ...labelIn(form) }), ofName),
    ({ name }, _, { locals }) => ({ done: locals.t('admin.label.saved', { name }) }),
  ),
}
