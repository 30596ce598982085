// The set-up of a server that has accounts: no token opens it again, and no one becomes an admin by it.
import { randomBytes } from 'node:crypto'
import { type Attack, atOnce, hold, holdEach, holdRefused } from './attack.ts'
import { until } from './machines.ts'
import { freshEmail } from './person.ts'
import { type Local, startServer } from './server.ts'
import { Target } from './target.ts'

/** The token in the link that a new server prints. */
async function printedToken(local: Local): Promise<string> {
  const found = () => /\/setup\?token=([\w-]{20,})/.exec(local.output())?.[1]
  await until('the link is printed', () => found() !== undefined)
  return found() ?? ''
}

export const setUp: Attack[] = [
  {
    name: 'no one sets a server up that has an account, with a guessed token or none',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const member = await target.newcomer()
      const email = freshEmail()
      const guessed = randomBytes(32).toString('base64url')
      const tries = [guessed, 'x', `${guessed}\n`, 'null', '%', "' or 1=1 --"].flatMap((token) =>
        [target.anonymous().api.setup, member.api.setup].flatMap((setup) => [
          () => setup.check({ token }),
          () => setup.sendCode({ token, email }),
          () => setup.finish({ token, email, code: '000000' }),
        ]),
      )
      await holdEach(
        tries.map((send, n) => [`try ${n + 1}`, send] as const),
        ([name]) => name,
        ([name, send]) => holdRefused(send(), [400, 403, 409], name),
      )
      hold((await member.isSignedIn()) === true, 'the member was signed out')
      return `${tries.length} tries`
    },
  },
  {
    name: 'the link of a new server makes one admin, once, however many have it at once, and only with the mailed code',
    clause: 'access',
    needs: ['process', 'mail'],
    async run({ own }) {
      const engine = own.environment['DATABASE_URL'] ? 'postgres' : 'sqlite'
      const local = await startServer({ engine, settings: { RATE_LIMITS: 'off' } })
      try {
        const target = new Target({ place: local.place, local, offers: [] })
        const token = await printedToken(local)
        const emails = Array.from({ length: 6 }, () => freshEmail())
        const finish = async (email: string, code: string) =>
          target.anonymous().api.setup.finish({ token, email, code, settings: { SITE_NAME: email } })
        for (const email of emails) await target.anonymous().api.setup.sendCode({ token, email })
        const codes = await Promise.all(emails.map((email) => target.code(email)))
        const [first = '', second = ''] = emails
        await holdRefused(finish(first, codes[1] ?? ''), [400, 403, 409], 'the code of another address')
        const locked = { ADMIN_EMAILS: first, DATA_DIR: '/' }
        for (const name of Object.keys(locked)) {
          const settings = { [name]: Reflect.get(locked, name) as string }
          const sent = { token, email: first, code: codes[0] ?? '', settings }
          await holdRefused(target.anonymous().api.setup.finish(sent), [400], `the setting ${name}`)
        }
        const { answers, refusals } = await atOnce(emails.length, (n) => finish(emails[n] ?? '', codes[n] ?? ''))
        hold(answers.length === 1, `${answers.length} became admins`)
        hold(
          refusals.every(({ status }) => status === 403 || status === 409),
          refusals.map(({ status }) => status).join(),
        )
        const roles = await local.query('select "role" from "user"')
        hold(roles.length === 1 && roles[0]?.['role'] === 'admin', JSON.stringify(roles))
        await holdRefused(target.anonymous().api.setup.check({ token }), [403, 409], 'the link again')
        await holdRefused(target.anonymous().api.setup.sendCode({ token, email: second }), [403, 409], 'a code again')
        const rows = JSON.stringify(await local.query('select * from "setup"'))
        hold(!rows.includes(token), 'the database has the token')
        return `${emails.length} at once, one admin`
      } finally {
        await local.close()
      }
    },
  },
]
