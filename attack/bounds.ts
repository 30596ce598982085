// The bounds of a grant: more than was chosen, by tokens of every kind, by what is asked for in another shape, or by another account.
import { type Attack, atOnce, hold, holdEach, holdRefused } from './attack.ts'
import { ask, bearer, follow, handedOn, refresh, register, signIn } from './oauth-client.ts'

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
      const first = await signIn(target, person, { more })
      const post = (token: string) => bearer(target, token).api.posts.create({ title: 'a', body: 'b' })
      const { id } = await post(first.accessToken)
      const { vote } = bearer(target, first.accessToken).api.posts
      await holdRefused(vote({ id, value: 1 }), [403], 'another kind')
      const { accessToken: next } = await refresh(target, first)
      await post(next)
      await holdRefused(post(next), [429], 'a third write')
      await holdRefused(post(await handedOn(target, next)), [429], 'the write of a helper')
      const { answers } = await atOnce(8, () => post(next))
      hold(answers.length === 0, 'a race made one more write')
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
          const to = await follow(owner, ask(target, { clientId, more: { authorization_details: shape } }).path)
          hold(to?.searchParams.get('error') === 'invalid_authorization_details', 'the consent page was shown')
        },
      )
      const { accessToken } = await signIn(target, owner, { clientId, more: details({ writes: 1 }) })
      const [grant] = (await owner.api.signIns.list()).items
      const change = { id: grant?.id ?? '', bounds: null }
      await holdRefused(other.api.signIns.update(change), [404], 'by another account')
      await holdRefused(other.api.signIns.get({ id: change.id }), [404], 'read by another account')
      await holdRefused(bearer(target, accessToken).api.signIns.update(change), [401], 'by the agent itself')
      return 'the bounds stand'
    },
  },
]
