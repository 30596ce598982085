// Personal access tokens: made with less than a fresh session, used beyond their scopes or their end, or by another account.
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = 'tokens'
const PATH = '/api/account/tokens'
const READ = { name: 'A script', scopes: ['community:read'] }

async function made(person: Person, more: object = {}): Promise<{ id: string; token: string }> {
  const reply = await person.post(PATH, { ...READ, ...more })
  hold(reply.status === 201, `an honest request is refused: ${shown(reply)}`)
  return reply.json() as unknown as { id: string; token: string }
}

/** A program that has the token and nothing else. */
function holding(target: Target, token: string): Person {
  const program = target.anonymous()
  program.token = token
  return program
}

export const personalTokens: Attack[] = [
  {
    name: 'a personal access token makes, lists and revokes none, and does no more than its scopes',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { id, token } = await made(owner)
      const program = holding(target, token)
      holdStatus(await program.get('/api/community/me'), [200], 'its own scope')
      holdStatus(await program.post(PATH, READ), [401], 'another token')
      holdStatus(await program.get(PATH), [401], 'the list')
      holdStatus(await program.send({ method: 'DELETE', path: `${PATH}/${id}` }), [401], 'the end of it')
      holdStatus(await program.post('/api/community/posts', { title: 'a', body: 'b' }), [403], 'another scope')
      holdStatus(await program.post('/api/auth/change-password', { newPassword: 'x'.repeat(12) }), [401], 'a password')
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
        async (more) => holdStatus(await alice.post(PATH, { ...READ, ...more }), [400], 'made'),
      )
      const { id } = await made(alice)
      holdStatus(await bob.send({ method: 'DELETE', path: `${PATH}/${id}` }), [404], 'revoked by another')
      hold(!(await bob.get(PATH)).text.includes(id), 'another account sees it')
      return `${bad.length} bad ones`
    },
  },
  {
    name: 'an idempotency key shows a personal access token once',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const ask = () => owner.post(PATH, READ, { 'Idempotency-Key': 'the-same' })
      const first = await ask()
      hold(first.status === 201, `an honest request is refused: ${shown(first)}`)
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
      const { token } = await made(owner)
      const change = { password: owner.password, newPassword: `${owner.password} and more` }
      holdStatus(await owner.post('/api/auth/change-password', change), [200], 'the new password')
      holdStatus(await holding(target, token).get('/api/community/me'), [401], 'the token after it')
      return 'refused'
    },
  },
]
