// Threat 15: what passwords may be, what is mailed about credentials, and how long a session is enough.
import { type Attack, hold, holdEach, holdStatus } from './attack.ts'
import { freshEmail, freshPassword } from './person.ts'
import type { Target } from './target.ts'

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
        holdStatus(
          await target.anonymous().post('/api/auth/sign-up/email', { name: 'x', email, password }),
          [400],
          'sign-up',
        )
        if (own.includes(password)) return
        const change = await person.post('/api/auth/change-password', {
          password: person.password,
          newPassword: password,
        })
        holdStatus(change, [400], 'change')
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
      await browser.send({
        method: 'POST',
        path: '/api/auth/sign-in/email',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
        },
        body: JSON.stringify({ email: person.email, password: person.password }),
      })
      await target.mails(
        person.email,
        ({ subject, body }) => /sign.?in|signed in/i.test(subject) && !/^\d{6}$/m.test(body),
      )
      const newPassword = freshPassword()
      holdStatus(
        await person.post('/api/auth/change-password', { password: person.password, newPassword }),
        [200],
        'the change',
      )
      await target.mails(person.email, ({ subject, body }) => /password/i.test(subject) && !/^\d{6}$/m.test(body))
      return 'two mails'
    },
  },
  {
    name: 'a new role is mailed',
    clause: PASSWORDS,
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const [admin, person] = [await target.withRole('admin'), await target.verified()]
      await admin.json('PATCH', `/api/community/admin/users/${person.id}/role`, { role: 'moderator' })
      await target.mails(person.email, ({ subject, body }) => /role|moderator/i.test(subject + body))
      return 'one mail'
    },
  },
  {
    name: 'a session of more than ten minutes cannot add a passkey',
    clause: PASSWORDS,
    needs: ['newcomers', 'process'],
    async run(target) {
      const person = await target.newcomer()
      holdStatus(await person.post('/api/auth/passkeys/options', {}), [200], 'at once')
      return aheadOf(target, 11 * 60, async () => {
        holdStatus(await person.post('/api/auth/passkeys/options', {}), [401, 403], 'after eleven minutes')
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
      try {
        for (let day = 6; day < 90; day += 6) {
          await target.own.setAhead(day * 86_400)
          holdStatus(await person.get('/api/community/me'), [200], `after ${day} days of use`)
        }
        await target.own.setAhead(91 * 86_400)
        hold(!(await person.isSignedIn()), 'still signed in after 91 days')
      } finally {
        await target.own.setAhead(0)
      }
      return 'used every six days, it ended with the 90th'
    },
  },
]

/** Does it on a server whose clock is this far ahead. */
export async function aheadOf<Result>(target: Target, seconds: number, work: () => Promise<Result>): Promise<Result> {
  await target.own.setAhead(seconds)
  try {
    return await work()
  } finally {
    await target.own.setAhead(0)
  }
}
