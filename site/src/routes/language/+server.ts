// Sets the language: of the account, where one is signed in, and of this browser. A cookie keeps it for a year.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, found } from '#lib/server/answers.ts'
import { isOffered } from '../../../../src/contract/languages.ts'
import { LANGUAGE_COOKIE } from '../../../../src/language/choice.ts'
import type { RequestHandler } from './$types'

const YEAR_SECONDS = 365 * 24 * 60 * 60

export const POST: RequestHandler = async ({ request, cookies, locals, url }) => {
  const form = await request.formData()
  const asked = field(form, 'language')
  const language = isOffered(asked, locals.server.looks.site.languages) ? asked : null
  const options = { path: '/', secure: url.protocol === 'https:', sameSite: 'lax', httpOnly: true } as const
  if (language !== null) cookies.set(LANGUAGE_COOKIE, language, { ...options, maxAge: YEAR_SECONDS })
  else cookies.delete(LANGUAGE_COOKIE, options)
  const user = await locals.user()
  if (user?.deletionAt === null) {
    await found(locals.api.language.set({ language }))
  }
  redirect(303, ownPath(field(form, 'back')))
}
