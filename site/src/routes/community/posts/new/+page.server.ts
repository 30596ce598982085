import { redirect } from '@sveltejs/kit'
import { attempt, field } from '#lib/server/answers.ts'
import { preview, writing } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = writing

export const actions: Actions = {
  preview: preview('body'),
  create: async ({ request, locals, url }) => {
    const form = await request.formData()
    const post = locals.api.posts.create({ title: field(form, 'title'), body: field(form, 'body') })
    const { value, failure } = await attempt(post, { form, url, written: true })
    if (failure) return failure
    redirect(303, `/community/posts/${value.id}`)
  },
}
