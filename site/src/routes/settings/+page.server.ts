import { worded } from '#lib/server/account.ts'
import { action, field, found, orRefusal, refuse } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { profile, usage } = event.locals.api
  const [shown, used] = await Promise.all([found(profile.get()), found(usage.get())])
  return { profile: shown, usage: used }
}

export const actions = {
  username: action(
    (form, { locals }) => worded(locals.api.profile.setUsername({ username: field(form, 'username') }), 'username'),
    () => ({ done: 'username' }),
  ),
  profile: action(
    (form, { locals }) => worded(locals.api.profile.update(profileOf(form))),
    () => ({ done: 'profile' }),
  ),
  /** Streams the picture to the API. */
  avatar: async ({ request, locals }) => {
    const form = { contentType: request.headers.get('content-type') ?? '', body: request.body }
    const { refusal } = await orRefusal(locals.send('avatars.set', {}, { form }))
    if (!refusal) return { done: 'avatar' }
    const { status, message: error } = refusal
    const message = /^\w+: /.test(error) ? error : `avatar: ${status === 429 ? `${error}.` : error}`
    return refuse({ status, message }, new FormData(), 'avatar')
  },
} satisfies Actions

const profileOf = (form: FormData) => ({
  name: field(form, 'name'),
  tagline: field(form, 'tagline'),
  jobTitle: field(form, 'jobTitle'),
  company: field(form, 'company'),
  tags: field(form, 'tags')
    .split(/[\s,]+/)
    .filter(Boolean),
  githubUrl: address(form, 'githubUrl'),
  twitterUrl: address(form, 'twitterUrl'),
  linkedinUrl: address(form, 'linkedinUrl'),
  websiteUrl: address(form, 'websiteUrl'),
})

/** Adds the scheme that people leave out. */
function address(form: FormData, name: string): string {
  const typed = field(form, name).trim()
  return typed && !/^[a-z][a-z0-9+.-]*:/i.test(typed) ? `https://${typed}` : typed
}
