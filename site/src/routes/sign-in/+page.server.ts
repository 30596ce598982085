import { redirect } from '@sveltejs/kit'
import { arrive, destination, worded } from '#lib/server/account.ts'
import { action, codeIn, field, typed } from '#lib/server/answers.ts'
import { hasNotedVote } from '#lib/server/noted-vote.ts'
import type { Actions, PageServerLoad } from './$types'

/** Remembers the address of a mailed code while the code is valid, so that the page shows the field after a reload. */
const MAILED = 'mailed'
const MAILED_SECONDS = 600

export const load: PageServerLoad = async ({ locals, url, cookies }) => {
  const to = destination(url)
  if (await locals.user()) redirect(303, to)
  if (url.searchParams.has('password')) cookies.delete(MAILED, { path: '/sign-in' })
  return {
    to,
    development: locals.server.development,
    signUp: locals.server.signUp,
    externalName: locals.server.externalName,
    failed: url.searchParams.get('external'),
    mailed: cookies.get(MAILED),
    deleted: url.searchParams.has('deleted'),
    voting: hasNotedVote({ cookies }),
  }
}

export const actions = {
  password: action(
    (form, { locals }) =>
      worded(locals.api.accounts.signIn({ email: field(form, 'email'), password: field(form, 'password') })),
    ({ user }, _, { url }) => arrive(user, url),
  ),
  code: action(
    (form, { locals }) => worded(locals.api.accounts.sendCode({ email: field(form, 'email').trim() })),
    (_, form, { cookies, url }) => {
      const mailed = field(form, 'email').trim()
      const secure = url.protocol === 'https:'
      cookies.set(MAILED, mailed, { path: '/sign-in', maxAge: MAILED_SECONDS, httpOnly: true, sameSite: 'lax', secure })
      return { mailed, again: form.has('again') }
    },
    { of: (form) => (form.has('again') ? 'again' : 'password') },
  ),
  verify: action(
    (form, { locals }) =>
      worded(locals.api.accounts.signInWithCode({ email: field(form, 'email'), code: codeIn(form) }), 'code'),
    ({ user }, _, { cookies, url }) => {
      cookies.delete(MAILED, { path: '/sign-in' })
      return arrive(user, url)
    },
  ),
  /** Another page posts a known address here, which keeps it out of the URL. */
  address: async ({ request }) => ({ typed: typed(await request.formData()), of: 'password' }),
} satisfies Actions
