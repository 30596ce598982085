import { redirect } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import type { Actions } from './$types'

export const actions = {
  end: async ({ locals }) => {
    await found(locals.api.accounts.signOut())
    redirect(303, '/')
  },
} satisfies Actions
