// Threat 15: what passwords may be, what is mailed about credentials, and how long a session is enough.
import { type Attack, hold, holdEach, holdRefused } from './attack.ts'
import { freshEmail, freshPassword } from './person.ts'
import { hasCode } from './target.ts'

const PASSWORDS = '15 passwords'

/** Passwords that everybody tries first. */
const common = [
  'password',
  '12345678',
  'password1',
  'qwertyuiop',
  'iloveyou',
  '11111111',
  'Password123',
  'letmein123',
  'sunshine1',
  'princess1',
]

export const passwords: Attack[] = [
  {
    name: 'common passwords and the own address are refused, at sign-up, change and reset',
    clause: PASSWORDS,
    needs: ['newcomers'],
    async run(target) {
      const email = freshEmail('weak')
      const person = await target.newcomer()
      const own = [email, email.toUpperCase(), ` ${email}`]
      return holdEach([...common, ...own], String, async (password) => {
        const up = target.anonymous().api.accounts.signUp({ name: 'x', email, password })
        await holdRefused(up, [400], 'sign-up')
        if (own.includes(password)) return
        const change = { password: person.password, newPassword: password }
        await holdRefused(person.api.accounts.changePassword(change), [400], 'change')
      })
    },
  },
  {
    name: 'a new password and a sign-in from an unknown browser are mailed',
    clause: PASSWORDS,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const person = await target.verified()
      const browser = person.elsewhere()
      const unknown = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
      const { email, password } = person
      await browser.api.accounts.signIn({ email, password }, { headers: { 'User-Agent': unknown } })
      await target.mails(email, (mail) => /sign.?in|signed in/i.test(mail.subject) && !hasCode(mail))
      await person.api.accounts.changePassword({ password, newPassword: freshPassword() })
      await target.mails(email, (mail) => /password/i.test(mail.subject) && !hasCode(mail))
      return 'two mails'
    },
  },
  {
    name: 'a new role is mailed',
    clause: PASSWORDS,
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const [admin, person] = [await target.withRole('admin'), await target.verified()]
      await admin.api.admin.setRole({ id: person.id, role: 'moderator' })
      await target.mails(person.email, ({ subject, body }) => /role|moderator/i.test(subject + body))
      return 'one mail'
    },
  },
  {
    name: 'a session of more than ten minutes cannot add a passkey',
    clause: PASSWORDS,
    needs: ['newcomers', 'process'],
    async run(target) {
      const { passkeys } = (await target.newcomer()).api
      await passkeys.beginRegistration()
      return target.ahead(11 * 60, async () => {
        await holdRefused(passkeys.beginRegistration(), [401, 403], 'after eleven minutes')
        return 'asked to sign in again'
      })
    },
  },
  {
    name: 'a session ends after 90 days, however often it is used',
    clause: PASSWORDS,
    needs: ['newcomers', 'process'],
    async run(target) {
      const person = await target.newcomer()
      // Back to now but once: jobs wait after each step back.
      return target.ahead(0, async () => {
        for (let day = 6; day < 90; day += 6) {
          await target.own.setAhead(day * 86_400)
          hold(await person.isSignedIn(), `signed out after ${day} days of use`)
          await person.api.profile.me()
        }
        await target.own.setAhead(91 * 86_400)
        hold(!(await person.isSignedIn()), 'still signed in after 91 days')
        return 'used every six days, it ended with the 90th'
      })
    },
  },
]
