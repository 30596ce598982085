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
  {
    name: 'a link that invites is not guessed, used again, used after its end, or made by who is no admin',
    clause: 'access',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const [admin, member] = [await target.withRole('admin'), await target.verified()]
      const { id, link } = await admin.api.invitationLinks.create({ role: 'moderator' })
      const key = new URL(link).searchParams.get('key') ?? ''
      const others = [
        key.slice(0, -1),
        `${key}A`,
        key.toLowerCase(),
        key.replace('ginvite_', ''),
        '',
        id,
        `${key}\u0000`,
      ]
      await holdEach(others, String, (other) =>
        holdRefused(target.anonymous().api.invitation.open({ key: other }), [400, 404], 'a guess'),
      )
      await holdRefused(member.api.invitation.accept(), [404], 'accepted without the link')
      for (const person of [member, await target.withRole('moderator')]) {
        const { create, list, revoke } = person.api.invitationLinks
        await holdRefused(create({ role: 'moderator' }), [403], 'made')
        await holdRefused(list(), [403], 'listed')
        await holdRefused(revoke({ id }), [403], 'revoked')
      }
      const path = '/api/community/admin/invitation-links'
      for (const wrong of [{ role: 'admin' }, { role: ['moderator'] }, { expiresInDays: 91 }, { maxUses: 1e9 }])
        holdStatus(await admin.post(path, wrong), [400], JSON.stringify(wrong))
      await member.api.invitation.open({ key })
      hold((await member.api.invitation.accept()).user.role === 'moderator', 'an honest use is refused')
      const again = await target.verified()
      await holdRefused(again.api.invitation.open({ key }), [404], 'used again')
      again.cookies.set('guildhall_invitation', key)
      await holdRefused(again.api.invitation.accept(), [404], 'used again with the cookie')
      const late = await admin.api.invitationLinks.create({ role: 'moderator', expiresInDays: 1 })
      again.cookies.set('guildhall_invitation', new URL(late.link).searchParams.get('key') ?? '')
      await admin.api.invitationLinks.revoke({ id: late.id })
      await holdRefused(again.api.invitation.accept(), [404], 'used after it was revoked')
      hold((await again.api.accounts.getSession())?.user.role === 'member', 'a member has the role')
      return `${others.length} guesses, four orders, and three uses too many`
    },
  },
]
