// `npm run admin -- setup`: the set-up without a browser, for scripts.
import { setUpByOperator } from '../accounts/setup/setup.ts'
import { Email } from '../contract/fields.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const setup: Command = {
  usage: 'setup --admin <email>',
  summary: `sets a new server up without its page: makes an admin of the address, with an
account if it has none, and ends the link that the start printed`,
  parameters: [0, 0],
  options: { admin: { type: 'string' } },
  run,
}

async function run({ settings, options, output }: Call): Promise<number> {
  const email = Email.safeParse(options['admin'])
  if (!email.success) {
    output.complain('--admin: say which email address the admin has.')
    return 2
  }
  return withAccounts(settings(), async (parts) => {
    const now = timestamp(systemClock.now())
    const user = await setUpByOperator(parts, { email: email.data, name: null, now })
    const how = `${parts.config.baseUrl}/sign-in mails a code to sign in with`
    output.result({ email: user.email, role: user.role }, `${user.email} is admin now; ${how}.`)
    return 0
  })
}
