import { redirect } from '@sveltejs/kit'
import { inSession } from '#lib/server/account.ts'
import { action, field, found, orRefusal } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { chatLinks } = event.locals.api
  const code = event.url.searchParams.get('code')
  const [{ items: links }, asked] = await Promise.all([
    found(chatLinks.list({})),
    code === null ? undefined : orRefusal(chatLinks.look({ code })),
  ])
  const isAsked = asked !== undefined && !asked.refusal
  return {
    links,
    isTooOld: asked?.refusal !== undefined,
    asked: isAsked ? { ...asked.value, code: code ?? '' } : undefined,
  }
}

const again = (_: unknown, __: FormData, { url }: RequestEvent) => redirect(303, url.pathname)

export const actions = {
  confirm: action(
    (form, { locals }: RequestEvent) => inSession(locals.api.chatLinks.confirm({ code: field(form, 'code') })),
    again,
    { of: () => 'confirm' },
  ),
  remove: action(
    (form, { locals }: RequestEvent) => inSession(locals.api.chatLinks.remove({ id: field(form, 'id') })),
    again,
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
} satisfies Actions
