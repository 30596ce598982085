// The set-up of a server that has accounts: no token opens it again, and no one becomes an admin by it.
import { randomBytes } from 'node:crypto'
import { type Attack, hold, holdEach, holdRefused } from './attack.ts'
import { freshEmail } from './person.ts'

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
]
