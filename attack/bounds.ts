// The bounds of a grant: more than was chosen, by tokens of every kind, by what is asked for in another shape, or by another account.
import { type Attack, hold, holdEach, holdStatus } from './attack.ts'
import { AGENT, authorize, query, register, signIn, token } from './oauth-client.ts'
import { pkce } from './person.ts'

const CLAUSE = 'tokens'
const details = (bounds: object) => ({
  authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ...bounds }]),
})

export const bounds: Attack[] = [
  {
    name: 'an agent writes no kind and no number of things beyond the bounds of its grant, with a refreshed or helper token neither',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const more = details({ kinds: ['posts'], writes: 2 })
      const first = await signIn(target, person, { clientId: AGENT, more })
      const using = (value: string) => Object.assign(target.anonymous(), { token: value })
      const post = (value: string) => using(value).post('/api/community/posts', { title: 'a', body: 'b' })
      const write = (value: string, path: string, body: object) => using(value).post(path, body)
      holdStatus(await post(first.access_token), [201], 'an honest write')
      const wrong = ['/api/community/features', '/api/community/posts/00000000-0000-7000-8000-000000000000/vote']
      holdStatus(await write(first.access_token, wrong[1] ?? '', { value: 1 }), [403], 'another kind')
      const refreshed = await token(target, {
        grant_type: 'refresh_token',
        client_id: AGENT,
        refresh_token: first.refresh_token,
      })
      const next = String(refreshed.json()?.['access_token'])
      holdStatus(await post(next), [201], 'the second write')
      holdStatus(await post(next), [429], 'a third write')
      const helper = await token(target, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: AGENT,
        subject_token: next,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
      holdStatus(await post(String(helper.json()?.['access_token'])), [429], 'the write of a helper')
      const raced = await Promise.all(Array.from({ length: 8 }, () => post(next)))
      hold(
        raced.every(({ status }) => status === 429),
        'a race made one more write',
      )
      return 'two posts and no more'
    },
  },
  {
    name: 'bounds of another shape are refused, and no token and no other account changes them',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const clientId = await register(target)
      const shapes = [
        '[{"type":"guildhall_bounds","writes":-1}]',
        '[{"type":"guildhall_bounds","writes":1e99}]',
        '[{"type":"guildhall_bounds","kinds":["everything"]}]',
        '[{"type":"guildhall_bounds"},{"type":"guildhall_bounds"}]',
        '[{"type":"payment"}]',
        '{"type":"guildhall_bounds"}',
        '[[[[',
      ]
      await holdEach(
        shapes,
        (shape) => shape,
        async (shape) => {
          const { challenge } = pkce()
          const { to } = await authorize(owner, query({ clientId, more: { authorization_details: shape } }, challenge))
          hold(to?.searchParams.get('error') === 'invalid_authorization_details', 'the consent page was shown')
        },
      )
      const { access_token } = await signIn(target, owner, { clientId, more: details({ writes: 1 }) })
      const list = (await owner.get('/api/account/sign-ins')).json() as { items: { id: string }[] }
      const path = `/api/account/sign-ins/${list.items[0]?.id}`
      const change = { bounds: null }
      holdStatus(await other.json('PATCH', path, change), [404], 'by another account')
      holdStatus(await other.get(path), [404], 'read by another account')
      const agent = Object.assign(target.anonymous(), { token: access_token })
      holdStatus(await agent.json('PATCH', path, change), [401], 'by the agent itself')
      return 'the bounds stand'
    },
  },
]
