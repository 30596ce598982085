import { redirect } from '@sveltejs/kit'
import { attempt, field } from '#lib/server/answers.ts'
import { preview, writing } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = writing

export const actions: Actions = {
  preview: preview('description'),
  create: async ({ request, locals, url }) => {
    const form = await request.formData()
    const feature = locals.api.features.create({ title: field(form, 'title'), description: field(form, 'description') })
    const { value, failure } = await attempt(feature, { form, url, written: true })
    if (failure) return failure
    redirect(303, `/community/features/${value.id}`)
  },
}
