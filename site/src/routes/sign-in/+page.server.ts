import { redirect } from '@sveltejs/kit'
import { arrive, destination, worded } from '#lib/server/account.ts'
import { attempt, field, typed } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

/** Remembers the address of a mailed code while the code is valid, so that the page shows the field after a reload. */
const MAILED = 'mailed'
const MAILED_SECONDS = 600

export const load: PageServerLoad = async ({ locals, platform, url, cookies }) => {
  const to = destination(url)
  if (await locals.user()) redirect(303, to)
  if (url.searchParams.has('password')) cookies.delete(MAILED, { path: '/sign-in' })
  return { to, development: platform!.development, mailed: cookies.get(MAILED) }
}

export const actions = {
  password: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.signIn({ email: field(form, 'email'), password: field(form, 'password') })
    const { value, failure } = await attempt(worded(sent), { form, url, of: 'password' })
    return failure ?? arrive(value.user, url)
  },
  code: async ({ request, locals, url, cookies }) => {
    const form = await request.formData()
    const email = field(form, 'email').trim()
    const of = form.has('again') ? 'again' : 'password'
    const { failure } = await attempt(worded(locals.api.accounts.sendCode({ email })), { form, url, of })
    if (failure) return failure
    const secure = url.protocol === 'https:'
    cookies.set(MAILED, email, { path: '/sign-in', maxAge: MAILED_SECONDS, httpOnly: true, sameSite: 'lax', secure })
    return { mailed: email, again: of === 'again' }
  },
  verify: async ({ request, locals, url, cookies }) => {
    const form = await request.formData()
    const code = field(form, 'code').replace(/\s/g, '')
    const sent = locals.api.accounts.signInWithCode({ email: field(form, 'email'), code })
    const { value, failure } = await attempt(worded(sent, 'code'), { form, url, of: 'verify' })
    if (failure) return failure
    cookies.delete(MAILED, { path: '/sign-in' })
    return arrive(value.user, url)
  },
  /** Another page posts a known address here, which keeps it out of the URL. */
  address: async ({ request }) => ({ typed: typed(await request.formData()) }),
} satisfies Actions
