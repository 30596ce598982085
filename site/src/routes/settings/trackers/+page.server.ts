import { confirmed, inSession } from '#lib/server/account.ts'
import { action, field, found, goTo } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { signedIn } from '#lib/server/writing.ts'
import { serviceNames } from '../../../../../src/community/trackers/contract.ts'
import { required } from '../../../../../src/runtime/untyped.ts'
import type { Actions, PageServerLoad } from './$types'

const HERE = '/settings/trackers'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { trackerAccounts, reauthentication } = event.locals.api
  const [{ items }, credentials] = await Promise.all([found(trackerAccounts.list()), found(reauthentication.show())])
  return { items, credentials }
}

const serviceIn = (form: FormData) => required(serviceNames.find((name) => name === field(form, 'service')))

export const actions = {
  ...confirming(() => HERE),
  ask: action(
    (form, { locals }) =>
      confirmed(
        inSession(locals.api.trackerAccounts.ask({ service: serviceIn(form), login: field(form, 'login') })),
        `${HERE}?confirm=tracker#confirm`,
      ),
    ({ service, login, code }) => ({ asked: { service, login, code } }),
    { of: (form) => `ask ${field(form, 'service')}` },
  ),
  remove: action(
    (form, { locals }) => inSession(locals.api.trackerAccounts.remove({ service: serviceIn(form) })),
    goTo(HERE),
    { of: (form) => `remove ${field(form, 'service')}` },
  ),
} satisfies Actions
