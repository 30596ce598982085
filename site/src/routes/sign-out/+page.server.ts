// Signing out, by a form on any page. The browser forgets the pages it has, so that Back shows none of them.
import { redirect } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import type { Actions } from './$types'

export const actions = {
  end: async ({ locals, setHeaders }) => {
    await found(locals.api.accounts.signOut())
    setHeaders({ 'clear-site-data': '"cache"' })
    redirect(303, '/')
  },
} satisfies Actions
