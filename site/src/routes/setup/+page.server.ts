import { error, redirect } from '@sveltejs/kit'
import { worded } from '#lib/server/account.ts'
import { action, codeIn, field, found } from '#lib/server/answers.ts'
import { homeTextsAbout } from '../../../../src/config/site-texts.ts'
import { FALLBACK, isLanguage } from '../../../../src/contract/languages.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

/** Keeps the token of the link after the address of the page has lost it. */
const COOKIE = 'guildhall_setup'
const SECONDS = 86_400

const tokenOf = ({ cookies }: Pick<RequestEvent, 'cookies'>) => cookies.get(COOKIE) ?? ''

export const load: PageServerLoad = async (event) => {
  const { locals, url, cookies, setHeaders } = event
  setHeaders({ 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' })
  const given = url.searchParams.get('token')
  if (given !== null) {
    const secure = url.protocol === 'https:'
    if (/^[\w-]{43}$/.test(given))
      cookies.set(COOKIE, given, { path: '/setup', maxAge: SECONDS, httpOnly: true, sameSite: 'lax', secure })
    redirect(303, '/setup')
  }
  const token = tokenOf(event)
  if (token === '') error(403, locals.t('setup.needsLink'))
  return { ...(await found(locals.api.setup.check({ token }))), alone: true }
}

export const actions = {
  code: action(
    (form, event) =>
      worded(event.locals.api.setup.sendCode({ token: tokenOf(event), email: field(form, 'email').trim() }), 'email'),
    (_, form) => ({ mailed: field(form, 'email').trim(), typed: typedIn(form) }),
    { of: () => 'finish' },
  ),
  finish: action(
    (form, event) =>
      worded(
        event.locals.api.setup.finish({
          token: tokenOf(event),
          email: field(form, 'email').trim(),
          code: codeIn(form),
          adminName: field(form, 'adminName').trim() || undefined,
          settings: { ...settingsIn(form), ...purposeIn(form) },
          samples: field(form, 'samples') === 'some' ? sampleLanguage(event.locals.t.language) : undefined,
        }),
        'code',
      ),
    (_, __, { cookies }) => {
      cookies.delete(COOKIE, { path: '/setup' })
      redirect(303, '/setup/done')
    },
  ),
} satisfies Actions

/** Samples are in the languages of the product. */
const sampleLanguage = (language: string) => (isLanguage(language) ? language : FALLBACK)

const NAMES = ['SITE_NAME', 'READERS', 'SIGN_UP', 'SIGN_UP_DOMAINS', 'MAIL_FROM']

/** The answers that the page asked for: it leaves out what the environment says. */
const settingsIn = (form: FormData) =>
  Object.fromEntries(NAMES.filter((name) => form.has(name)).map((name) => [name, field(form, name).trim()]))

/** What the community is for, as texts of the first page. */
const purposeIn = (form: FormData): Record<string, string> =>
  form.has('purpose') ? { HOME_TEXTS: homeTextsAbout(field(form, 'purpose')) } : {}

const typedIn = (form: FormData) => ({
  ...settingsIn(form),
  email: field(form, 'email'),
  adminName: field(form, 'adminName'),
  purpose: field(form, 'purpose'),
  samples: field(form, 'samples'),
})
