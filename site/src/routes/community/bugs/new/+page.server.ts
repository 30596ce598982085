import { redirect } from '@sveltejs/kit'
import { attempt, field } from '#lib/server/answers.ts'
import { preview, writing } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = writing

export const actions: Actions = {
  preview: preview('description'),
  create: async ({ request, locals, url }) => {
    const form = await request.formData()
    const severity = field(form, 'severity') as 'low' | 'medium' | 'high' | 'critical'
    const bug = locals.api.bugs.create({
      title: field(form, 'title'),
      description: field(form, 'description'),
      severity,
    })
    const { value, failure } = await attempt(bug, { form, url, written: true })
    if (failure) return failure
    redirect(303, `/community/bugs/${value.id}`)
  },
}
