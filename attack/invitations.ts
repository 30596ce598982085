// Invitations to sign up: made, seen and taken back by admins alone.
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { freshEmail } from './person.ts'

export const invitations: Attack[] = [
  {
    name: 'no member invites, sees invitations or takes them back',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const member = await target.newcomer()
      const email = freshEmail()
      const { list, create, remove } = member.api.invitations
      const tries = [
        ['the list', () => list()],
        ['an invitation', () => create({ email })],
        ['taking back', () => remove({ id: 'x' })],
        ['an anonymous caller', () => target.anonymous().api.invitations.create({ email })],
      ] as const
      await holdEach(
        tries,
        ([name]) => name,
        ([name, send]) => holdRefused(send(), [401, 403], name),
      )
      const powerful = { email, role: 'admin', roles: ['admin'] }
      holdStatus(await member.post('/api/community/admin/invitations', powerful), [403], 'another word for admin')
      hold((await member.isSignedIn()) === true, 'the member was signed out')
      return `${tries.length + 1} tries`
    },
  },
]
