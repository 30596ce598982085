// The address of a bug, a feature request or a post by its number: redirects to the thing.
import { redirect } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import { addressOf } from '#lib/thing-address.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params }) =>
  redirect(302, addressOf(await found(locals.api.references.get({ number: Number(params.number) }))))
