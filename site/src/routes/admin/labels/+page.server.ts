import { moderating } from '#lib/server/administration.ts'
import { attempt, field, found, refuse } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/comments.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await moderating(event)
  const page = pageNumber(event.url)
  return { page, labels: await found(event.locals.api.labels.list({ page, per_page: 100 })) }
}

export const actions: Actions = {
  create: async ({ request, locals, url }) => {
    const form = await request.formData()
    const { value, failure } = await attempt(
      locals.api.labels.create({ name: field(form, 'name'), color: field(form, 'color') }),
      { form, url },
    )
    if (!failure) return { done: value.name }
    // A taken name is an error of that field.
    return failure.status === 409 ? refuse({ status: 409, message: `name: ${failure.data.message}` }, form) : failure
  },
}
