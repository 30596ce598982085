// `npm run admin -- setup`: the set-up without a browser, for scripts.
import { setUpByOperator } from '../accounts/setup/setup.ts'
import { addSamples } from '../community/samples/samples.ts'
import { homeTextsAbout } from '../config/site-texts.ts'
import { Email } from '../contract/fields.ts'
import { isLanguage } from '../contract/languages.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command, CommandOptions } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const setup: Command = {
  usage:
    'setup --admin <email> [--name <name>] [--private] [--sign-up open|invited|closed] [--domains <list>] [--about <text>] [--samples en|de]',
  summary: `sets a new server up without its page: makes an admin of the address, with an
account if it has none, stores the settings, and ends the link that the start printed;
--private lets accounts read alone; --about is the text of the start page; --samples makes
sample data in a language, which an admin removes at /admin`,
  parameters: [0, 0],
  options: {
    admin: { type: 'string' },
    name: { type: 'string' },
    private: { type: 'boolean' },
    'sign-up': { type: 'string' },
    domains: { type: 'string' },
    about: { type: 'string' },
    samples: { type: 'string' },
  },
  run,
}

async function run({ settings, options, output }: Call): Promise<number> {
  const email = Email.safeParse(options['admin'])
  if (!email.success) {
    output.complain('--admin: say which email address the admin has.')
    return 2
  }
  const language = options['samples']
  if (language !== undefined && !(typeof language === 'string' && isLanguage(language))) {
    output.complain('--samples: say a language, en or de.')
    return 2
  }
  const samples = language === undefined ? undefined : { language, add: addSamples }
  return withAccounts(settings(), async (parts) => {
    const now = timestamp(systemClock.now())
    const user = await setUpByOperator(parts, { email: email.data, changes: changesIn(options), now, samples })
    const how = `${parts.config.baseUrl}/sign-in mails a code to sign in with`
    output.result({ email: user.email, role: user.role }, `${user.email} is admin now; ${how}.`)
    return 0
  })
}

/** What the options say of settings. */
function changesIn(options: CommandOptions): Record<string, string> {
  const given = {
    SITE_NAME: options['name'],
    READERS: options['private'] === true ? 'members' : undefined,
    SIGN_UP: options['sign-up'],
    SIGN_UP_DOMAINS: options['domains'],
    HOME_TEXTS: typeof options['about'] === 'string' ? homeTextsAbout(options['about']) : undefined,
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
