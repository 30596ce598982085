import { redirect } from '@sveltejs/kit'
import { confirmed, inSession } from '#lib/server/account.ts'
import { action, choiceIn, field, found, goTo } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

const HERE = '/settings/data'
const CHOICES = ['anonymise', 'delete'] as const

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { dataExports, deletion, reauthentication } = event.locals.api
  const [exported, leaving, credentials] = await Promise.all([
    found(dataExports.list()),
    found(deletion.show()),
    found(reauthentication.show()),
  ])
  const { searchParams } = event.url
  return { exports: exported.items, deletion: leaving.deletion, credentials, kept: searchParams.has('kept') }
}

const again = `${HERE}?confirm=data#confirm`

const withSession =
  <Value>(send: (form: FormData, api: App.Locals['api']) => Promise<Value>) =>
  (form: FormData, { locals }: { locals: App.Locals }) =>
    confirmed(inSession(send(form, locals.api)), again)

export const actions = {
  ...confirming(() => HERE),
  requestExport: action(
    withSession((_, api) => api.dataExports.request()),
    () => ({ requested: true }),
  ),
  cancelExport: action(
    (form, { locals }) => inSession(locals.api.dataExports.cancel({ id: field(form, 'id') })),
    () => ({ cancelled: true }),
  ),
  deleteAccount: action(
    withSession((form, api) => api.deletion.request({ content: choiceIn(form, 'content', CHOICES) })),
    () => redirect(303, '/sign-in?deleted'),
  ),
  keepAccount: action(
    withSession((_, api) => api.deletion.cancel()),
    goTo(`${HERE}?kept`),
  ),
} satisfies Actions
