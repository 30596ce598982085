// Personal access tokens: made with less than a fresh session, used beyond their scopes or their end, or by another account.
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer } from './oauth-client.ts'

const CLAUSE = 'tokens'
const READ = { name: 'A script', scopes: ['community:read' as const] }

export const personalTokens: Attack[] = [
  {
    name: 'a personal access token makes, lists and revokes none, and does no more than its scopes',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { id, token } = await owner.api.personalTokens.create(READ)
      const { api } = bearer(target, token)
      await api.profile.me()
      await holdRefused(api.personalTokens.create(READ), [401], 'another token')
      await holdRefused(api.personalTokens.list(), [401], 'the list')
      await holdRefused(api.personalTokens.revoke({ id }), [401], 'the end of it')
      await holdRefused(api.posts.create({ title: 'a', body: 'b' }), [403], 'another scope')
      const change = { password: owner.password, newPassword: 'x'.repeat(12) }
      await holdRefused(api.accounts.changePassword(change), [401], 'a password')
      return 'one scope and no more'
    },
  },
  {
    name: 'a personal access token has an end, known scopes and one owner',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [alice, bob] = [await target.newcomer(), await target.newcomer()]
      const bad = [
        { expiresInDays: 367 },
        { expiresInDays: 0 },
        { expiresInDays: null },
        { expiresInDays: 1e9 },
        { scopes: ['offline_access'] },
        { scopes: ['admin'] },
        { scopes: [] },
        { userId: bob.id, scopes: 'all' },
      ]
      await holdEach(
        bad,
        (more) => JSON.stringify(more),
        async (more) => holdStatus(await alice.post('/api/account/tokens', { ...READ, ...more }), [400], 'made'),
      )
      const { id } = await alice.api.personalTokens.create(READ)
      await holdRefused(bob.api.personalTokens.revoke({ id }), [404], 'revoked by another')
      hold(!JSON.stringify(await bob.api.personalTokens.list()).includes(id), 'another account sees it')
      return `${bad.length} bad ones`
    },
  },
  {
    name: 'an idempotency key shows a personal access token once',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const ask = () => owner.post('/api/account/tokens', READ, { 'Idempotency-Key': 'the-same' })
      const first = await ask()
      holdStatus(first, [201], 'an honest request')
      const again = await ask()
      holdStatus(again, [409], 'the repeat')
      hold(!again.text.includes(String(first.json()?.['token'])), 'the repeat shows the token again')
      return 'once'
    },
  },
  {
    name: 'a personal access token ends with a new password',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { token } = await owner.api.personalTokens.create(READ)
      const { password } = owner
      await owner.api.accounts.changePassword({ password, newPassword: `${password} and more` })
      await holdRefused(bearer(target, token).api.profile.me(), [401], 'the token after it')
      return 'refused'
    },
  },
]
