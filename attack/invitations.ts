// Invitations to sign up: made, seen and taken back by admins alone.
import { type Attack, hold, holdEach, holdStatus } from './attack.ts'
import { freshEmail } from './person.ts'

const PATH = '/api/community/admin/invitations'

export const invitations: Attack[] = [
  {
    name: 'no member invites, sees invitations or takes them back',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const member = await target.newcomer()
      const email = freshEmail()
      const tries = [
        ['the list', () => member.get(PATH)],
        ['an invitation', () => member.post(PATH, { email })],
        ['another word for admin', () => member.post(PATH, { email, role: 'admin', roles: ['admin'] })],
        ['taking back', () => member.send({ method: 'DELETE', path: `${PATH}/x` })],
        ['an anonymous caller', () => target.anonymous().post(PATH, { email })],
      ] as const
      await holdEach(
        tries,
        ([name]) => name,
        async ([name, send]) => holdStatus(await send(), [401, 403], name),
      )
      hold((await member.isSignedIn()) === true, 'the member was signed out')
      return `${tries.length} tries`
    },
  },
]
